import { requireFound } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { statementAsCamt053, statementAsCsv, type DescribedStatement } from './statement-formats.ts'
import type { StatementFile, StatementFormat } from '../model/balance.ts'
import { loadArrangement } from '../store/arrangement.ts'
import type { ReadStatement } from '../store/balance.ts'
import { loadDescription } from '../store/entry-description.ts'

const kinds = {
  csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8', render: statementAsCsv },
  'camt-053': { extension: 'xml', mediaType: 'application/xml', render: statementAsCamt053 },
} satisfies Record<
  StatementFormat,
  { extension: string; mediaType: string; render: (statement: DescribedStatement) => string }
>

/** Renders a statement in a file format. */
export async function statementFileOf(
  context: Context,
  statement: ReadStatement,
  format: StatementFormat,
): Promise<StatementFile> {
  const { arrangementId, from, to } = statement
  const found = await loadArrangement(context, arrangementId)
  const { accountNumber } = requireFound(found, 'ARRANGEMENT_NOT_FOUND', arrangementId)
  const entries = await Promise.all(
    statement.entries.map(async (entry) => {
      const description = (await loadDescription(context, entry))!
      return { ...entry, ...description }
    }),
  )
  const { extension, mediaType, render } = kinds[format]
  return {
    fileName: `${arrangementId}-${from}-${to}.${extension}`,
    mediaType,
    content: render({ ...statement, accountNumber, createdAt: context.now(), entries }),
  }
}
