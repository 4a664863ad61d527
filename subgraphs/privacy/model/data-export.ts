import {
  boolean,
  entity,
  id,
  instant,
  jsonObject,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const DataExport = entity(
  'DataExport',
  'dataExportId',
  'The right to read everything that the bank stores about one party or employee, for seven days. The ' +
    'records are read with `dataExportRecords` or `dataExportPage`.',
  {
    dataExportId: id('The ID of the data export, such as `dex_…`.').inEvents(),
    partyId: id(
      'The ID of the party whose data is exported; null if it is the data of an employee.',
    )
      .orNull()
      .inEvents(),
    username: string(
      'The username of the employee whose data is exported; null if it is the data of a party.',
    )
      .orNull()
      .inEvents(),
    isForBank: boolean(
      'Whether the export also contains records that the bank must review before it discloses ' +
        'them, such as internal notes. False for an export that the party requested.',
    ).inEvents(),
    requestedBy: string(
      'The access token subject of the person who requested the export.',
    ).namesActor(),
    expiresAt: instant('When the export can no longer be read, in UTC.'),
    createdAt: instant('When the export was requested, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type DataExport = TypeOf<typeof DataExport>

export const PersonalRecord = shape(
  'PersonalRecord',
  'A stored record about a party or an employee.',
  {
    area: string('The area of the bank that stores the record, such as `parties`.'),
    table: string('The table that contains the record, such as `parties.party`.'),
    purpose: string('The purpose for which the bank processes the data of the area.'),
    retention: string('Why the bank stores the record, and for how long.'),
    data: jsonObject(
      'The content of the record. The names of the members are stable; amounts are in minor units ' +
        'as strings, and instants are in ISO 8601 in UTC.',
    ),
  },
)
export type PersonalRecord = TypeOf<typeof PersonalRecord>

export const DataExportPage = shape('DataExportPage', 'A page of an export for readers.', {
  html: string('The records as a complete HTML document without scripts.'),
  hasNextPage: boolean('Whether more records follow.'),
  endCursor: string(
    'The cursor of the last record. Pass it as `after` to get the next page; null if the page ' +
      'is empty.',
  ).orNull(),
})
export type DataExportPage = TypeOf<typeof DataExportPage>
