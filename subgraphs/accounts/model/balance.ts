import {
  type TypeOf,
  currency,
  date,
  decimal,
  enumeration,
  id,
  instant,
  integer,
  list,
  money,
  object,
  oneOf,
  shape,
  string,
} from '../../../kernel/domain/model.ts'
import { CounterpartyKind } from './enumerations.ts'

const EntrySideEnum = enumeration('EntrySide', 'Whether an entry is a debit or a credit.', {
  debit: 'The entry is a debit.',
  credit: 'The entry is a credit.',
})
const EntryPhaseEnum = enumeration(
  'EntryPhase',
  'Whether an amount is booked, or only authorized to be credited or debited.',
  {
    committed: 'The amount is booked.',
    'pending-in': 'The amount is authorized to be credited and is not booked yet.',
    'pending-out': 'The amount is authorized to be debited and is not booked yet.',
  },
)

export const AccountBalance = shape(
  'AccountBalance',
  'The balance of an account. Amounts are in the currency of the account.',
  {
    arrangementId: id('The ID of the account.'),
    currency: currency('The currency of the account.'),
    committed: decimal('The booked balance.'),
    pendingIn: decimal('The total of authorized credits that are not booked yet.'),
    pendingOut: decimal('The total of authorized debits that are not booked yet.'),
    available: decimal(
      'The available balance: `committed` minus `pendingOut` plus the overdraft limit. Null for ' +
        'a balance by value date.',
    ).orNull(),
  },
)
export type AccountBalance = TypeOf<typeof AccountBalance>

export const Counterparty = shape(
  'Counterparty',
  'The counterparty of an entry: who is on its other side.',
  {
    kind: oneOf(
      CounterpartyKind,
      'Who is on the other side: another customer, a person or organization outside the bank, or ' +
        'the bank itself.',
    ),
    name: string('The name of the counterparty; null if it is not known.').orNull(),
    iban: string(
      'The IBAN on the other side; null if it is not known or the other side is the bank ' +
        'itself.',
    ).orNull(),
    facilityId: id(
      'The ID of the facility that the money came from or went to; null if there is none.',
    ).orNull(),
  },
)
export type Counterparty = TypeOf<typeof Counterparty>

export const EntryExchange = shape(
  'EntryExchange',
  'The currency exchange that an entry belongs to.',
  {
    counterAmount: money(
      'The amount that was booked on the other account, in the currency of that account.',
    ),
    rate: string(
      'The currency pair and the exchange rate, such as `EUR/USD 1.0850`: units of the second ' +
        'currency for one unit of the first. Null if the bank posted without an exchange rate.',
    ).orNull(),
    source: string(
      'The source of the exchange rate, such as `ECB`; null if the bank posted without an ' +
        'exchange rate.',
    ).orNull(),
    asOf: instant(
      'The time to which the exchange rate applies, in UTC; null if the bank posted without an ' +
        'exchange rate.',
    ).orNull(),
  },
)
export type EntryExchange = TypeOf<typeof EntryExchange>

export const AccountEntry = shape(
  'AccountEntry',
  'One debit or credit of an account. It is immutable.',
  {
    entryId: id('The ID of the entry.'),
    postingInstructionId: id('The ID of the posting instruction that created the entry.'),
    sequence: integer('The position of the entry within the account, starting at 1 without gaps.'),
    phase: oneOf(
      EntryPhaseEnum,
      'Whether the amount is booked, or only authorized to be credited or debited.',
    ),
    side: oneOf(EntrySideEnum, 'Whether the entry is a debit or a credit.'),
    amount: decimal('The amount, always positive, in the currency of the account.'),
    currency: currency('The currency of the account.'),
    balanceAfter: decimal(
      'The total after the entry, in the currency of the account: the booked balance if `phase` ' +
        'is `COMMITTED`, the authorized credits if it is `PENDING_IN`, or the authorized debits if ' +
        'it is `PENDING_OUT`.',
    ),
    bookedAt: instant('When the entry was recorded, in UTC.'),
    valueDate: date('The date from which the entry counts for interest.'),
  },
)
export type AccountEntry = TypeOf<typeof AccountEntry>

export const AccountStatement = shape(
  'AccountStatement',
  'The entries of an account in a period of whole days (UTC), with the booked balance at the ' +
    'start and at the end of the period. Amounts are in the currency of the account.',
  {
    arrangementId: id('The ID of the account.'),
    from: date('The first day of the period.'),
    to: date('The last day of the period, inclusive.'),
    currency: currency('The currency of the account.'),
    openingBalance: decimal(
      'The booked balance at the start of the first day of the statement period.',
    ),
    closingBalance: decimal(
      'The booked balance at the end of the last day of the statement period.',
    ),
    totalDebits: decimal('The sum of the booked debits in the period.'),
    totalCredits: decimal('The sum of the booked credits in the period.'),
    entries: list(
      object(AccountEntry),
      'The booked entries in the period, oldest first, at most 5,000.',
    ),
  },
)
export type AccountStatement = TypeOf<typeof AccountStatement>

export const StatementFormat = enumeration('StatementFormat', 'The format of a statement file.', {
  csv: 'Comma-separated values (RFC 4180) in UTF-8, one line per entry.',
  'camt-053': 'An ISO 20022 message camt.053.001.08 (Bank to Customer Statement), in XML.',
})
export type StatementFormat = TypeOf<typeof StatementFormat>

export const StatementFile = shape('StatementFile', 'A statement as a file for other programs.', {
  fileName: string('A name for the file, such as `arr_1-2090-01-01-2090-01-31.csv`.'),
  mediaType: string('The media type of the content, such as `text/csv; charset=utf-8`.'),
  content: string('The content of the file.'),
})
export type StatementFile = TypeOf<typeof StatementFile>
