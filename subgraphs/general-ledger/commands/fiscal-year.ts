import { bankCaller } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { decideBooking, requireBooked } from '../../../ledger/book.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import { retainedEarnings } from '../domain/default-chart.ts'
import { invalidInput } from '../domain/chart.ts'
import { yearEndLines } from '../domain/journal-entry.ts'
import { ownLedgerAccountId } from '../domain/mapping.ts'
import { lastDayOf, periodsOf, requireClosable, requireNotClosed } from '../domain/period.ts'
import { unmapped } from '../domain/reports.ts'
import { yearEndLegs } from '../domain/year-end.ts'
import type { JournalEntry } from '../model/journal-entry.ts'
import type { AccountingPeriod } from '../model/period.ts'
import { readBook, reviseBook } from '../store/book.ts'
import { readMapping } from '../store/mapping-rule.ts'
import { readResultBalances } from '../store/journal-entry.ts'
import { findYearEndEntries, readAttributedBalances } from '../store/year-end.ts'
import { dateCommittedPostings, requireEntriesDated } from './date-postings.ts'
import { bookOwnEntry, postedEntry } from './own-entry.ts'

/**
 * Transfers the income and the expenses of a fiscal year to retained earnings, by a posting on the
 * last day of the year. The periods before the last one must be closed, and the last one must not
 * be. A repeated call transfers only what was booked since. Returns the entries of the year that are
 * not reversed. Throws VALIDATION_FAILED, PERIOD_CLOSED, PERIOD_NOT_ENDED, EARLIER_PERIOD_NOT_CLOSED
 * and RESOURCE_BUSY.
 */
export async function closeFiscalYear(
  context: Context,
  fiscalYear: number,
): Promise<JournalEntry[]> {
  if (fiscalYear < 1900 || fiscalYear > 9998) {
    throw invalidInput('/fiscalYear', `The fiscal year is ${fiscalYear}.`)
  }
  const lastPeriod = periodsOf(fiscalYear).at(-1)!
  const lastDay = lastDayOf(lastPeriod)
  await dateCommittedPostings(context)
  await command(context, 'closeFiscalYear', { fiscalYear }, async () => {
    const book = await readBook(context)
    requireNotClosed(lastDay, book)
    requireClosable(lastPeriod, book, dateOf(context.now()))
    await requireEntriesDated(context)
    const [balances, mapping] = await Promise.all([
      readResultBalances(context, lastDay),
      readMapping(context),
    ])
    const lines = yearEndLines(
      balances.map(({ ledgerCode, ...balance }) => ({
        ...balance,
        accountNumber: mapping.accountOf({ ledgerCode, productId: '' }, lastDay) ?? unmapped,
      })),
      retainedEarnings,
    )
    if (lines.length === 0) return { result: null, resourceId: lastPeriod }
    const parts = await readAttributedBalances(context, lastDay, balances)
    const legs = yearEndLegs(lines, parts, (currency) =>
      ownLedgerAccountId(retainedEarnings, currency),
    )
    const description = `Transfer of the result of ${fiscalYear} to retained earnings`
    const terms = { kind: 'year-end', accountingDate: lastDay, description, lines } as const
    const entry = await bookOwnEntry(context, terms, legs)
    return {
      result: null,
      resourceId: entry.journalEntryId,
      retainsKey: true,
      writes: [...entry.writes, reviseBook(book, book.closedThrough)],
      events: entry.events,
    }
  })
  return findYearEndEntries(context, lastDay, lastDay)
}

/** What reverses the year-end entries of a period, for the commit that reopens the period. */
interface Reversal {
  writes: Write[]
  events: DomainEvent[]
}

/**
 * Decides the reversal of the year-end entries of a period that are not reversed yet. Throws the
 * problem of the ledger if it rejects the reversal.
 */
export async function reverseYearEnd(
  context: Context,
  { firstDay, lastDay }: AccountingPeriod,
  now: Date,
): Promise<Reversal> {
  const entries = await findYearEndEntries(context, firstDay, lastDay)
  if (entries.length === 0) return { writes: [], events: [] }
  const booked = await decideBooking(
    { ...context, caller: bankCaller },
    entries.map(({ postingInstructionId, journalEntryId }) => ({
      instruction: {
        ...termsAt(now),
        type: 'reversal' as const,
        reversesId: postingInstructionId!,
      },
      narrative: { ...noNarrative, metadata: { journalEntryId } },
    })),
  )
  requireBooked(booked)
  const reversals = entries.map(({ accountingDate, description, lines }, index) => {
    const text = `Reversal: ${description}`
    const opposite = lines.map((line) => ({
      ...line,
      side: line.side === 'debit' ? ('credit' as const) : ('debit' as const),
    }))
    const terms = {
      kind: 'year-end-reversal' as const,
      accountingDate,
      description: text,
      lines: opposite,
    }
    return postedEntry(context, terms, booked.records[index]!.postingInstructionId)
  })
  return {
    writes: [...booked.writes, ...reversals.flatMap(({ writes }) => writes)],
    events: [...booked.events, ...reversals.flatMap(({ events }) => events)],
  }
}
