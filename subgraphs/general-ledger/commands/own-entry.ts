import type { Context } from '../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import type { Leg } from '../../../ledger/domain/balance.ts'
import type { JournalEntry } from '../model/journal-entry.ts'
import { journalEntryKind } from '../store/journal-entry.ts'
import { bookEntry } from './booking.ts'

/** What an entry of the general ledger itself consists of. Its figures follow from the books. */
export type OwnEntryTerms = Pick<JournalEntry, 'kind' | 'accountingDate' | 'description' | 'lines'>

/** A posted journal entry, for the commit that makes it. */
export interface OwnEntry {
  journalEntryId: string
  writes: Write[]
  events: DomainEvent[]
}

/**
 * Books a journal entry of the general ledger itself, which one person starts and nobody approves.
 * Throws the problem of the ledger if it rejects the posting.
 */
export async function bookOwnEntry(
  context: Context,
  terms: OwnEntryTerms,
  legs?: readonly Leg[],
): Promise<OwnEntry> {
  const journalEntryId = context.newId('journalEntry')
  const booked = await bookEntry(context, { ...terms, journalEntryId }, legs)
  const { postingInstructionId } = booked.records[0]!
  const { writes, events } = postedEntry(context, terms, postingInstructionId, journalEntryId)
  return {
    journalEntryId,
    writes: [...booked.writes, ...writes],
    events: [...booked.events, ...events],
  }
}

/** Returns what stores a journal entry of the general ledger itself that a posting has booked. */
export function postedEntry(
  context: Context,
  terms: OwnEntryTerms,
  postingInstructionId: string,
  journalEntryId = context.newId('journalEntry'),
): OwnEntry {
  const now = context.now()
  const entry: JournalEntry = {
    ...terms,
    journalEntryId,
    state: 'posted',
    proposedBy: context.caller.subject,
    decidedBy: context.caller.subject,
    decidedAt: now,
    postingInstructionId,
    contentHash: '',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const event = 'general-ledger.journal-entry.posted'
  const { events } = publicationOf(journalEntryKind, entry, event)
  return { journalEntryId, writes: [journalEntryKind.insert(entry)], events }
}
