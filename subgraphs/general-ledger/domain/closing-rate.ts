import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { valueOf, type Rate, type Valuation } from './position.ts'

/** How many days a closing rate may be older than the day that it is for: a long weekend. */
const maxRateAgeDays = 4

/** The newest rate between two currencies at the end of a day. */
export interface ClosingRate extends Rate {
  exchangeRateId: string
  asOf: Date
}

/** A currency on a day. */
export interface CurrencyDay {
  currency: string
  day: LocalDate
}

/** The closing rates of other currencies in the functional currency. */
export class ClosingRates {
  readonly functionalCurrency: string
  readonly #rates: ReadonlyMap<string, ClosingRate>

  constructor(
    functionalCurrency: string,
    rates: readonly (CurrencyDay & { closingRate: ClosingRate })[],
  ) {
    this.functionalCurrency = functionalCurrency
    this.#rates = new Map(
      rates.map(({ currency, day, closingRate }) => [`${currency} ${day}`, closingRate]),
    )
  }

  /**
   * Returns the closing rate of a currency. Throws CLOSING_RATE_MISSING if there is none, or only one
   * that is more than four days older than the day.
   */
  rateOf({ currency, day }: CurrencyDay): ClosingRate {
    const found = this.#rates.get(`${currency} ${day}`)
    if (found && dateOf(found.asOf) >= addDays(day, -maxRateAgeDays)) return found
    const pair = `${currency}/${this.functionalCurrency}`
    const what = found
      ? `The newest exchange rate for ${pair} at the end of ${day} is as of ${dateOf(found.asOf)}; it must be at most ${maxRateAgeDays} days old.`
      : `There is no exchange rate for ${pair} at the end of ${day}.`
    const detail = `${what} Load the rate of this day.`
    throw new Problem('CLOSING_RATE_MISSING', { detail, resourceId: currency })
  }

  /**
   * Values an amount at the closing rate of a day, in minor units of the functional currency. Throws
   * CLOSING_RATE_MISSING.
   */
  valueOf(amountMinor: bigint, at: CurrencyDay): Valuation {
    if (at.currency === this.functionalCurrency) return { rate: '1', valueMinor: amountMinor }
    return valueOf(amountMinor, at.currency, this.functionalCurrency, this.rateOf(at))
  }
}
