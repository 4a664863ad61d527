import type { Prisma } from '../../../prisma/client/client.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Money } from '../../../kernel/domain/money.ts'

/** Converts a column of type `date` to a calendar date. */
export function dateColumn(value: Date | null): LocalDate | null {
  return value && dateOf(value)
}

/** Converts a numeric column to a decimal string without trailing zeros. */
export function decimalColumn(value: Prisma.Decimal | null): string | null {
  return value && value.toFixed()
}

/** Money in a JSON column. Minor units are text, because JSON has no big integers. */
export interface MoneyInJson {
  amountMinor: string
  currency: string
}

export function moneyFromJson({ amountMinor, currency }: MoneyInJson): Money {
  return { amountMinor: BigInt(amountMinor), currency }
}
