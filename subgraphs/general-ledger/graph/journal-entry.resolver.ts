import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import {
  postJournalEntry,
  proposeJournalEntry,
  rejectJournalEntry,
} from '../commands/journal-entry.ts'
import {
  JournalEntry,
  JournalEntryLine,
  JournalEntryState,
  ProposeJournalEntryInput,
} from '../model/journal-entry.ts'
import { journalEntries } from '../store/journal-entry.ts'

const journalEntryId = id('The ID of the journal entry.')

/** Operations on journal entries. */
export const JournalEntryOperations = resolverOf({
  queries: {
    journalEntry: lookup(JournalEntry, {
      description: 'Returns a journal entry. Not available to delegated users.',
      scope: 'accounting:read',
      isForBankOnly: true,
      find: journalEntries.load,
    }),
    journalEntries: listing(JournalEntry, {
      description: 'Lists journal entries, oldest first. Not available to delegated users.',
      scope: 'accounting:read',
      isForBankOnly: true,
      filters: {
        state: oneOf(JournalEntryState, 'Returns only journal entries in this state.').orNull(),
      },
      ...journalEntries,
    }),
  },
  mutations: {
    proposeJournalEntry: operation({
      description:
        'Proposes a journal entry between accounts of the general ledger. Another person must post it.',
      scope: 'accounting:write',
      isForBankOnly: true,
      returns: JournalEntry,
      args: { input: object(ProposeJournalEntryInput, 'The journal entry to propose.') },
      resolve: (context, { input }) => proposeJournalEntry(context, input),
    }),
    postJournalEntry: operation({
      description:
        'Approves a proposed journal entry and books it. The person who proposed the entry cannot post it.',
      scope: 'accounting:approve',
      isForBankOnly: true,
      needsPerson: true,
      returns: JournalEntry,
      args: { journalEntryId },
      resolve: (context, args) => postJournalEntry(context, args.journalEntryId),
    }),
    rejectJournalEntry: operation({
      description:
        'Rejects a proposed journal entry; nothing is booked. The person who proposed the entry cannot reject it.',
      scope: 'accounting:approve',
      isForBankOnly: true,
      needsPerson: true,
      returns: JournalEntry,
      args: { journalEntryId },
      resolve: (context, args) => rejectJournalEntry(context, args.journalEntryId),
    }),
  },
})

@Resolver(() => JournalEntry)
export class JournalEntryResolver {
  @FieldResolver(() => [JournalEntryLine], { description: 'The lines of the journal entry.' })
  entryLines(@Root() { lines }: JournalEntry): JournalEntryLine[] {
    return lines.map(({ amountMinor, currency, ...line }) => ({
      ...line,
      amount: moneyOut({ amountMinor, currency }),
    }))
  }
}
