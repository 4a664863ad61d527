import { Problem } from './problem.ts'

/** An amount in the currency's smallest unit (cents for EUR, yen for JPY). A `number` is never money. */
export interface Money {
  amountMinor: bigint
  currency: string
}

/** ISO 4217 minor-unit exponents that are not 2. */
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

/** Whether the text is an ISO 4217 code, in capitals. */
export function isCurrency(text: string): boolean {
  return currencies.has(text) || exponentOf.has(text)
}

/** Decimal digits of the currency's minor unit: EUR 2, JPY 0, KWD 3. */
export function minorDigits(currency: string): number {
  return exponentOf.get(currency) ?? 2
}

/** What fits into a column of whole numbers, with room to add another. */
const mostMinor = 4n * 10n ** 18n

/**
 * Minor units of a decimal string such as `1250.00`.
 * Refuses with VALIDATION_FAILED what is no decimal of at most 15 whole digits, has more decimals
 * than the currency, or comes to more than can be kept.
 */
export function parseAmount(text: string, currency: string, pointer = '/amount'): bigint {
  const refuse = (detail: string) =>
    new Problem('VALIDATION_FAILED', {
      detail,
      errors: [{ pointer, code: 'INVALID_AMOUNT', detail }],
    })
  const parts = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/.exec(text)
  if (!parts) throw refuse(`"${text.slice(0, 40)}" is not a decimal amount such as "1250.00".`)
  const digits = minorDigits(currency)
  const fraction = parts[3] ?? ''
  if (fraction.length > digits) {
    throw refuse(`${currency} has ${digits} decimals, the amount has ${fraction.length}.`)
  }
  const minor = BigInt(parts[2] + fraction.padEnd(digits, '0'))
  if (minor >= mostMinor) throw refuse(`${text} ${currency} is more than any amount.`)
  return parts[1] ? -minor : minor
}

/** The decimal string of an amount, with exactly the currency's decimals. */
export function formatAmount(amountMinor: bigint, currency: string): string {
  const digits = minorDigits(currency)
  const sign = amountMinor < 0n ? '-' : ''
  const text = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(digits + 1, '0')
  if (digits === 0) return sign + text
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * Splits an amount by weights so that the parts add up to the whole (largest remainder).
 * The weights are not negative and not all zero.
 */
export function allocate(amountMinor: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total <= 0n) throw new RangeError('allocate needs a positive weight.')
  const sign = amountMinor < 0n ? -1n : 1n
  const whole = amountMinor * sign
  const parts = weights.map((weight) => (whole * weight) / total)
  const remainders = weights.map((weight, index) => ({ index, rest: (whole * weight) % total }))
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const left = Number(whole - parts.reduce((sum, part) => sum + part, 0n))
  for (const { index } of remainders.slice(0, left)) parts[index]! += 1n
  return parts.map((part) => part * sign)
}
