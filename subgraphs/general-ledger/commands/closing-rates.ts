import type { Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { ClosingRates, type CurrencyDay } from '../domain/closing-rate.ts'
import { ClosingRatesDocument } from '../queries.generated.ts'

/** How many days one query of rates may name. */
const maxDays = 366

/**
 * Reads the closing rates of currencies in the functional currency. A rate that is missing or too old
 * is reported when it is needed.
 */
export async function readClosingRates(
  context: Context,
  needed: readonly CurrencyDay[],
): Promise<ClosingRates> {
  const { functionalCurrency } = context.bank.config
  const daysOf = new Map<string, Set<LocalDate>>()
  for (const { currency, day } of needed) {
    if (currency === functionalCurrency) continue
    daysOf.set(currency, (daysOf.get(currency) ?? new Set()).add(day))
  }
  const rates = await Promise.all(
    [...daysOf].map(async ([currency, days]) => readRates(context, currency, [...days].sort())),
  )
  return new ClosingRates(functionalCurrency, rates.flat())
}

async function readRates({ bank }: Context, currency: string, days: readonly LocalDate[]) {
  const found = []
  for (let start = 0; start < days.length; start += maxDays) {
    const { closingRates } = await bank.queryGraph(ClosingRatesDocument, {
      baseCurrency: currency,
      quoteCurrency: bank.config.functionalCurrency,
      days: days.slice(start, start + maxDays),
    })
    found.push(...(closingRates ?? []))
  }
  return found.map(({ day, exchangeRate }) => ({
    currency,
    day,
    closingRate: { ...exchangeRate, asOf: new Date(exchangeRate.asOf) },
  }))
}
