import { Problem } from './problems.ts'

/**
 * One percent, in units of 10⁻¹⁰ percent. Percentages are exact, because a Decimal has at most ten
 * digits after the decimal point.
 */
const onePercent = 10n ** 10n

export const hundredPercent = 100n * onePercent

/** Converts a percentage from a decimal string to units of 10⁻¹⁰ percent. */
export function percentOf(text: string): bigint {
  const [whole, fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole!) * onePercent + BigInt(fraction.padEnd(10, '0'))
  return text.startsWith('-') ? -units : units
}

/**
 * Checks a percentage and returns it. It must be at most 100. If `least` is `none`, it must be at
 * least 0; if `least` is `some`, it must be greater than 0. Throws VALIDATION_FAILED.
 */
export function requirePercent(text: string, pointer: string, least: 'none' | 'some'): string {
  const units = percentOf(text)
  const isTooSmall = least === 'some' ? units <= 0n : units < 0n
  if (!isTooSmall && units <= hundredPercent) return text
  const range = least === 'some' ? 'greater than 0 and at most 100' : 'from 0 to 100'
  const detail = `The percentage is ${text}; it must be ${range}.`
  throw new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ pointer, code: 'PERCENTAGE_OUT_OF_RANGE', detail }],
  })
}

/** Returns a percentage of a non-negative amount in minor units, rounded down. */
export function shareDown(amountMinor: bigint, percent: bigint): bigint {
  return (amountMinor * percent) / hundredPercent
}

/** Returns a percentage of a non-negative amount in minor units, rounded up. */
export function shareUp(amountMinor: bigint, percent: bigint): bigint {
  return (amountMinor * percent + hundredPercent - 1n) / hundredPercent
}
