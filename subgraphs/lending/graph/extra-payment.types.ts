import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  AmountScalar,
  CurrencyScalar,
  DateTimeScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
  type AmountSent,
} from '../../_kernel/scalars.ts'
import { extraPaymentStates, type ExtraPaymentState } from '../domain/extra-payment-request.ts'
import type { ExtraPaymentStrategy } from '../domain/loan.ts'
import type { ExtraPaymentAsked } from '../extra-payment-asked.ts'
import { ScheduleFigures } from './facility-schedule.types.ts'
import { ExtraPaymentStrategyEnum, Instalment } from './schedule.types.ts'
import { AccountArrangementStub } from './stubs.types.ts'

const ExtraPaymentStateEnum = wireEnum(
  'ExtraPaymentState',
  extraPaymentStates,
  'How far an extra payment is.',
)

@ObjectType({ description: 'What a payment pays.' })
export class ExtraPaymentAllocation {
  @Field(() => MoneyType, { description: 'Of it, what was due.' })
  overdue: MoneyType

  @Field(() => MoneyType, { description: 'Interest that was due, and interest to date.' })
  interest: MoneyType

  @Field(() => MoneyType)
  principal: MoneyType
}

/** What an extra payment comes to, before and after it was booked. */
@ObjectType()
abstract class ExtraPaymentFields {
  @Field(() => ID)
  facilityId: string

  @Field(() => MoneyType)
  amount: MoneyType

  @Field(() => LocalDateScalar)
  paymentDate: string

  @Field(() => ExtraPaymentStrategyEnum)
  strategy: ExtraPaymentStrategy

  @Field(() => ExtraPaymentAllocation)
  allocation: ExtraPaymentAllocation

  @Field(() => MoneyType, { description: 'Taken beside the amount.' })
  prepaymentFee: MoneyType

  @Field(() => ScheduleFigures, {
    nullable: true,
    description: 'Null where all of it pays what was due.',
  })
  before: ScheduleFigures | null

  @Field(() => ScheduleFigures, { nullable: true })
  after: ScheduleFigures | null

  @Field(() => MoneyType)
  interestSaved: MoneyType
}

@ObjectType({
  description:
    'Money beside the instalments. Its figures are those of when it was asked for, then of when it was booked.',
})
@Directive('@key(fields: "extraPaymentId")')
export class ExtraPayment extends ExtraPaymentFields {
  @Field(() => ID)
  extraPaymentId: string

  @Field(() => ExtraPaymentStateEnum)
  status: ExtraPaymentState

  @Field(() => AccountArrangementStub, {
    nullable: true,
    description: 'Where the money is taken from; null when it comes from elsewhere.',
  })
  source: AccountArrangementStub | null

  @Field(() => LabelScalar, { nullable: true })
  reference: string | null

  @Field(() => TextScalar, { nullable: true })
  note: string | null

  @Field(() => Int, { nullable: true, description: 'That of the schedule it made.' })
  scheduleVersion: number | null

  @Field(() => ID, { nullable: true })
  postingInstructionId: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'Why it was rejected.' })
  reasonCode: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const ExtraPaymentConnection = connectionOf('ExtraPayment', () => ExtraPayment)

@ObjectType({ description: 'What an extra payment would do. Nothing is stored.' })
export class ExtraPaymentPreview extends ExtraPaymentFields {
  @Field(() => [Instalment], { description: 'The schedule with it.' })
  instalments: Instalment[]
}

@InputType({ description: 'Money beside the instalments.' })
export class CreateExtraPaymentInput implements ExtraPaymentAsked {
  @Field(() => ID)
  facilityId: string

  @Field(() => ID, { nullable: true })
  extraPaymentId?: string | null

  @Field(() => AmountScalar, {
    nullable: true,
    description: 'Everything that is owed when absent, with the strategy PAYOFF.',
  })
  amount?: AmountSent | null

  @Field(() => CurrencyScalar, { nullable: true, description: 'That of the facility.' })
  currency?: string | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'Today when absent.' })
  paymentDate?: string | null

  @Field(() => ExtraPaymentStrategyEnum, {
    nullable: true,
    description: 'That of the product when absent, or an earlier end.',
  })
  strategy?: ExtraPaymentStrategy | null

  @Field(() => ID, {
    nullable: true,
    description:
      'An account of the bank: it is booked at once, or on its day. Else when the money is there.',
  })
  sourceArrangementId?: string | null

  @Field(() => LabelScalar, { nullable: true })
  reference?: string | null

  @Field(() => TextScalar, { nullable: true })
  note?: string | null
}
