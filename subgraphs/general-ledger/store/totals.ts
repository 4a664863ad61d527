import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { OfValue } from '../domain/dimension.ts'
import type { Mapping } from '../domain/mapping.ts'
import { firstDayOf } from '../domain/period.ts'
import { unmapped, type KeyBalance, type KeyTotals } from '../domain/reports.ts'
import type { DayTotals } from '../domain/translated-movements.ts'
import type { GeneralLedgerDimension } from '../model/dimension.ts'

/** Returns the daily totals, or those of each product or segment; `value` is empty for the rest. */
const totalsBy = (by: GeneralLedgerDimension | null): string =>
  by === null
    ? "(select *, '' as value from general_ledger.daily_total) t"
    : `general_ledger.total_by_${by}`

interface TotalsRow extends OfValue {
  ledgerCode: string
  productId: string
  currency: string
  opening: string
  debit: string
  credit: string
  [column: string]: unknown
}

const totalsSql = (
  by: GeneralLedgerDimension | null,
) => `select value, ledger_code as "ledgerCode", product_id as "productId", currency,
    coalesce(sum(debit_minor - credit_minor) filter (where accounting_date < $1), 0)::text as opening,
    coalesce(sum(debit_minor) filter (where accounting_date >= $1), 0)::text as debit,
    coalesce(sum(credit_minor) filter (where accounting_date >= $1), 0)::text as credit
  from ${totalsBy(by)}
  where accounting_date <= $2 and ($3::text is null or currency = $3)
  group by 1, 2, 3, 4 order by 1, 2, 3, 4`

/**
 * Reads the totals of a range of days, in one currency or in all, and of each product or segment if
 * `by` names a dimension.
 */
export async function readTotals(
  { bank }: Context,
  from: LocalDate,
  to: LocalDate,
  currency: string | null = null,
  by: GeneralLedgerDimension | null = null,
): Promise<(KeyTotals & OfValue)[]> {
  const rows = await readRows<TotalsRow>(bank, totalsSql(by), [from, to, currency])
  return rows.map(({ value, ledgerCode, productId, currency: of, opening, debit, credit }) => ({
    value,
    ledgerCode,
    productId,
    currency: of,
    openingMinor: BigInt(opening),
    debitMinor: BigInt(debit),
    creditMinor: BigInt(credit),
  }))
}

/** Reads the balances at the end of a day, like `readTotals`. */
export async function readBalances(
  context: Context,
  day: LocalDate,
  currency: string | null = null,
  by: GeneralLedgerDimension | null = null,
): Promise<(KeyBalance & OfValue)[]> {
  const totals = await readTotals(context, day, day, currency, by)
  return totals.map(({ value, ledgerCode, productId, currency: of, ...minor }) => ({
    value,
    ledgerCode,
    productId,
    currency: of,
    balanceMinor: minor.openingMinor + minor.debitMinor - minor.creditMinor,
    day,
  }))
}

interface MonthRow extends OfValue {
  ledgerCode: string
  productId: string
  currency: string
  month: string
  balance: string
  [column: string]: unknown
}

const monthsSql = (
  by: GeneralLedgerDimension | null,
) => `select value, ledger_code as "ledgerCode", product_id as "productId", currency,
    to_char(accounting_date, 'YYYY-MM') as month, sum(debit_minor - credit_minor)::text as balance
  from ${totalsBy(by)}
  where accounting_date between $1 and $2 and not is_year_end
    and ($3::text is null or currency = $3)
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`

/**
 * Reads the movements of a range of days by month, without year-end entries, like `readTotals`. The rules of a month
 * apply to all of its days, because they begin on the first day of a month.
 */
export async function readMovements(
  { bank }: Context,
  from: LocalDate,
  to: LocalDate,
  currency: string | null,
  by: GeneralLedgerDimension | null,
): Promise<(KeyBalance & OfValue)[]> {
  const rows = await readRows<MonthRow>(bank, monthsSql(by), [from, to, currency])
  return rows.map(({ value, ledgerCode, productId, currency: of, month, balance }) => ({
    value,
    ledgerCode,
    productId,
    currency: of,
    balanceMinor: BigInt(balance),
    day: firstDayOf(month),
  }))
}

interface DayRow {
  ledgerCode: string
  productId: string
  currency: string
  day: LocalDate
  isYearEnd: boolean
  debit: string
  credit: string
  [column: string]: unknown
}

const daysSql = `select ledger_code as "ledgerCode", product_id as "productId", currency,
    accounting_date::text as day, is_year_end as "isYearEnd",
    debit_minor::text as debit, credit_minor::text as credit
  from general_ledger.daily_total where accounting_date between $1 and $2
  order by 1, 2, 3, 4, 5`

/** Reads what was booked on each of a range of days, in all currencies. */
export async function readDayTotals(
  { bank }: Context,
  from: LocalDate,
  to: LocalDate,
): Promise<DayTotals[]> {
  const rows = await readRows<DayRow>(bank, daysSql, [from, to])
  return rows.map(({ ledgerCode, productId, currency, day, isYearEnd, debit, credit }) => ({
    ledgerCode,
    productId,
    currency,
    day,
    isYearEnd,
    debitMinor: BigInt(debit),
    creditMinor: BigInt(credit),
  }))
}

/** Returns the writes that store the balances with which a period is closed for the nth time. */
export function insertClosingBalances(
  periodId: string,
  closing: number,
  totals: readonly KeyTotals[],
  mapping: Mapping,
): Write[] {
  const rows = totals.map((key) => ({
    accounting_period_id: periodId,
    closing,
    ledger_code: key.ledgerCode,
    product_id: key.productId,
    currency: key.currency,
    account_number: mapping.accountOf(key, firstDayOf(periodId)) ?? unmapped,
    opening_minor: key.openingMinor,
    debit_minor: key.debitMinor,
    credit_minor: key.creditMinor,
    closing_minor: key.openingMinor + key.debitMinor - key.creditMinor,
  }))
  return rows.length === 0 ? [] : [insert('general_ledger.closing_balance', ...rows)]
}
