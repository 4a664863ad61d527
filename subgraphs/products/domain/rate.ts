import { Decimal } from 'decimal.js'
import { maxRateDecimals } from '../../../kernel/domain/deposit-interest.ts'

/** Whether a rate in percent is from -100 to 100 with not too many decimals. */
export function isRate(percent: string): boolean {
  const rate = new Decimal(percent)
  return rate.abs().lte(100) && rate.decimalPlaces() <= maxRateDecimals
}
