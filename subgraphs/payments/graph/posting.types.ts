import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  JsonObjectScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import type { Side } from '../../../ledger/domain/account.ts'
import { phases, type Phase } from '../../../ledger/domain/balance.ts'
import { instructionTypes, type InstructionType } from '../../../ledger/domain/instruction.ts'
import { directions } from '../domain/instruction-request.ts'
import { outboundRailNames } from '../rails/registry.ts'

export type PostedType = InstructionType | 'batch'
export type PostingStatus = 'accepted' | 'rejected'

export const InstructionTypeEnum = wireEnum(
  'PostingInstructionType',
  [...instructionTypes, 'batch'] as const,
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
const PostingStatusEnum = wireEnum(
  'PostingInstructionStatus',
  ['accepted', 'rejected'] as const,
  'The result of a posting instruction.',
  {
    accepted: 'The instruction was booked.',
    rejected: 'The instruction was not booked. It is stored with its violations.',
  },
)
export const SideEnum = wireEnum(
  'EntrySide',
  ['debit', 'credit'] as const,
  'Whether an entry is a debit or a credit.',
  { debit: 'The entry debits the account.', credit: 'The entry credits the account.' },
)
export const PhaseEnum = wireEnum(
  'EntryPhase',
  phases,
  'Whether an amount is booked, or only authorized to be credited or debited.',
  {
    committed: 'The amount is booked.',
    'pending-in': 'The amount is authorized to be credited and is not booked yet.',
    'pending-out': 'The amount is authorized to be debited and is not booked yet.',
  },
)
export const DirectionEnum = wireEnum(
  'PostingDirection',
  directions,
  'The direction in which money moves, as seen from the account.',
  { in: 'Money is credited to the account.', out: 'Money is debited from the account.' },
)

@ObjectType('AccountArrangement')
@Directive('@key(fields: "arrangementId")')
export class ArrangementStub {
  @Field(() => ID)
  arrangementId: string
}

@ObjectType({
  description:
    'One debit or credit of one ledger account. The total debits and credits of an instruction ' +
    'are equal in each currency and phase.',
})
export class PostingEntry {
  @Field(() => ID, { description: 'The ID of the entry.' })
  entryId: string

  @Field(() => ID, {
    description:
      'The ID of the ledger account: an account arrangement, a loan account, or an internal ' +
      'account such as `settlement/EUR`.',
  })
  account: string

  @Field(() => ArrangementStub, {
    nullable: true,
    description: 'The account arrangement; null for internal accounts.',
  })
  arrangement: ArrangementStub | null

  @Field(() => LabelScalar, {
    description: 'The address within the ledger account, `default` for most accounts.',
  })
  address: string

  @Field(() => SideEnum, { description: 'Whether the entry is a debit or a credit.' })
  side: Side

  @Field(() => DecimalScalar, { description: 'The amount, always positive.' })
  amount: string

  @Field(() => CurrencyScalar, { description: 'The currency of the entry.' })
  currency: string

  @Field(() => PhaseEnum, {
    description: 'Whether the amount is booked, or only authorized to be credited or debited.',
  })
  phase: Phase

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the entry within its account and address, starting at 1 without gaps; ' +
      'null for internal accounts, and for accounts that are not visible to the caller.',
  })
  sequence: number | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The account's balance after this entry, for the entry's phase: the booked (`COMMITTED`), " +
      'pending incoming (`PENDING_IN`) or pending outgoing (`PENDING_OUT`) balance; null for ' +
      'internal accounts, and for accounts that are not visible to the caller.',
  })
  balanceAfter: string | null
}

@ObjectType({ description: 'The balance of an account after a posting instruction.' })
export class PostingBalance {
  @Field(() => ID, { description: 'The ID of the account.' })
  arrangementId: string

  @Field(() => CurrencyScalar, { description: 'The currency of the account.' })
  currency: string

  @Field(() => DecimalScalar, { description: 'The booked balance.' })
  committed: string

  @Field(() => DecimalScalar, {
    description: 'The total of authorized credits that are not booked yet.',
  })
  pendingIn: string

  @Field(() => DecimalScalar, {
    description: 'The total of authorized debits that are not booked yet.',
  })
  pendingOut: string

  @Field(() => DecimalScalar, {
    description: 'The available balance: `committed` minus `pendingOut` plus the overdraft limit.',
  })
  available: string

  @Field(() => Int, { description: 'The number of entries of the account after the instruction.' })
  version: number
}

@ObjectType({ description: 'A rule that a posting instruction violated.' })
export class PostingViolation {
  @Field(() => String, { description: 'The problem code of the violation.' })
  code: string

  @Field(() => String, { description: 'A description of the violation, with the amounts.' })
  detail: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the account that caused the violation; null if no single account caused it.',
  })
  account: string | null
}

@ObjectType({ description: 'A request to move money, with its result. It is immutable.' })
@Directive('@key(fields: "postingInstructionId")')
export class PostingInstruction {
  @Field(() => ID, {
    description: 'The ID of the posting instruction; for a batch, the ID of the batch.',
  })
  postingInstructionId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the batch to which the instruction belongs; null if it was posted alone.',
  })
  batchId: string | null

  @Field(() => InstructionTypeEnum, { description: 'The operation that the instruction performs.' })
  type: PostedType

  @Field(() => PostingStatusEnum, { description: 'The result of the instruction.' })
  status: PostingStatus

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      "The client's ID for the authorization, shared by its adjustments, settlements and " +
      'release; null if none was given.',
  })
  clientTransactionId: string | null

  @Field(() => MoneyType, {
    nullable: true,
    description:
      'The amount of the instruction; null for types without an amount, for settlements of the ' +
      'whole open amount, and for batches.',
  })
  amount: MoneyType | null

  @Field(() => [PostingEntry], {
    description:
      'The entries that were booked; empty if the instruction was rejected and for batches.',
  })
  entries: PostingEntry[]

  @Field(() => [PostingBalance], {
    description:
      'The balances of the affected accounts after the instruction. Only accounts that are ' +
      'visible to the caller are included.',
  })
  balances: PostingBalance[]

  @Field(() => DateTimeScalar, {
    description: 'When the instruction was booked or rejected, in UTC.',
  })
  bookedAt: Date

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The date from which the entries count for interest; null for batches.',
  })
  valueDate: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the instruction that this one reverses; null if it reverses none.',
  })
  reversesId: string | null

  @Field(() => [PostingViolation], {
    description: 'The rules that the instruction violated; empty if it was accepted.',
  })
  violations: PostingViolation[]

  @Field(() => LabelScalar, {
    nullable: true,
    description: `The name of the rail that the client sent, such as \`${outboundRailNames[0]}\`; null if none was sent.`,
  })
  rail: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The end-to-end ID of the payment; null if none was given.',
  })
  endToEndId: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The remittance information of the posting; null if none was given.',
  })
  remittanceInformation: string | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      'The counterparty as described by the client, such as its `name` and `iban`; null if none ' +
      'was given.',
  })
  counterparty: Record<string, unknown> | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'The data that the client sent with the instruction; null if none was sent.',
  })
  metadata: Record<string, unknown> | null

  @Field(() => [PostingInstruction], {
    nullable: true,
    description: 'The instructions of a batch; null for single instructions.',
  })
  instructions: PostingInstruction[] | null
}

export const PostingInstructionConnection = connectionOf(
  'PostingInstruction',
  () => PostingInstruction,
)
