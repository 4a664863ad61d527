import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyInput } from '../../../kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  JsonObjectScalar,
  LabelScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import {
  arrangementStates,
  blockKinds,
  type ArrangementState,
  type BlockKind,
} from '../domain/arrangement.ts'

const ArrangementStateEnum = wireEnum(
  'ArrangementState',
  arrangementStates,
  'The lifecycle state of an account.',
  {
    pending: "The account was opened and waits for the bank's approval. No money can move.",
    active: 'The account is in use.',
    blocked: 'The account is blocked for debits, credits or both.',
    dormant: 'The account has not been used for a long time. It cannot be debited.',
    'pending-closure': 'The closure of the account was requested.',
    closed: 'The account is closed. This state is final.',
    rejected: 'The bank did not approve the account. This state is final.',
    cancelled: 'The account was cancelled before it was approved. This state is final.',
  },
)
export const BlockKindEnum = wireEnum(
  'BlockKind',
  blockKinds,
  'The direction in which money cannot move on a blocked account.',
  {
    debit: 'The account cannot be debited.',
    credit: 'The account cannot be credited.',
    all: 'The account can be neither debited nor credited.',
  },
)

@ObjectType({
  description:
    "A customer's account under a product. It keeps the product version under which it was " +
    'opened.',
})
@Directive('@key(fields: "arrangementId")')
export class AccountArrangement {
  @Field(() => ID, { description: 'The ID of the account.' })
  arrangementId: string

  @Field(() => ID, { description: 'The ID of the customer who holds the account.' })
  customerId: string

  @Field(() => ID, { description: "The ID of the customer's party." })
  partyId: string

  @Field(() => ID, { description: 'The ID of the product.' })
  productId: string

  @Field(() => LabelScalar, {
    description:
      'The label of the product version under which the account was opened, such as `2026.10`.',
  })
  productVersion: string

  @Field(() => ArrangementStateEnum, { description: 'The lifecycle state of the account.' })
  state: ArrangementState

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The reason given for the block, rejection, cancellation or closure; null if none was ' +
      'given.',
  })
  stateReason: string | null

  @Field(() => BlockKindEnum, {
    nullable: true,
    description: 'The direction in which the account is blocked; null if it is not blocked.',
  })
  blockedFor: BlockKind | null

  @Field(() => DateTimeScalar, { description: 'When the account was opened, in UTC.' })
  openedAt: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the account was closed, in UTC; null before that.',
  })
  closedAt: Date | null

  @Field(() => CurrencyScalar, { description: 'The currency of the account.' })
  currency: string

  @Field(() => String, { description: 'The IBAN of the account.' })
  accountNumber: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The customer's name for the account; null if none was given.",
  })
  nickname: string | null

  @Field(() => JsonObjectScalar, {
    description:
      "The values of the product's parameters, by name: the values chosen when the account was " +
      'opened, and the defaults of the other parameters.',
  })
  parameters: Record<string, string | boolean>

  @Field(() => DateTimeScalar, { description: 'When the record was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the record last changed, in UTC.' })
  updatedAt: Date
}

export const AccountArrangementConnection = connectionOf(
  'AccountArrangement',
  () => AccountArrangement,
)

@InputType({ description: 'An account to open.' })
export class OpenAccountArrangementInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new account; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing account.',
  })
  arrangementId?: string | null

  @Field(() => ID, {
    description: 'The ID of the customer, who must be active and have passed KYC.',
  })
  customerId: string

  @Field(() => ID, { description: 'The ID of the product.' })
  productId: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The initial state, in any letter case: `pending` or `active`, which is the default.',
  })
  state?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the account is opened. Defaults to now. A past time, at most 30 days back, requires ' +
      'the scope `accounts:backdate`.',
  })
  openedAt?: Date | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The label of the product version. Defaults to the active version.',
  })
  productVersion?: string | null

  @Field(() => CurrencyScalar, {
    nullable: true,
    description: 'The currency of the account. Defaults to the first currency of the product.',
  })
  currency?: string | null

  @Field(() => LabelScalar, { nullable: true, description: "The customer's name for the account." })
  nickname?: string | null

  @Field(() => MoneyInput, {
    nullable: true,
    description:
      'The overdraft limit. If omitted, the account has no overdraft. Not available to delegated ' +
      'users.',
  })
  overdraftLimit?: MoneyInput | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      "The values of the product's parameters, by name. Numbers can be sent as decimal strings. " +
      'Omitted parameters take their default values.',
  })
  parameters?: Record<string, unknown> | null
}
