import { id, label } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readPage } from '../../../kernel/graph/connection.ts'
import {
  listing,
  lookup,
  operation,
  pageArguments,
  resolverOf,
} from '../../../kernel/graph/operations.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { requestDataExport, requireReadableExport } from '../commands/data-export.ts'
import { DataExport, DataExportPage, PersonalRecord } from '../model/data-export.ts'
import { dataExports, listDataExports, readersOf } from '../store/data-export.ts'
import { exportHtml } from './export-html.ts'
import { readPersonalRecords, type OrderedRecord } from '../store/personal-record.ts'

const maxRecords = 100
const dataExportId = id('The ID of the data export.')
const sortKey = ({ sortKey: key }: OrderedRecord) => key

/** Reads the records of an export that the caller may read. */
async function listRecords(
  context: Context,
  exportId: string,
  after: string[] | null,
  take: number,
): Promise<OrderedRecord[]> {
  const found = await requireReadableExport(context, exportId)
  return readPersonalRecords(context, found, after, take)
}

export const DataExportOperations = resolverOf({
  queries: {
    dataExport: lookup(DataExport, {
      description: 'Returns a data export.',
      scope: 'privacy:export',
      find: async (context, exportId) => {
        const found = await dataExports.load(context, exportId)
        return found && maySee(context.caller, readersOf(found)) ? found : null
      },
    }),
    dataExports: listing(DataExport, {
      description:
        'Returns data exports, oldest first. Delegated users get those that they requested.',
      scope: 'privacy:export',
      filters: { partyId: id('Returns only exports of the data of this party.').orNull() },
      list: listDataExports,
      sortKey: dataExports.sortKey,
    }),
    dataExportRecords: listing(PersonalRecord, {
      description:
        'Returns everything that the bank stores about the person of a data export, in the order ' +
        'of the areas and tables. Delegated users get records of their own party only.',
      scope: 'privacy:export',
      filters: { dataExportId },
      maxPageSize: maxRecords,
      list: (context, { dataExportId: exportId }, after, take) =>
        listRecords(context, exportId, after, take),
      sortKey,
    }),
    dataExportPage: operation({
      description: 'Returns the same records as `dataExportRecords` as a document for readers.',
      scope: 'privacy:export',
      returns: DataExportPage,
      args: { dataExportId, ...pageArguments(maxRecords) },
      async resolve(context, { dataExportId: exportId, first, after }, name) {
        const found = await requireReadableExport(context, exportId)
        const { nodes, pageInfo } = await readPage(
          context,
          name,
          { exportId },
          { first, after },
          (from, take) => readPersonalRecords(context, found, from, take),
          sortKey,
          maxRecords,
        )
        const { hasNextPage, endCursor } = pageInfo
        return { html: exportHtml(found, nodes), hasNextPage, endCursor }
      },
    }),
  },
  mutations: {
    requestDataExport: operation({
      description:
        'Requests an export of everything that the bank stores about a party or an employee ' +
        '(GDPR articles 15 and 20). Delegated users can request the data of their own party only.',
      scope: 'privacy:export',
      returns: DataExport,
      args: {
        dataExportId: id('The ID of the data export. Generated if omitted.').orNull(),
        partyId: id('The ID of the party. Give either this or `username`.').orNull(),
        username: label('The username of the employee. Give either this or `partyId`.').orNull(),
      },
      resolve: (context, request) => requestDataExport(context, request),
    }),
  },
})
