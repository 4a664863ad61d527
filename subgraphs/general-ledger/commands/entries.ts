import type { Context } from '../../../kernel/environment/context.ts'
import { requireAccount } from '../domain/chart.ts'
import { firstDayOf, lastDayOf, requirePeriodId } from '../domain/period.ts'
import { unmapped } from '../domain/reports.ts'
import { readChart } from '../store/account.ts'
import { readDatedEntries, type DatedEntry } from '../store/entries.ts'
import { readMapping } from '../store/mapping-rule.ts'
import { readTotals } from '../store/totals.ts'

/** An entry with its account of the general ledger. */
export interface AccountEntry extends DatedEntry {
  accountNumber: string
  accountName: string
}

/** Which entries of a period to read; those of all accounts if `accountNumber` is null. */
export interface PeriodEntries {
  accountingPeriodId: string
  accountNumber: string | null
  currency: string | null
}

/**
 * Reads the entries of a period, or those of an account, in the order of their accounting dates.
 * Throws VALIDATION_FAILED and GENERAL_LEDGER_ACCOUNT_NOT_FOUND (422).
 */
export async function readPeriodEntries(
  context: Context,
  { accountingPeriodId, accountNumber, currency }: PeriodEntries,
  after: readonly string[] | null,
  take: number,
): Promise<AccountEntry[]> {
  requirePeriodId(accountingPeriodId)
  const [from, to] = [firstDayOf(accountingPeriodId), lastDayOf(accountingPeriodId)]
  const [chart, mapping, totals] = await Promise.all([
    readChart(context),
    readMapping(context),
    accountNumber === null ? [] : readTotals(context, from, to, currency),
  ])
  if (accountNumber !== null && accountNumber !== unmapped) requireAccount(chart, accountNumber)
  const numberOf = (key: { ledgerCode: string; productId: string }) =>
    mapping.accountOf(key, from) ?? unmapped
  const keys =
    accountNumber === null ? null : totals.filter((key) => numberOf(key) === accountNumber)
  const entries = await readDatedEntries(context, { from, to, keys, currency }, after, take)
  return entries.map((entry) => {
    const number = numberOf(entry)
    return { ...entry, accountNumber: number, accountName: chart.get(number)?.name ?? number }
  })
}
