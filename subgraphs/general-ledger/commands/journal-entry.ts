import type { Context } from '../../../kernel/environment/context.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import {
  changeRecord,
  createRecord,
  versioned,
  type Decided,
} from '../../../kernel/writing/records.ts'
import { invalidInput } from '../domain/chart.ts'
import { linesFrom } from '../domain/journal-entry.ts'
import { requireNotClosed } from '../domain/period.ts'
import type {
  JournalEntry,
  JournalEntryState,
  ProposeJournalEntryInput,
} from '../model/journal-entry.ts'
import { readChart } from '../store/account.ts'
import { readBook, reviseBook } from '../store/book.ts'
import { journalEntryKind } from '../store/journal-entry.ts'
import { readMapping } from '../store/mapping-rule.ts'
import { bookEntry } from './booking.ts'

const transitions: Transitions<JournalEntryState> = {
  proposed: ['posted', 'rejected'],
  posted: [],
  rejected: [],
}

/**
 * Proposes a journal entry. Nothing is booked. Throws RESOURCE_EXISTS, PERIOD_CLOSED,
 * VALIDATION_FAILED, and what `linesFrom` throws.
 */
export function proposeJournalEntry(
  context: Context,
  input: ProposeJournalEntryInput,
): Promise<JournalEntry> {
  const { journalEntryId, accountingDate, description } = input
  const operation = 'proposeJournalEntry'
  return createRecord(
    context,
    journalEntryKind,
    operation,
    input,
    journalEntryId,
    async (stamp) => {
      const today = dateOf(stamp.now)
      if (accountingDate > today) {
        throw invalidInput('/accountingDate', `${accountingDate} is after today, ${today}.`)
      }
      const [chart, mapping, book] = await Promise.all([
        readChart(context),
        readMapping(context),
        readBook(context),
      ])
      requireNotClosed(accountingDate, book)
      return {
        record: {
          ...versioned(stamp),
          journalEntryId: stamp.id,
          kind: 'manual',
          state: 'proposed',
          accountingDate,
          description,
          lines: linesFrom(input.lines, chart, mapping, accountingDate),
          proposedBy: context.caller.subject,
          decidedBy: null,
          decidedAt: null,
          postingInstructionId: null,
        },
      }
    },
  )
}

/**
 * Books a proposed journal entry on its accounting date, whose period must not be closed. Throws
 * JOURNAL_ENTRY_NOT_FOUND, SEGREGATION_OF_DUTIES for the person who proposed it,
 * INVALID_STATE_TRANSITION, PERIOD_CLOSED, and what the ledger says about the posting.
 */
export function postJournalEntry(context: Context, journalEntryId: string): Promise<JournalEntry> {
  const event = 'general-ledger.journal-entry.posted'
  return decide(context, 'postJournalEntry', journalEntryId, event, 'posted', async (decided) => {
    const book = await readBook(context)
    requireNotClosed(decided.accountingDate, book)
    const { writes, events, records } = await bookEntry(context, decided)
    const { postingInstructionId } = records[0]!
    return {
      record: { ...decided, postingInstructionId },
      // The revision keeps the period from being closed meanwhile.
      writes: [...writes, reviseBook(book, book.closedThrough)],
      events,
      retainsKey: true,
    }
  })
}

/**
 * Rejects a proposed journal entry. Throws JOURNAL_ENTRY_NOT_FOUND, SEGREGATION_OF_DUTIES for the
 * person who proposed it, and INVALID_STATE_TRANSITION.
 */
export function rejectJournalEntry(
  context: Context,
  journalEntryId: string,
): Promise<JournalEntry> {
  const event = 'general-ledger.journal-entry.rejected'
  return decide(context, 'rejectJournalEntry', journalEntryId, event, 'rejected', (record) => ({
    record,
  }))
}

function decide(
  context: Context,
  operation: string,
  journalEntryId: string,
  event: 'general-ledger.journal-entry.posted' | 'general-ledger.journal-entry.rejected',
  state: 'posted' | 'rejected',
  apply: (decided: JournalEntry) => Decided<JournalEntry> | Promise<Decided<JournalEntry>>,
): Promise<JournalEntry> {
  const input = { journalEntryId }
  return changeRecord(
    context,
    journalEntryKind,
    operation,
    input,
    journalEntryId,
    event,
    async (before, now) => {
      const detail = 'The person who proposed a journal entry cannot decide on it.'
      const fourEyes = { resourceId: journalEntryId, detail }
      await requireAnotherPerson(context, [before.proposedBy], fourEyes)
      assertTransition(transitions, before.state, state, journalEntryId)
      return apply({ ...before, state, decidedBy: context.caller.subject, decidedAt: now })
    },
  )
}
