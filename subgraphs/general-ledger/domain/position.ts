import { Decimal } from 'decimal.js'
import { minorDigits } from '../../../kernel/domain/money.ts'

/** A rate between two currencies: the price of one unit of `baseCurrency` in the other. */
export interface Rate {
  baseCurrency: string
  rate: string
}

/** A position in another currency, valued at a rate. */
export interface Valuation {
  /** The value of one unit of the currency, with up to 10 decimals. */
  rate: string
  valueMinor: bigint
}

/** With this precision, a quotient that is not a tie never looks like one. */
const Exact = Decimal.clone({ precision: 60 })

/**
 * Values an amount in another currency. The value is rounded half away from zero to the minor unit
 * of that currency.
 */
export function valueOf(
  amountMinor: bigint,
  currency: string,
  reportingCurrency: string,
  { baseCurrency, rate }: Rate,
): Valuation {
  const shift = new Exact(10).pow(minorDigits(reportingCurrency) - minorDigits(currency))
  const amount = new Exact(amountMinor.toString()).mul(shift)
  const isBase = baseCurrency === currency
  const minor = isBase ? amount.mul(rate) : amount.div(rate)
  const price = isBase ? new Exact(rate) : new Exact(1).div(rate)
  return {
    rate: price.toDecimalPlaces(10, Decimal.ROUND_HALF_UP).toFixed(),
    valueMinor: BigInt(minor.toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed()),
  }
}
