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
  const price = baseCurrency === currency ? new Decimal(rate) : new Decimal(1).div(rate)
  const shift = minorDigits(reportingCurrency) - minorDigits(currency)
  const minor = new Decimal(amountMinor.toString()).mul(price).mul(new Decimal(10).pow(shift))
  return {
    rate: price.toDecimalPlaces(10, Decimal.ROUND_HALF_UP).toFixed(),
    valueMinor: BigInt(minor.toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed()),
  }
}
