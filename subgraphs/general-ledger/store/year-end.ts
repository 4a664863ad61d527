import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { JournalEntry } from '../model/journal-entry.ts'
import { journalEntries } from './journal-entry.ts'

const idsSql = `select j.journal_entry_id as "journalEntryId" from general_ledger.journal_entry j
  where j.kind = 'year-end' and j.state = 'posted' and j.accounting_date between $1 and $2
    and not exists (select from ledger.posting_instruction p
      where p.reverses_id = j.posting_instruction_id and p.status = 'accepted')
  order by j.created_at, j.journal_entry_id`

/** Finds the year-end entries of a range of days that are not reversed, oldest first. */
export async function findYearEndEntries(
  context: Context,
  from: LocalDate,
  to: LocalDate,
): Promise<JournalEntry[]> {
  const rows = await readRows<{ journalEntryId: string }>(context.bank, idsSql, [from, to])
  const found = await journalEntries.loadMany(
    context,
    rows.map(({ journalEntryId }) => journalEntryId),
  )
  return found.filter((entry) => entry !== null)
}
