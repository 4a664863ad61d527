import {
  date,
  entity,
  enumeration,
  id,
  input,
  instant,
  label,
  list,
  money,
  object,
  oneOf,
  shape,
  string,
  text,
  type TypeOf,
  stored,
} from '../../../kernel/domain/model.ts'

export const JournalEntryKind = enumeration('JournalEntryKind', 'The kind of a journal entry.', {
  manual: 'An entry that an employee made, such as an adjustment.',
  'year-end':
    'An entry that transfers the income and expenses of a fiscal year to retained earnings.',
  'year-end-reversal': 'An entry that reverses a year-end entry, because its period was reopened.',
  revaluation: 'An entry that revalues positions in other currencies at the end of a period.',
})
export type JournalEntryKind = TypeOf<typeof JournalEntryKind>

export const JournalEntryState = enumeration('JournalEntryState', 'The state of a journal entry.', {
  proposed: 'The entry has not been decided and is not booked.',
  posted: 'The entry is booked. This state is final.',
  rejected: 'The entry was rejected and is not booked. This state is final.',
})
export type JournalEntryState = TypeOf<typeof JournalEntryState>

export const EntrySide = enumeration('JournalEntrySide', 'The side of a line of a journal entry.', {
  debit: 'The amount is debited.',
  credit: 'The amount is credited.',
})
export type EntrySide = TypeOf<typeof EntrySide>

export const JournalEntryLine = shape('JournalEntryLine', 'A line of a journal entry.', {
  accountNumber: string('The number of the account of the general ledger.'),
  ledgerAccountId: string('The ledger account on which the line is booked.'),
  side: oneOf(EntrySide, 'Whether the amount is debited or credited.'),
  amount: money('The amount, greater than zero.'),
})
export type JournalEntryLine = TypeOf<typeof JournalEntryLine>

/** A line as it is stored. */
export interface StoredLine {
  accountNumber: string
  ledgerAccountId: string
  side: EntrySide
  /** In minor units. */
  amountMinor: bigint
  currency: string
}

export const JournalEntry = entity(
  'JournalEntry',
  'journalEntryId',
  'An entry in the general ledger that an employee makes. One person proposes it, and another person posts it.',
  {
    journalEntryId: id('The ID of the journal entry.').inEvents(),
    kind: oneOf(
      JournalEntryKind,
      'Whether the entry was made by hand, by a revaluation or at the end of a year.',
    ).inEvents(),
    state: oneOf(
      JournalEntryState,
      'Whether the entry is proposed, posted or rejected.',
    ).inEvents(),
    accountingDate: date('The day on which the entry is shown in the general ledger.').inEvents(),
    description: text('The purpose of the entry.'),
    lines: stored<readonly StoredLine[]>(),
    proposedBy: string('The person or client that proposed the entry.').inEvents(),
    decidedBy: string('The person that decided on the entry; null while it is proposed.')
      .orNull()
      .inEvents(),
    decidedAt: instant('When the entry was decided, in UTC; null while it is proposed.').orNull(),
    postingInstructionId: id(
      'The posting instruction that books the entry; null unless it is posted.',
    )
      .orNull()
      .inEvents(),
    createdAt: instant('When the entry was proposed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type JournalEntry = TypeOf<typeof JournalEntry>

export const JournalEntryLineInput = input('JournalEntryLineInput', 'A line of a journal entry.', {
  accountNumber: string('The number of an active posting account that allows manual entries.'),
  internalAccountCode: label(
    'The code of an internal account that belongs to the account, such as `fee-income`. If omitted, the line is booked on an own ledger account of the account.',
  ).orNull(),
  side: oneOf(EntrySide, 'Whether the amount is debited or credited.'),
  amount: money('The amount, greater than zero.'),
})
export type JournalEntryLineInput = TypeOf<typeof JournalEntryLineInput>

export const ProposeJournalEntryInput = input(
  'ProposeJournalEntryInput',
  'A journal entry to propose.',
  {
    journalEntryId: id('The ID of the entry, chosen by the client. Generated if omitted.').orNull(),
    accountingDate: date(
      'The day on which the entry is shown, in a period that is open or soft closed. Not in the future.',
    ),
    description: text('The purpose of the entry.'),
    lines: list(
      object(JournalEntryLineInput),
      'From 2 to 100 lines, whose debits equal their credits in each currency.',
    ),
  },
)
export type ProposeJournalEntryInput = TypeOf<typeof ProposeJournalEntryInput>
