import { Problem } from './problem.ts'

/**
 * An amount in minor units of the currency, such as cents for EUR or yen for JPY. Amounts are
 * bigint, never `number`, which would round large amounts.
 */
export interface Money {
  amountMinor: bigint
  currency: string
}

/** The currencies that do not have two minor-unit digits in ISO 4217, by their number of digits. */
const exponents: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
const exponentOf = new Map(
  Object.entries(exponents).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
)
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Whether the text is an ISO 4217 currency code in uppercase. */
export function isCurrency(text: string): boolean {
  return currencies.has(text) || exponentOf.has(text)
}

/** Returns the number of decimal places of a currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return exponentOf.get(currency) ?? 2
}

/**
 * The exclusive upper bound of an amount. The sum of two such amounts still fits in a PostgreSQL
 * bigint.
 */
const maxMinor = 4n * 10n ** 18n

/**
 * Converts a decimal string such as `1250.00` to minor units. Throws VALIDATION_FAILED if the text
 * is not a decimal number with at most 15 digits before the decimal point, has more decimals than
 * the currency, or exceeds the maximum amount.
 */
export function parseAmount(text: string, currency: string, pointer = '/amount'): bigint {
  const invalidAmount = (detail: string) =>
    new Problem('VALIDATION_FAILED', {
      detail,
      errors: [{ pointer, code: 'INVALID_AMOUNT', detail }],
    })
  const parts = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/.exec(text)
  if (!parts)
    throw invalidAmount(`"${text.slice(0, 40)}" is not a decimal amount such as "1250.00".`)
  const digits = minorDigits(currency)
  const fraction = parts[3] ?? ''
  if (fraction.length > digits) {
    throw invalidAmount(`${currency} has ${digits} decimals; the amount has ${fraction.length}.`)
  }
  const minor = BigInt(parts[2] + fraction.padEnd(digits, '0'))
  if (minor >= maxMinor) throw invalidAmount(`${text} ${currency} exceeds the maximum amount.`)
  return parts[1] ? -minor : minor
}

/** Formats an amount in minor units as a decimal string with all decimal places of the currency. */
export function formatAmount(amountMinor: bigint, currency: string): string {
  const digits = minorDigits(currency)
  const sign = amountMinor < 0n ? '-' : ''
  const text = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(digits + 1, '0')
  if (digits === 0) return sign + text
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * Splits an amount in proportion to weights (largest remainder method), so that the parts add up to
 * the amount. Weights must not be negative. Throws RangeError unless their sum is positive.
 */
export function allocate(amountMinor: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total <= 0n) throw new RangeError('allocate needs a positive weight.')
  const sign = amountMinor < 0n ? -1n : 1n
  const magnitude = amountMinor * sign
  const parts = weights.map((weight) => (magnitude * weight) / total)
  const remainders = weights.map((weight, index) => ({ index, rest: (magnitude * weight) % total }))
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const leftOver = Number(magnitude - parts.reduce((sum, part) => sum + part, 0n))
  for (const { index } of remainders.slice(0, leftOver)) parts[index]! += 1n
  return parts.map((part) => part * sign)
}

/**
 * An amount in a request. A null currency means the currency of the record that the amount is for.
 */
export interface AmountSent {
  amount: string
  currency: string | null
}

/** Converts an amount for JSON: minor units are a string. */
export function moneyToJson(money: Money | null) {
  return money && { ...money, amountMinor: money.amountMinor.toString() }
}

/** Converts the result of `moneyToJson` back to an amount. */
export function moneyFromJson(money: { amountMinor: bigint | string; currency: string } | null) {
  return money && { ...money, amountMinor: BigInt(money.amountMinor) }
}
