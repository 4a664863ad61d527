import { bankCaller } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  decideOpeningAndBooking,
  requireBooked,
  type BookingDecision,
  type NewAccount,
} from '../../../ledger/book.ts'
import type { Leg } from '../../../ledger/domain/balance.ts'
import { pastValueDate } from '../../../ledger/domain/posting.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import { requireAccount } from '../domain/chart.ts'
import { legsOf } from '../domain/journal-entry.ts'
import { ownCode } from '../domain/mapping.ts'
import type { JournalEntry, StoredLine } from '../model/journal-entry.ts'
import { readChart } from '../store/account.ts'
import { readOpenAccounts } from '../store/journal-entry.ts'

/**
 * Books the lines of a journal entry as the bank, and opens the own ledger accounts that they need. `legs`
 * are the lines, or the lines divided further.
 * The rights of the caller must have been checked. Throws the problem of the ledger if it rejects
 * the posting.
 */
export async function bookEntry(
  context: Context,
  entry: Pick<JournalEntry, 'lines' | 'accountingDate' | 'journalEntryId' | 'description'>,
  legs: readonly Leg[] = legsOf(entry.lines),
): Promise<BookingDecision> {
  const { lines, accountingDate, journalEntryId, description } = entry
  const terms = {
    ...termsAt(context.now()),
    valueDate: pastValueDate(accountingDate, context.now()),
  }
  const posting = {
    instruction: { ...terms, type: 'custom' as const, legs },
    narrative: {
      ...noNarrative,
      remittanceInformation: description,
      metadata: { journalEntryId },
    },
  }
  const asBank = { ...context, caller: bankCaller }
  const booked = await decideOpeningAndBooking(asBank, await newAccountsOf(context, lines), [
    posting,
  ])
  requireBooked(booked)
  return booked
}

async function newAccountsOf(
  context: Context,
  lines: readonly StoredLine[],
): Promise<NewAccount[]> {
  const own = new Map(
    lines
      .filter(({ ledgerAccountId }) => ledgerAccountId.startsWith('gl+'))
      .map((line) => [line.ledgerAccountId, line]),
  )
  const [open, chart] = await Promise.all([
    readOpenAccounts(context, [...own.keys()]),
    readChart(context),
  ])
  return [...own.values()]
    .filter(({ ledgerAccountId }) => !open.has(ledgerAccountId))
    .map(({ ledgerAccountId, accountNumber, currency }) => ({
      accountId: ledgerAccountId,
      code: ownCode(accountNumber),
      arrangementId: null,
      partyId: null,
      type: requireAccount(chart, accountNumber).type,
      currency,
      policy: 'unguarded',
    }))
}
