import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'

/** Converts the value of a `date` column to a calendar date. */
export function dateColumn(value: Date | null): LocalDate | null {
  return value && dateOf(value)
}

/** Returns the owners of a party, a customer or an agreement: the party. */
export const ownersOf = ({ partyId }: { partyId: string }): string[] => [partyId]
