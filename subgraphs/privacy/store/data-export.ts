import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { dataExportEvents, type DataExportEvent } from '../events.ts'
import type { DataExport } from '../model/data-export.ts'

export const dataExports = tableOf<DataExport>(
  'privacy.data_export',
  'dataExportId',
  ({ db }) => db.dataExport,
)

/** Returns the parties that may read an export. */
export const readersOf = ({ isForBank, partyId }: DataExport): string[] =>
  isForBank || partyId === null ? [] : [partyId]

export const dataExportKind: RecordKind<DataExport, DataExportEvent> = {
  ...dataExports,
  ...dataExportEvents,
  id: 'dataExport',
  notFound: 'DATA_EXPORT_NOT_FOUND',
  created: 'privacy.data-export.requested',
  ownersOf: readersOf,
  isPublished: false,
}

/** Lists the exports that the caller may read, oldest first. A filter that is null does not apply. */
export function listDataExports(
  context: Context,
  { partyId }: { partyId: string | null },
  after: string[] | null,
  take: number,
): Promise<DataExport[]> {
  const own = context.caller.partyId
  const readable = own === null ? [] : [{ partyId: own, isForBank: false }]
  const filter = partyId === null ? [] : [{ partyId }]
  return dataExports.list(context, { AND: [...readable, ...filter] }, after, take)
}
