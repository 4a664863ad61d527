import { Problem } from '../../_kernel/domain/problem.ts'

/** One percent. Percentages are exact: a decimal of the graph has at most ten digits after the point. */
const onePercent = 10n ** 10n

export const hundredPercent = 100n * onePercent

/** The percentage a decimal text names, in units of 10⁻¹⁰ percent. */
export function percentOf(text: string): bigint {
  const [whole, fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole!) * onePercent + BigInt(fraction.padEnd(10, '0'))
  return text.startsWith('-') ? -units : units
}

/** Refuses with VALIDATION_FAILED what is not from `least` to 100 percent. */
export function requirePercent(text: string, pointer: string, least: 'none' | 'some'): string {
  const units = percentOf(text)
  const isTooSmall = least === 'some' ? units <= 0n : units < 0n
  if (!isTooSmall && units <= hundredPercent) return text
  const detail = least === 'some' ? 'More than 0, at most 100.' : 'From 0 to 100.'
  throw new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ pointer, code: 'PERCENTAGE_OUT_OF_RANGE', detail }],
  })
}

/** So many percent of an amount that is not negative, in minor units; what is left over is dropped. */
export function shareDown(amountMinor: bigint, percent: bigint): bigint {
  return (amountMinor * percent) / hundredPercent
}

/** So many percent of an amount that is not negative, in minor units, rounded up. */
export function shareUp(amountMinor: bigint, percent: bigint): bigint {
  return (amountMinor * percent + hundredPercent - 1n) / hundredPercent
}
