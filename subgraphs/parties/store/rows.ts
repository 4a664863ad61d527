import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { update, type Row, type Write } from '../../../kernel/writing/writes.ts'

/** Converts the value of a `date` column to a calendar date. */
export function dateColumn(value: Date | null): LocalDate | null {
  return value && dateOf(value)
}

/** Returns the write that updates the columns in which two versions of a row differ. */
export function updateChanged(
  table: string,
  key: string,
  before: Row,
  after: Row,
  version: number,
): Write {
  const { version: _, ...columns } = after
  const changedColumns = Object.entries(columns).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return update(table, { [key]: after[key] }, version, Object.fromEntries(changedColumns))
}
