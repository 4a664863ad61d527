import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  JsonObjectScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import type { Side } from '../../_ledger/domain/account.ts'
import { phases, type Phase } from '../../_ledger/domain/balance.ts'
import { instructionTypes, type InstructionType } from '../../_ledger/domain/instruction.ts'
import { directions } from '../domain/asked.ts'

export type PostedType = InstructionType | 'batch'
export type PostingStatus = 'accepted' | 'rejected'

export const InstructionTypeEnum = wireEnum(
  'PostingInstructionType',
  [...instructionTypes, 'batch'] as const,
  'What an instruction does to the books. A batch holds instructions that happen together.',
)
const PostingStatusEnum = wireEnum(
  'PostingInstructionStatus',
  ['accepted', 'rejected'] as const,
  'A rejected instruction moved nothing; it is kept with what it violated.',
)
export const SideEnum = wireEnum('EntrySide', ['debit', 'credit'] as const, 'A debit or a credit.')
export const PhaseEnum = wireEnum(
  'EntryPhase',
  phases,
  'Where money stands: booked, announced to come, or promised to leave.',
)
export const DirectionEnum = wireEnum('PostingDirection', directions, 'To the account, or from it.')

@ObjectType('AccountArrangement')
@Directive('@key(fields: "arrangementId")')
export class ArrangementStub {
  @Field(() => ID)
  arrangementId: string
}

@ObjectType({
  description: 'One movement of one account. Per currency and phase, debits equal credits.',
})
export class PostingEntry {
  @Field(() => ID)
  entryId: string

  @Field(() => ID, {
    description: 'An arrangement, or an account of the bank’s own such as `settlement/EUR`.',
  })
  account: string

  @Field(() => ArrangementStub, { nullable: true })
  arrangement: ArrangementStub | null

  @Field(() => LabelScalar)
  address: string

  @Field(() => SideEnum)
  side: Side

  @Field(() => DecimalScalar)
  amount: string

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => PhaseEnum)
  phase: Phase

  @Field(() => Int, {
    nullable: true,
    description:
      'Counts from 1 within the account, without gaps; none on accounts of the bank’s own.',
  })
  sequence: number | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What its phase of the account came to; none where that is not yours to see.',
  })
  balanceAfter: string | null
}

@ObjectType({ description: 'What an instruction left on an account.' })
export class PostingBalance {
  @Field(() => ID)
  arrangementId: string

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => DecimalScalar)
  committed: string

  @Field(() => DecimalScalar)
  pendingIn: string

  @Field(() => DecimalScalar)
  pendingOut: string

  @Field(() => DecimalScalar)
  available: string

  @Field(() => Int, { description: 'How many entries the account has.' })
  version: number
}

@ObjectType({ description: 'A rule that an instruction broke.' })
export class PostingViolation {
  @Field(() => String)
  code: string

  @Field(() => String)
  detail: string

  @Field(() => ID, { nullable: true, description: 'The account it is about.' })
  account: string | null
}

@ObjectType({
  description: 'An instruction to the books, and what became of it. It never changes.',
})
@Directive('@key(fields: "postingInstructionId")')
export class PostingInstruction {
  @Field(() => ID, { description: 'That of the batch where it stands for one.' })
  postingInstructionId: string

  @Field(() => ID, { nullable: true })
  batchId: string | null

  @Field(() => InstructionTypeEnum)
  type: PostedType

  @Field(() => PostingStatusEnum)
  status: PostingStatus

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'Ties an authorisation to its adjustments, settlements and release.',
  })
  clientTransactionId: string | null

  @Field(() => MoneyType, { nullable: true })
  amount: MoneyType | null

  @Field(() => [PostingEntry])
  entries: PostingEntry[]

  @Field(() => [PostingBalance], { description: 'Of the accounts that are yours to see.' })
  balances: PostingBalance[]

  @Field(() => DateTimeScalar)
  bookedAt: Date

  @Field(() => LocalDateScalar, { nullable: true })
  valueDate: string | null

  @Field(() => ID, { nullable: true, description: 'The posting that this one takes back.' })
  reversesId: string | null

  @Field(() => [PostingViolation])
  violations: PostingViolation[]

  @Field(() => LabelScalar, { nullable: true })
  rail: string | null

  @Field(() => LabelScalar, { nullable: true })
  endToEndId: string | null

  @Field(() => TextScalar, { nullable: true })
  remittanceInformation: string | null

  @Field(() => JsonObjectScalar, { nullable: true })
  counterparty: Record<string, unknown> | null

  @Field(() => JsonObjectScalar, { nullable: true })
  metadata: Record<string, unknown> | null

  @Field(() => [PostingInstruction], {
    nullable: true,
    description: 'The instructions of a batch.',
  })
  instructions: PostingInstruction[] | null
}

export const PostingInstructionConnection = connectionOf(
  'PostingInstruction',
  () => PostingInstruction,
)
