import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../../kernel/graph/money.types.ts'
import {
  AmountScalar,
  CurrencyScalar,
  DateTimeScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
  type AmountSent,
} from '../../../../kernel/graph/scalars.ts'
import {
  extraPaymentStates,
  type ExtraPaymentState,
} from '../../domain/repayments/extra-payment-request.ts'
import type { ExtraPaymentStrategy } from '../../domain/schedules/loan.ts'
import type { ExtraPaymentOrder } from '../../commands/repayments/extra-payment-order.ts'
import { ScheduleFigures } from '../schedules/facility-schedule.types.ts'
import { ExtraPaymentStrategyEnum } from '../schedules/schedule-enums.ts'
import { Installment } from '../schedules/schedule.types.ts'
import { AccountArrangementStub } from '../facilities/stubs.types.ts'

const ExtraPaymentStateEnum = wireEnum(
  'ExtraPaymentState',
  extraPaymentStates,
  'The lifecycle state of an extra payment.',
  {
    requested:
      'The payment waits for its payment date or, without a source account, for the bank to ' +
      'apply it.',
    applied: 'The payment was booked.',
    rejected: 'The payment could not be booked. This state is final.',
    cancelled: 'The payment was cancelled before it was booked. This state is final.',
    reversed: 'The payment was booked and reversed. This state is final.',
  },
)

@ObjectType({
  description:
    'How an extra payment is allocated. `interest` and `principal` add up to the amount of the ' +
    'payment.',
})
export class ExtraPaymentAllocation {
  @Field(() => MoneyType, {
    description:
      'The part of the payment that covers installments already due. It is included in ' +
      '`interest` and `principal`.',
  })
  overdue: MoneyType

  @Field(() => MoneyType, {
    description:
      'The part of the payment that covers interest: interest already due and interest accrued ' +
      'to date.',
  })
  interest: MoneyType

  @Field(() => MoneyType, {
    description: 'The part of the payment that covers principal, whether due or not.',
  })
  principal: MoneyType
}

/** The figures of an extra payment, in a preview or in the payment itself. */
@ObjectType()
abstract class ExtraPaymentFields {
  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string

  @Field(() => MoneyType, {
    description: 'The amount of the payment, excluding the prepayment fee.',
  })
  amount: MoneyType

  @Field(() => LocalDateScalar, { description: 'The date of the payment.' })
  paymentDate: string

  @Field(() => ExtraPaymentStrategyEnum, {
    description: 'What the payment changes in the schedule.',
  })
  strategy: ExtraPaymentStrategy

  @Field(() => ExtraPaymentAllocation, {
    description: 'How the payment is allocated to interest and principal.',
  })
  allocation: ExtraPaymentAllocation

  @Field(() => MoneyType, {
    description: 'The prepayment fee, charged in addition to the amount; zero if there is none.',
  })
  prepaymentFee: MoneyType

  @Field(() => ScheduleFigures, {
    nullable: true,
    description:
      'The key figures of the schedule before the payment; null if the payment covers only ' +
      'installments already due.',
  })
  before: ScheduleFigures | null

  @Field(() => ScheduleFigures, {
    nullable: true,
    description:
      'The key figures of the schedule after the payment; null if the payment covers only ' +
      'installments already due.',
  })
  after: ScheduleFigures | null

  @Field(() => MoneyType, {
    description: 'The interest that the payment saves over the remaining term.',
  })
  interestSaved: MoneyType
}

@ObjectType({
  description:
    'A payment beyond the installments that are due. Until it is booked, its figures are those ' +
    'calculated at the time of the request.',
})
@Directive('@key(fields: "extraPaymentId")')
export class ExtraPayment extends ExtraPaymentFields {
  @Field(() => ID, { description: 'The ID of the extra payment.' })
  extraPaymentId: string

  @Field(() => ExtraPaymentStateEnum, { description: 'The lifecycle state of the extra payment.' })
  status: ExtraPaymentState

  @Field(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account that is debited; null if the money comes from outside the bank.',
  })
  source: AccountArrangementStub | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The client's own reference; null if none was given.",
  })
  reference: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: "The client's own note about the payment; null if none was given.",
  })
  note: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the schedule version that the payment created; null if it created none.',
  })
  scheduleVersion: number | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the posting instruction that booked the payment; null until it is booked.',
  })
  postingInstructionId: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The problem code of the rejection; null unless the payment was rejected.',
  })
  reasonCode: string | null

  @Field(() => DateTimeScalar, { description: 'When the extra payment was requested, in UTC.' })
  createdAt: Date
}

export const ExtraPaymentConnection = connectionOf('ExtraPayment', () => ExtraPayment)

@ObjectType({ description: 'The effects that an extra payment would have. Nothing is stored.' })
export class ExtraPaymentPreview extends ExtraPaymentFields {
  @Field(() => [Installment], {
    description: 'The installments of the schedule after the payment.',
  })
  installments: Installment[]
}

@InputType({ description: 'An extra payment to request or to preview.' })
export class CreateExtraPaymentInput implements ExtraPaymentOrder {
  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new extra payment; generated if omitted. A repeated request with the same ' +
      'ID and content returns the existing extra payment.',
  })
  extraPaymentId?: string | null

  @Field(() => AmountScalar, {
    nullable: true,
    description:
      'The amount, greater than zero. It can be omitted only with the strategy `PAYOFF`, which ' +
      'then pays the full payoff amount.',
  })
  amount?: AmountSent | null

  @Field(() => CurrencyScalar, {
    nullable: true,
    description:
      "The currency of the amount. It must be the facility's currency, which is the default.",
  })
  currency?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date of the payment, at most 366 days ahead. Defaults to today. Only the bank can ' +
      'send a past date, at most 30 days back.',
  })
  paymentDate?: string | null

  @Field(() => ExtraPaymentStrategyEnum, {
    nullable: true,
    description:
      'What the payment changes in the schedule. Defaults to the strategy of the product, or to ' +
      '`REDUCE_TERM`. For a revolving facility, only `PREPAY_NEXT` (the default) and ' +
      '`PAYOFF` are allowed.',
  })
  strategy?: ExtraPaymentStrategy | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the account to debit. The payment is booked immediately, or on its payment date ' +
      'if that is later. If omitted, the money comes from outside the bank, and the bank applies ' +
      'the payment when the money has arrived.',
  })
  sourceArrangementId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The client's own reference. It is stored and returned.",
  })
  reference?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: "The client's own note about the payment. It is stored and returned.",
  })
  note?: string | null
}
