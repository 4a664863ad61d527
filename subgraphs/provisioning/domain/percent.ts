/**
 * 100 %, in the unit in which percentages are calculated: a ten-thousandth of a percent. A
 * percentage has at most four decimals, so that its value in this unit is exact.
 */
export const wholePercent = 1_000_000n

const pattern = /^(-?)(\d{1,6})(?:\.(\d{1,4}))?$/

/**
 * Returns a percentage such as `12.5` in ten-thousandths of a percent; null if the text is not a
 * number with at most four decimals.
 */
export function parsePercent(text: string): bigint | null {
  const [, sign, whole, fraction = ''] = pattern.exec(text) ?? []
  if (whole === undefined) return null
  const units = BigInt(whole + fraction.padEnd(4, '0'))
  return sign ? -units : units
}

/** Returns a percentage, in ten-thousandths of a percent and not negative, with four decimals. */
export function formatPercent(units: bigint): string {
  const digits = units.toString().padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`
}
