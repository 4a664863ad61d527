/**
 * Whether a JavaScript number can represent a JSON number exactly. `JSON.parse` silently rounds
 * numbers with more than 15 to 17 significant digits, and turns numbers beyond about 1.8e308 into
 * Infinity.
 */
export function isExact(text: string): boolean {
  const value = Number(text)
  return Number.isFinite(value) && decimalOf(text) === decimalOf(String(value))
}

/**
 * Normalizes a decimal number to its significant digits and the exponent of the last digit, so that
 * equal numbers have equal texts.
 */
function decimalOf(text: string): string {
  const [, sign, integer, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${integer}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + digits.length - significant.length
  return `${sign}${significant}e${power}`
}
