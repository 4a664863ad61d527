import type { Prisma } from '../../../prisma/client/client.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { ResultBalance } from '../domain/journal-entry.ts'
import { ledgerAccountIdOf } from '../domain/mapping.ts'
import { journalEntryEvents, type JournalEntryEvent } from '../events.ts'
import type {
  JournalEntry,
  JournalEntryKind,
  JournalEntryState,
  StoredLine,
} from '../model/journal-entry.ts'
import { readBalances } from './totals.ts'

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

const resultAccountsSql = `select account_id as "ledgerAccountId" from ledger.account
  where account_id = any($1) and type in ('income', 'expense') order by account_id`

/**
 * Reads the balance of each ledger account of income or expenses at the end of a day; a debit
 * balance is positive. Postings that are not dated yet are not in it.
 */
export async function readResultBalances(
  context: Context,
  day: LocalDate,
): Promise<(Omit<ResultBalance, 'accountNumber'> & { ledgerCode: string })[]> {
  // Each code of income or expenses has one ledger account in a currency.
  const byAccount = new Map(
    (await readBalances(context, day)).map(({ ledgerCode, currency, balanceMinor }) => [
      ledgerAccountIdOf(ledgerCode, currency),
      { ledgerCode, currency, balanceMinor },
    ]),
  )
  const ids = [...byAccount.keys()].filter((id) => id !== null)
  const rows = await readRows<{ ledgerAccountId: string }>(context.bank, resultAccountsSql, [ids])
  return rows.map(({ ledgerAccountId }) => ({
    ledgerAccountId,
    ...byAccount.get(ledgerAccountId)!,
  }))
}
