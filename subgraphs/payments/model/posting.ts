import {
  currency,
  date,
  decimal,
  entity,
  enumeration,
  graphType,
  id,
  instant,
  integer,
  jsonObject,
  label,
  list,
  money,
  object,
  oneOf,
  shape,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { type InstructionType } from '../../../ledger/domain/instruction.ts'
import { outboundRailNames } from '../rails/registry.ts'

export type PostedType = InstructionType | 'batch'
export type PostingStatus = 'accepted' | 'rejected'

export const InstructionTypeEnum = enumeration(
  'PostingInstructionType',
  'The operation that a posting instruction performs.',
  {
    'inbound-hard-settlement': 'Credits an account immediately, without an authorization.',
    'outbound-hard-settlement': 'Debits an account immediately, without an authorization.',
    'inbound-authorisation': 'Announces an amount that will be credited to an account.',
    'outbound-authorisation': 'Reserves an amount on an account.',
    'authorisation-adjustment': 'Raises or lowers the amount of an open authorization.',
    settlement: 'Books an authorization in part or in full.',
    release: 'Ends an authorization and releases its open amount.',
    transfer: 'Moves an amount from one account to another.',
    custom: 'Books a list of entries whose total debits and credits are equal in each currency.',
    reversal: 'Books the opposite of an earlier posting.',
    batch: 'A batch of instructions that are posted together or not at all. Used only in results.',
  },
)
const PostingStatusEnum = enumeration(
  'PostingInstructionStatus',
  'The result of a posting instruction.',
  {
    accepted: 'The instruction was booked.',
    rejected: 'The instruction was not booked. It is stored with its violations.',
  },
)
export const SideEnum = enumeration('EntrySide', 'Whether an entry is a debit or a credit.', {
  debit: 'The entry debits the account.',
  credit: 'The entry credits the account.',
})
export const PhaseEnum = enumeration(
  'EntryPhase',
  'Whether an amount is booked, or only authorized to be credited or debited.',
  {
    committed: 'The amount is booked.',
    'pending-in': 'The amount is authorized to be credited and is not booked yet.',
    'pending-out': 'The amount is authorized to be debited and is not booked yet.',
  },
)
export const DirectionEnum = enumeration(
  'PostingDirection',
  'The direction in which money moves, as seen from the account.',
  { in: 'Money is credited to the account.', out: 'Money is debited from the account.' },
)

export const ArrangementStub = entity('AccountArrangement', 'arrangementId', undefined, {
  arrangementId: id(),
})
export type ArrangementStub = TypeOf<typeof ArrangementStub>

export const PostingEntry = shape(
  'PostingEntry',
  'One debit or credit of one ledger account. The total debits and credits of an instruction ' +
    'are equal in each currency and phase.',
  {
    entryId: id('The ID of the entry.'),
    account: id(
      'The ID of the ledger account: an account arrangement, a loan account, or an internal ' +
        'account such as `settlement/EUR`.',
    ),
    arrangement: object(
      ArrangementStub,
      'The account arrangement; null for internal accounts.',
    ).orNull(),
    address: label('The address within the ledger account, `default` for most accounts.'),
    side: oneOf(SideEnum, 'Whether the entry is a debit or a credit.'),
    amount: decimal('The amount, always positive.'),
    currency: currency('The currency of the entry.'),
    phase: oneOf(
      PhaseEnum,
      'Whether the amount is booked, or only authorized to be credited or debited.',
    ),
    sequence: integer(
      'The number of the entry within its account and address, starting at 1 without gaps; ' +
        'null for internal accounts, and for accounts that are not visible to the caller.',
    ).orNull(),
    balanceAfter: decimal(
      "The account's balance after this entry, for the entry's phase: the booked (`COMMITTED`), " +
        'pending incoming (`PENDING_IN`) or pending outgoing (`PENDING_OUT`) balance; null for ' +
        'internal accounts, and for accounts that are not visible to the caller.',
    ).orNull(),
  },
)
export type PostingEntry = TypeOf<typeof PostingEntry>

export const PostingBalance = shape(
  'PostingBalance',
  'The balance of an account after a posting instruction.',
  {
    arrangementId: id('The ID of the account.'),
    currency: currency('The currency of the account.'),
    committed: decimal('The booked balance.'),
    pendingIn: decimal('The total of authorized credits that are not booked yet.'),
    pendingOut: decimal('The total of authorized debits that are not booked yet.'),
    available: decimal(
      'The available balance: `committed` minus `pendingOut` plus the overdraft limit.',
    ),
    version: integer('The number of entries of the account after the instruction.'),
  },
)
export type PostingBalance = TypeOf<typeof PostingBalance>

export const PostingViolation = shape(
  'PostingViolation',
  'A rule that a posting instruction violated.',
  {
    code: string('The problem code of the violation.'),
    detail: string('A description of the violation, with the amounts.'),
    account: id(
      'The ID of the account that caused the violation; null if no single account caused it.',
    ).orNull(),
  },
)
export type PostingViolation = TypeOf<typeof PostingViolation>

export const PostingInstruction = entity(
  'PostingInstruction',
  'postingInstructionId',
  'A request to move money, with its result. It is immutable.',
  {
    postingInstructionId: id(
      'The ID of the posting instruction; for a batch, the ID of the batch.',
    ),
    batchId: id(
      'The ID of the batch to which the instruction belongs; null if it was posted alone.',
    ).orNull(),
    type: oneOf(InstructionTypeEnum, 'The operation that the instruction performs.'),
    status: oneOf(PostingStatusEnum, 'The result of the instruction.'),
    clientTransactionId: label(
      "The client's ID for the authorization, shared by its adjustments, settlements and " +
        'release; null if none was given.',
    ).orNull(),
    amount: money(
      'The amount of the instruction; null for types without an amount, for settlements of the ' +
        'whole open amount, and for batches.',
    ).orNull(),
    entries: list(
      object(PostingEntry),
      'The entries that were booked; empty if the instruction was rejected and for batches.',
    ),
    balances: list(
      object(PostingBalance),
      'The balances of the affected accounts after the instruction. Only accounts that are ' +
        'visible to the caller are included.',
    ),
    bookedAt: instant('When the instruction was booked or rejected, in UTC.'),
    valueDate: date(
      'The date from which the entries count for interest; null for batches.',
    ).orNull(),
    reversesId: id(
      'The ID of the instruction that this one reverses; null if it reverses none.',
    ).orNull(),
    violations: list(
      object(PostingViolation),
      'The rules that the instruction violated; empty if it was accepted.',
    ),
    rail: label(
      `The name of the rail that the client sent, such as \`${outboundRailNames[0]}\`; null if none was sent.`,
    ).orNull(),
    endToEndId: label('The end-to-end ID of the payment; null if none was given.').orNull(),
    remittanceInformation: text(
      'The remittance information of the posting; null if none was given.',
    ).orNull(),
    counterparty: jsonObject(
      'The counterparty as described by the client, such as its `name` and `iban`; null if none ' +
        'was given.',
    )
      .as<Record<string, unknown>>()
      .orNull(),
    metadata: jsonObject(
      'The data that the client sent with the instruction; null if none was sent.',
    )
      .as<Record<string, unknown>>()
      .orNull(),
    instructions: list(
      graphType<object>((): object => PostingInstruction),
      'The instructions of a batch; null for single instructions.',
    ).orNull(),
  },
)
export type PostingInstruction = TypeOf<typeof PostingInstruction>
