import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyInput } from '../../_kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  JsonObjectScalar,
  LabelScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import {
  arrangementStates,
  blockKinds,
  type ArrangementState,
  type BlockKind,
} from '../domain/arrangement.ts'

const ArrangementStateEnum = wireEnum(
  'ArrangementState',
  arrangementStates,
  'Where an arrangement stands.',
)
export const BlockKindEnum = wireEnum('BlockKind', blockKinds, 'Which way money cannot move.')

@ObjectType({ description: 'An account of a customer, pinned to the version it was opened under.' })
@Directive('@key(fields: "arrangementId")')
export class AccountArrangement {
  @Field(() => ID)
  arrangementId: string

  @Field(() => ID)
  customerId: string

  @Field(() => ID)
  partyId: string

  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar)
  productVersion: string

  @Field(() => ArrangementStateEnum)
  state: ArrangementState

  @Field(() => TextScalar, { nullable: true })
  stateReason: string | null

  @Field(() => BlockKindEnum, { nullable: true })
  blockedFor: BlockKind | null

  @Field(() => DateTimeScalar)
  openedAt: Date

  @Field(() => DateTimeScalar, { nullable: true })
  closedAt: Date | null

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => String, { description: 'The IBAN.' })
  accountNumber: string

  @Field(() => LabelScalar, { nullable: true })
  nickname: string | null

  @Field(() => JsonObjectScalar, { description: 'What was chosen, and the defaults for the rest.' })
  parameters: Record<string, string | boolean>

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const AccountArrangementConnection = connectionOf(
  'AccountArrangement',
  () => AccountArrangement,
)

@InputType({ description: 'An account to open.' })
export class OpenAccountArrangementInput {
  @Field(() => ID, { nullable: true })
  arrangementId?: string | null

  @Field(() => ID)
  customerId: string

  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The requested initial state: pending or active, which is the default.',
  })
  state?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Now when absent; up to 30 days back with the scope accounts:backdate.',
  })
  openedAt?: Date | null

  @Field(() => LabelScalar, { nullable: true, description: 'The active version when absent.' })
  productVersion?: string | null

  @Field(() => CurrencyScalar, { nullable: true, description: "The product's first when absent." })
  currency?: string | null

  @Field(() => LabelScalar, { nullable: true })
  nickname?: string | null

  @Field(() => MoneyInput, { nullable: true, description: 'None when absent.' })
  overdraftLimit?: MoneyInput | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Values by name of the parameter; numbers may be decimal strings.',
  })
  parameters?: Record<string, unknown> | null
}
