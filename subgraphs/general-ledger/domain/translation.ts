import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Chart } from './chart.ts'
import type { ClosingRates } from './closing-rate.ts'
import type { Mapping } from './mapping.ts'
import { balanceSheetsOf, type BalanceSheetTotals, type KeyBalance } from './reports.ts'

/** A balance sheet of all currencies in the functional currency, in minor units. */
export interface TranslatedTotals extends BalanceSheetTotals {
  /** What the rounding of the translated balances adds up to. */
  roundingDifferenceMinor: bigint
  /** Whether debits equal credits in each currency, so that only rounding remains. */
  isBalanced: boolean
}

/** Returns the other currencies in which there are balances, in order. */
export function currenciesToTranslate(
  balances: readonly KeyBalance[],
  functionalCurrency: string,
): string[] {
  const currencies = balances
    .filter(({ currency, balanceMinor }) => currency !== functionalCurrency && balanceMinor !== 0n)
    .map(({ currency }) => currency)
  return [...new Set(currencies)].sort()
}

/**
 * Translates the balances of all currencies at the closing rates of a day and returns their balance
 * sheet. Each balance is rounded, and totals add rounded balances. Throws CLOSING_RATE_MISSING.
 */
export function translatedBalanceSheetOf(
  balances: readonly KeyBalance[],
  mapping: Mapping,
  chart: Chart,
  rates: ClosingRates,
  day: LocalDate,
): TranslatedTotals {
  const { functionalCurrency } = rates
  const translated = balances
    .filter(({ balanceMinor }) => balanceMinor !== 0n)
    .map((balance) => ({
      ...balance,
      currency: functionalCurrency,
      balanceMinor: rates.valueOf(balance.balanceMinor, { currency: balance.currency, day })
        .valueMinor,
    }))
  const [sheet] = balanceSheetsOf(translated, mapping, chart)
  const sums = new Map<string, bigint>()
  for (const { currency, balanceMinor } of balances) {
    sums.set(currency, (sums.get(currency) ?? 0n) + balanceMinor)
  }
  return {
    ...(sheet ?? { ...empty, currency: functionalCurrency }),
    roundingDifferenceMinor: translated.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n),
    isBalanced: [...sums.values()].every((minor) => minor === 0n),
  }
}

const empty: Omit<BalanceSheetTotals, 'currency'> = {
  lines: [],
  assetsMinor: 0n,
  liabilitiesMinor: 0n,
  equityMinor: 0n,
  resultMinor: 0n,
  unmappedMinor: 0n,
}
