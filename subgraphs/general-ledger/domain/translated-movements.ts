import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Chart } from './chart.ts'
import type { ClosingRates, CurrencyDay } from './closing-rate.ts'
import type { LedgerKey, Mapping } from './mapping.ts'
import {
  profitAndLossOf,
  trialBalanceOf,
  type AccountTotals,
  type KeyBalance,
  type KeyTotals,
  type ProfitAndLossTotals,
} from './reports.ts'

/** What was booked on the ledger accounts with the same code, product and currency on a day. */
export interface DayTotals extends LedgerKey {
  currency: string
  day: LocalDate
  /** Whether a year-end entry booked it. */
  isYearEnd: boolean
  debitMinor: bigint
  creditMinor: bigint
}

/** A profit and loss statement of all currencies in the functional currency, in minor units. */
export interface TranslatedProfitAndLossTotals extends ProfitAndLossTotals {
  /** The result at the closing rates of the last day, less the result at the rates of the days. */
  translationDifferenceMinor: bigint
}

/** Returns the rates at which movements are translated: those of the days on which they are shown. */
export function ratesForMovements(movements: readonly DayTotals[]): CurrencyDay[] {
  return movements.map(({ currency, day }) => ({ currency, day }))
}

/** Returns the movements of income and expenses, without year-end entries. */
export function incomeAndExpensesOf(
  movements: readonly DayTotals[],
  mapping: Mapping,
  chart: Chart,
): DayTotals[] {
  return movements.filter((each) => {
    const type = chart.get(mapping.accountOf(each, each.day) ?? '')?.type
    return !each.isYearEnd && (type === 'income' || type === 'expense')
  })
}

/** Returns the balances that openings have after movements, in their own currencies. */
export function balancesAfter(
  openings: readonly KeyBalance[],
  movements: readonly DayTotals[],
  day: LocalDate,
): KeyBalance[] {
  const balances = new Map<string, KeyBalance>()
  const add = ({ ledgerCode, productId, currency }: KeyBalance | DayTotals, minor: bigint) => {
    const key = keyOf({ ledgerCode, productId, currency })
    const before = balances.get(key)?.balanceMinor ?? 0n
    balances.set(key, { ledgerCode, productId, currency, balanceMinor: before + minor, day })
  }
  for (const opening of openings) add(opening, opening.balanceMinor)
  for (const each of movements) add(each, each.debitMinor - each.creditMinor)
  return [...balances.values()]
}

const keyOf = ({ ledgerCode, productId, currency }: LedgerKey & { currency: string }) =>
  JSON.stringify([ledgerCode, productId, currency])

/**
 * Returns the trial balance of a period in the functional currency. Opening balances have the closing
 * rates of the day before, movements those of their days, and closing balances those of the last day
 * (IAS 21.21 and 21.23); what the rates changed in between is the translation difference. So each
 * opening balance is the closing balance of the period before. Throws CLOSING_RATE_MISSING.
 */
export function translatedTrialBalanceOf(
  openings: readonly KeyBalance[],
  movements: readonly DayTotals[],
  { mapping, rates }: { mapping: Mapping; rates: ClosingRates },
  days: { first: LocalDate; before: LocalDate; last: LocalDate },
): AccountTotals[] {
  const { functionalCurrency } = rates
  const totals = new Map<string, KeyTotals>()
  for (const balance of balancesAfter(openings, movements, days.last)) {
    totals.set(keyOf(balance), {
      ...balance,
      openingMinor: 0n,
      debitMinor: 0n,
      creditMinor: 0n,
      translationDifferenceMinor: valueAt(rates, balance.balanceMinor, balance),
    })
  }
  for (const opening of openings) {
    const openingMinor = valueAt(rates, opening.balanceMinor, opening)
    const total = totals.get(keyOf(opening))!
    total.openingMinor += openingMinor
    total.translationDifferenceMinor! -= openingMinor
  }
  for (const movement of movements) {
    const { debitMinor, creditMinor } = translated(movement, rates)
    const total = totals.get(keyOf(movement))!
    total.debitMinor += debitMinor
    total.creditMinor += creditMinor
    total.translationDifferenceMinor! -= debitMinor - creditMinor
  }
  const keys = [...totals.values()].map((total) => ({ ...total, currency: functionalCurrency }))
  return trialBalanceOf(keys, mapping, days.first, days.before)[0]?.accounts ?? []
}

/**
 * Returns the income and the expenses of days in the functional currency, at the rates of these days.
 * `movements` are those of income and expenses. The amounts are those of the trial balance of the same
 * days. Result + translation difference is what the balance sheet of the last day has as the result of
 * these days. Throws CLOSING_RATE_MISSING.
 */
export function translatedProfitAndLossOf(
  movements: readonly DayTotals[],
  { mapping, chart, rates }: { mapping: Mapping; chart: Chart; rates: ClosingRates },
  lastDay: LocalDate,
): TranslatedProfitAndLossTotals {
  const { functionalCurrency: currency } = rates
  const balances = movements.map((movement) => {
    const { debitMinor, creditMinor } = translated(movement, rates)
    return { ...movement, currency, balanceMinor: debitMinor - creditMinor }
  })
  const statement = profitAndLossOf(balances, mapping, chart)[0] ?? { ...empty, currency }
  const closingMinor = balancesAfter([], movements, lastDay).reduce(
    (sum, balance) => sum - valueAt(rates, balance.balanceMinor, balance),
    0n,
  )
  return { ...statement, translationDifferenceMinor: closingMinor - statement.resultMinor }
}

const empty = { lines: [], incomeMinor: 0n, expensesMinor: 0n, resultMinor: 0n }

/** Translates the debits and the credits apart, so that reports that add them round alike. */
function translated(movement: DayTotals, rates: ClosingRates) {
  return {
    debitMinor: valueAt(rates, movement.debitMinor, movement),
    creditMinor: valueAt(rates, movement.creditMinor, movement),
  }
}

/** Values an amount at a closing rate. Zero needs no rate. */
function valueAt(rates: ClosingRates, minor: bigint, at: CurrencyDay): bigint {
  return minor === 0n ? 0n : rates.valueOf(minor, at).valueMinor
}
