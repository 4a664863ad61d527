import type { Prisma } from '../../../prisma/client/client.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { ResultBalance } from '../domain/journal-entry.ts'
import { journalEntryEvents, type JournalEntryEvent } from '../events.ts'
import type {
  JournalEntry,
  JournalEntryKind,
  JournalEntryState,
  StoredLine,
} from '../model/journal-entry.ts'

export const journalEntries = tableOf<JournalEntry, Prisma.JournalEntryGetPayload<object>>(
  'general_ledger.journal_entry',
  'journalEntryId',
  ({ db }) => db.journalEntry,
  (row) => ({
    ...row,
    kind: row.kind as JournalEntryKind,
    state: row.state as JournalEntryState,
    accountingDate: dateOf(row.accountingDate),
    lines: (
      row.lines as unknown as (Omit<StoredLine, 'amountMinor'> & { amountMinor: string })[]
    ).map((line) => ({ ...line, amountMinor: BigInt(line.amountMinor) })),
  }),
)

export const journalEntryKind: RecordKind<JournalEntry, JournalEntryEvent> = {
  ...journalEntries,
  ...journalEntryEvents,
  id: 'journalEntry',
  notFound: 'JOURNAL_ENTRY_NOT_FOUND',
  created: 'general-ledger.journal-entry.proposed',
  ownersOf: () => [],
  isPublished: false,
}

const existingSql =
  'select account_id as "accountId" from ledger.account where account_id = any($1)'

/** Returns those of some ledger accounts that are open. */
export async function readOpenAccounts(
  { bank }: Context,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await readRows<{ accountId: string }>(bank, existingSql, [ids])
  return new Set(rows.map(({ accountId }) => accountId))
}

interface ResultRow {
  ledgerAccountId: string
  ledgerCode: string
  currency: string
  balance: string
  [column: string]: unknown
}

const resultSql = `select a.account_id as "ledgerAccountId", a.code as "ledgerCode", e.currency,
    sum(case e.side when 'debit' then e.amount else -e.amount end)::text as balance
  from general_ledger.dated_posting d join ledger.entry e using (posting_instruction_id)
  join ledger.account a using (account_id)
  where a.type in ('income', 'expense') and e.phase = 'committed' and d.accounting_date <= $1
  group by 1, 2, 3 order by 1, 3`

/**
 * Reads the balance of each ledger account of income or expenses at the end of a day; a debit
 * balance is positive.
 */
export async function readResultBalances(
  { bank }: Context,
  day: LocalDate,
): Promise<(Omit<ResultBalance, 'accountNumber'> & { ledgerCode: string })[]> {
  const rows = await readRows<ResultRow>(bank, resultSql, [day])
  return rows.map(({ ledgerAccountId, ledgerCode, currency, balance }) => ({
    ledgerAccountId,
    ledgerCode,
    currency,
    balanceMinor: BigInt(balance),
  }))
}
