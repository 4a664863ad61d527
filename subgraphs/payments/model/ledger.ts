import {
  currency,
  decimal,
  enumeration,
  id,
  instant,
  integer,
  label,
  list,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { ArrangementStub, DirectionEnum } from './posting.ts'

export const LedgerCodeTotal = shape(
  'LedgerCodeTotal',
  'The totals of the ledger accounts that share a code.',
  {
    code: label(
      "The code of the accounts: `customer` for customers' accounts, `loan` for loans, or a " +
        'code of the chart of accounts.',
    ),
    type: label('The type of the accounts: `asset`, `liability`, `equity`, `income` or `expense`.'),
    debit: decimal('The total of all booked debits.'),
    credit: decimal('The total of all booked credits.'),
  },
)
export type LedgerCodeTotal = TypeOf<typeof LedgerCodeTotal>

export const TrialBalance = shape(
  'TrialBalance',
  'The totals of all ledger accounts in one currency.',
  {
    currency: currency('The currency of the totals.'),
    debit: decimal('The total of all booked debits.'),
    credit: decimal('The total of all booked credits.'),
    difference: decimal('Debits minus credits. It is zero if the books are balanced.'),
    accounts: list(object(LedgerCodeTotal), 'The totals of the ledger accounts, by account code.'),
  },
)
export type TrialBalance = TypeOf<typeof TrialBalance>

export const LedgerFinding = shape('LedgerFinding', 'A violated invariant of the ledger.', {
  invariant: string('The name of the violated invariant.'),
  subject: string('The ID of the account, authorization or posting instruction concerned.'),
  accountIds: list(
    id(),
    'The IDs of the ledger accounts concerned. Postings to these accounts are suspended after ' +
      'the verification, which runs every five minutes, has recorded the finding.',
  ),
  detail: string('A description of the violation, with the amounts.'),
})
export type LedgerFinding = TypeOf<typeof LedgerFinding>

export const LedgerVerification = shape(
  'LedgerVerification',
  'The result of verifying the journal against its checkpoints.',
  {
    linesChecked: integer(
      'The number of journal lines that match their checkpoints, counted from the first line.',
    ),
    badLine: integer(
      'The number of the first line that does not match, starting at 1; null if all lines ' +
        'match.',
    ).orNull(),
    postingInstructionId: id(
      'The ID of the posting instruction on line `badLine`; null if all lines match.',
    ).orNull(),
    detail: string('A description of the mismatch; null if all lines match.').orNull(),
    head: string(
      'The hash of the last matching checkpoint. Compare it with a copy that is stored elsewhere ' +
        'to detect lines that were removed at the end of the journal.',
    ),
  },
)
export type LedgerVerification = TypeOf<typeof LedgerVerification>

const StateEnum = enumeration('AuthorizationState', 'The state of an authorization.', {
  open: 'The authorization is open, and nothing has been settled.',
  'partially-settled': 'A part of the authorization has been settled, and the rest is open.',
  settled:
    'The authorization was settled. Any part that was not settled has been released. This ' +
    'state is final.',
  released: 'The open amount was released. This state is final.',
  expired: 'The authorization expired and its open amount was released. This state is final.',
})
export const Authorization = shape(
  'Authorization',
  'An amount that is announced or reserved first and booked later. `authorized` always equals ' +
    '`settled` plus `released` plus `open`.',
  {
    clientTransactionId: label("The client's ID for the authorization."),
    arrangement: object(ArrangementStub, 'The account on which the amount is authorized.'),
    direction: oneOf(
      DirectionEnum,
      'Whether the amount will be credited to the account or debited from it.',
    ),
    currency: currency('The currency of the amounts.'),
    authorized: decimal('The authorized amount, including adjustments.'),
    settled: decimal('The part of the authorized amount that was settled.'),
    released: decimal('The part of the authorized amount that was released or expired.'),
    open: decimal('The part of the authorized amount that is still reserved.'),
    exceeded: decimal(
      'The amount that was settled beyond the authorized amount, by postings with `advice`.',
    ),
    state: oneOf(StateEnum, 'The state of the authorization.'),
    expiresAt: instant(
      'When the authorization expires, in UTC; null if it does not expire.',
    ).orNull(),
    openedAt: instant('When the authorization was opened, in UTC.'),
  },
)
export type Authorization = TypeOf<typeof Authorization>
