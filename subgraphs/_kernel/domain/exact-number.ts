/**
 * Whether JavaScript has the number that a JSON number says. It has no larger than about 1.8e308, and
 * of most only 15 to 17 significant digits; JSON.parse replaces others with a neighbor, silently.
 */
export function isExact(text: string): boolean {
  const value = Number(text)
  return Number.isFinite(value) && decimalOf(text) === decimalOf(String(value))
}

/** A decimal number as its significant digits and the power of ten of the last one: one text per number. */
function decimalOf(text: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + digits.length - significant.length
  return `${sign}${significant}e${power}`
}
