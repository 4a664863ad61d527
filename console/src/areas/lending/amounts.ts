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
