import type { MoneyValue } from '../../parts/format.ts'

/** Returns the difference of two amounts in the same currency, exactly: `10.00`, `12.50` → `-2.50`. */
export function difference(amount: MoneyValue, subtracted: MoneyValue): MoneyValue {
  const digits = Math.max(fractionOf(amount.amount), fractionOf(subtracted.amount))
  const units = unitsOf(amount.amount, digits) - unitsOf(subtracted.amount, digits)
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0')
  const whole = digits ? text.slice(0, -digits) : text
  const fraction = digits ? `.${text.slice(-digits)}` : ''
  return { amount: `${units < 0n ? '-' : ''}${whole}${fraction}`, currency: amount.currency }
}

/** Returns which part of a whole an amount is, in percent from 0 to 100; for charts. */
export function percentOf(part: MoneyValue, whole: MoneyValue): number {
  const total = Number(whole.amount)
  return total > 0 ? Math.min(100, Math.max(0, (Number(part.amount) / total) * 100)) : 0
}

const fractionOf = (amount: string) => amount.split('.')[1]?.length ?? 0

function unitsOf(amount: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(digits, '0'))
}

/** Matches an amount as people type it, such as `1200` or `12.50`. */
const typedAmount = /^\d+([.,]\d+)?$/

/** Returns whether a text is an amount that a person may type. */
export const isAmount = (text: string): boolean =>
  typedAmount.test(text.trim()) && Number(text.trim().replace(',', '.')) > 0

/** Returns an amount that a person typed in the form that the graph expects. */
export const amountOf = (text: string): string => text.trim().replace(',', '.')
