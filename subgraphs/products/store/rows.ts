import type { Prisma } from '../../../prisma/client/client.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Money } from '../../_kernel/domain/money.ts'

/** A column of type date, as a calendar date. */
export function dateColumn(value: Date | null): LocalDate | null {
  return value && dateOf(value)
}

/** A numeric column, as a decimal string without trailing zeros. */
export function decimalColumn(value: Prisma.Decimal | null): string | null {
  return value && value.toFixed()
}

/** Money in a JSON column: minor units as text, because JSON has no big integers. */
export interface MoneyInJson {
  amountMinor: string
  currency: string
}

export function moneyFromJson({ amountMinor, currency }: MoneyInJson): Money {
  return { amountMinor: BigInt(amountMinor), currency }
}

export function moneyToJson({ amountMinor, currency }: Money): MoneyInJson {
  return { amountMinor: amountMinor.toString(), currency }
}
