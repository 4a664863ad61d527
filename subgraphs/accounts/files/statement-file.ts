import { requireFound } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { renderPdfForCaller } from '../../../kernel/files/pdf-for-caller.ts'
import { documentFile, type DocumentFile } from '../../../kernel/graph/document-file.types.ts'
import type { Arrangement } from '../model/arrangement.ts'
import type { StatementFile, StatementFormat } from '../model/balance.ts'
import { PartyNamesDocument } from '../queries.generated.ts'
import { loadArrangement } from '../store/arrangement.ts'
import type { ReadStatement } from '../store/balance.ts'
import { loadDescription } from '../store/entry-description.ts'
import { statementAsCamt053, statementAsCsv, type DescribedStatement } from './statement-formats.ts'
import { statementReport } from './statement-report.ts'

const kinds = {
  csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8', render: statementAsCsv },
  'camt-053': { extension: 'xml', mediaType: 'application/xml', render: statementAsCamt053 },
} satisfies Record<
  StatementFormat,
  { extension: string; mediaType: string; render: (statement: DescribedStatement) => string }
>

/** Renders a statement in a file format for programs. */
export async function statementFileOf(
  context: Context,
  statement: ReadStatement,
  format: StatementFormat,
): Promise<StatementFile> {
  const { extension, mediaType, render } = kinds[format]
  const arrangement = await arrangementOf(context, statement)
  const content = render(await describe(context, statement, arrangement))
  return { fileName: `${nameOf(statement)}.${extension}`, mediaType, content }
}

/**
 * Renders a statement as a PDF file for people. Throws LIMIT_EXCEEDED for the eleventh PDF file of a
 * request, TIMEOUT if the caller no longer waits, and what the query for the name of the account holder
 * throws.
 */
export async function statementPdfOf(
  context: Context,
  statement: ReadStatement,
): Promise<DocumentFile> {
  const content = await renderPdfForCaller(context, async () => {
    const arrangement = await arrangementOf(context, statement)
    const { partyId } = arrangement
    const [described, { partyContacts }] = await Promise.all([
      describe(context, statement, arrangement),
      context.bank.queryGraph(PartyNamesDocument, { partyIds: [partyId] }),
    ])
    return statementReport(described, partyContacts![0]?.displayName ?? null)
  })
  return documentFile(nameOf(statement), 'pdf', content)
}

const nameOf = ({ arrangementId, from, to }: ReadStatement) => `${arrangementId}-${from}-${to}`

async function arrangementOf(
  context: Context,
  { arrangementId }: ReadStatement,
): Promise<Arrangement> {
  const found = await loadArrangement(context, arrangementId)
  return requireFound(found, 'ARRANGEMENT_NOT_FOUND', arrangementId)
}

async function describe(
  context: Context,
  statement: ReadStatement,
  { accountNumber }: Arrangement,
): Promise<DescribedStatement> {
  const entries = await Promise.all(
    statement.entries.map(async (entry) => {
      const description = (await loadDescription(context, entry))!
      return { ...entry, ...description }
    }),
  )
  return { ...statement, accountNumber, createdAt: context.now(), entries }
}
