import { withLongReads } from '../../../kernel/database/long-reads.ts'
import type { Queries } from '../../../kernel/database/read-rows.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  closingFindings,
  dimensionFindings,
  findingsOf,
  totalFindings,
} from '../domain/findings.ts'
import type { GeneralLedgerFinding } from '../model/reports.ts'
import { readChart } from '../store/account.ts'
import { readMapping } from '../store/mapping-rule.ts'
import {
  readChangedClosings,
  readComparison,
  readWrongDimensionTotals,
  readWrongTotals,
} from '../store/reconciliation.ts'

/** Compares the general ledger with the ledger and with its own totals. Reads all entries. */
export async function checkBooks(
  context: Context,
  queries: Queries,
): Promise<GeneralLedgerFinding[]> {
  const [mapping, chart] = await Promise.all([readMapping(context), readChart(context)])
  // One after the other, because the queries may be those of one connection.
  const keys = await readComparison(queries)
  const wrongTotals = await readWrongTotals(queries)
  const wrongDimensionTotals = await readWrongDimensionTotals(queries)
  const changedClosings = await readChangedClosings(queries)
  return [
    ...findingsOf(keys, mapping, chart, dateOf(context.now())),
    ...totalFindings(wrongTotals),
    ...dimensionFindings(wrongDimensionTotals),
    ...closingFindings(changedClosings),
  ]
}

/** Like `checkBooks`, but each statement may take an hour, until `stopping` aborts. */
export function checkLargeBooks(
  context: Context,
  stopping?: AbortSignal,
): Promise<GeneralLedgerFinding[]> {
  return withLongReads(context.bank.pool, stopping, (queries) => checkBooks(context, queries))
}
