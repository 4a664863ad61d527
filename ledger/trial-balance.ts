import type { Queries } from '../kernel/database/read-rows.ts'
import { read } from './read.ts'

/** The total debits and credits of all accounts in one currency, in minor units. */
export interface TrialBalance {
  currency: string
  debitMinor: bigint
  creditMinor: bigint
  accounts: AccountTotal[]
}

/** The totals of the accounts with the same code. */
export interface AccountTotal {
  code: string
  type: string
  debitMinor: bigint
  creditMinor: bigint
}

interface TotalRow {
  currency: string
  code: string
  type: string
  debit: string
  credit: string
}

const balancesSql =
  'select currency, code, type, sum(committed_debit)::text as debit, sum(committed_credit)::text as credit ' +
  'from ledger.current_balance where $1::text is null or currency = $1 ' +
  'group by currency, code, type order by currency, code'
const currentSql =
  'select currency, code, type, debit::text, credit::text from ledger.current_totals($1::text)'
const asOfSql =
  'select currency, code, type, debit::text, credit::text from ledger.totals_at($1::text, $2)'

/** With more lines than this to add, the totals of days are too far behind to read the rest by itself. */
const maxLag = 20_000
const areTotalsNearSql =
  'select coalesce((select max(first_line) from ledger.checkpoint) - r.first_line, 0) + h.position ' +
  '- coalesce((select position from kernel.consumer where name = \'ledger-checkpoints\'), 0) <= $1 as "areNear" ' +
  'from ledger.booking_day_reach r, kernel.head h'

/** Whether the totals of days contain almost all postings. */
async function areTotalsNear(queries: Queries): Promise<boolean> {
  return (await read<{ areNear: boolean }>(queries, areTotalsNearSql, [maxLag]))[0]!.areNear
}

/**
 * Reads the trial balance of a currency, or of every currency if `currency` is null. It is the sum of
 * the totals of days and of the postings that they do not contain yet, and at an earlier time (`asOf`) of
 * the days before and of the entries of its own day. While the totals of days are far behind, the
 * current trial balance is read from the balances, which are the same sums.
 */
export async function readTrialBalance(
  queries: Queries,
  currency: string | null,
  asOf: Date | null,
): Promise<TrialBalance[]> {
  const rows = asOf
    ? await read<TotalRow>(queries, asOfSql, [currency, asOf])
    : await read<TotalRow>(queries, (await areTotalsNear(queries)) ? currentSql : balancesSql, [
        currency,
      ])
  const byCurrency = new Map<string, TrialBalance>()
  for (const row of rows) {
    const [debitMinor, creditMinor] = [BigInt(row.debit), BigInt(row.credit)]
    const emptyTotals = { currency: row.currency, debitMinor: 0n, creditMinor: 0n, accounts: [] }
    const balance: TrialBalance = byCurrency.get(row.currency) ?? emptyTotals
    balance.debitMinor += debitMinor
    balance.creditMinor += creditMinor
    balance.accounts.push({ code: row.code, type: row.type, debitMinor, creditMinor })
    byCurrency.set(row.currency, balance)
  }
  return [...byCurrency.values()]
}

/** Whether there are checkpoints whose postings the totals of their days do not contain. */
export const areDaysToTotalSql =
  '((select max(first_line) from ledger.checkpoint) > (select first_line from ledger.booking_day_reach)) is true'

const maxCheckpoints = 8

/**
 * Adds the postings of the next checkpoints to the totals of the days on which they were booked. If
 * two processes do it at the same time, one waits for the other. Returns the number of checkpoints.
 */
export async function totalBookingDays(queries: Queries): Promise<number> {
  const sql = 'select ledger.total_booking_days($1) as added'
  return (await read<{ added: number }>(queries, sql, [maxCheckpoints]))[0]!.added
}
