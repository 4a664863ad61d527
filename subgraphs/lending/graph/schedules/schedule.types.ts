import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { DecimalScalar, LocalDateScalar } from '../../../../kernel/graph/scalars.ts'
import type { RepaymentFrequency } from '../../domain/schedules/calendar.ts'
import type { DayCount } from '../../domain/schedules/day-count.ts'
import type {
  ExtraPaymentStrategy,
  HolidayType,
  InterestTreatment,
  RepaymentMethod,
  TermTreatment,
} from '../../domain/schedules/loan.ts'
import {
  DayCountEnum,
  ExtraPaymentStrategyEnum,
  PaymentHolidayTypeEnum,
  InterestTreatmentEnum,
  RepaymentFrequencyEnum,
  RepaymentMethodEnum,
  TermTreatmentEnum,
} from './schedule-enums.ts'

@InputType({ description: 'A change of the interest rate.' })
class RateChangeInput {
  @Field(() => LocalDateScalar, {
    description:
      'The first day whose interest accrues at the new rate. A change on a due date applies to ' +
      'the period that starts on that date.',
  })
  from: string

  @Field(() => DecimalScalar, {
    description: 'The new interest rate in percent per year, from 0 to 10,000.',
  })
  annualRatePercent: string
}

@InputType({ description: 'A payout of the loan.' })
class DisbursementInput {
  @Field(() => LocalDateScalar, {
    description:
      'The date of the payout. A payout on a due date belongs to the period that starts on that ' +
      'date.',
  })
  on: string

  @Field(() => DecimalScalar, { description: 'The amount paid out, greater than zero.' })
  amount: string
}

@InputType({
  description:
    'A payment holiday: consecutive installments that need not be paid, or not be paid in full.',
})
class HolidayInput {
  @Field(() => Int, {
    description: 'The number of the first installment of the holiday, from 1 to 1,200.',
  })
  fromInstallment: number

  @Field(() => Int, { description: 'The number of installments of the holiday, from 1 to 1,200.' })
  installments: number

  @Field(() => PaymentHolidayTypeEnum, {
    defaultValue: 'full',
    description: 'The part of the installments that need not be paid. Defaults to `FULL`.',
  })
  type: HolidayType

  @Field(() => InterestTreatmentEnum, {
    defaultValue: 'defer',
    description:
      'What happens to the interest of the holiday. Defaults to `DEFER`. In a `PRINCIPAL_ONLY` ' +
      'holiday, interest is paid unless `interest` is `WAIVE`.',
  })
  interest: InterestTreatment

  @Field(() => TermTreatmentEnum, {
    defaultValue: 'extend',
    description: 'How the schedule continues after the holiday. Defaults to `EXTEND`.',
  })
  term: TermTreatment
}

@InputType({
  description:
    'A payment beyond the installments. It covers accrued interest first, then principal.',
})
class ExtraPaymentInput {
  @Field(() => LocalDateScalar, {
    description: 'The date of the payment. On a due date, the installment is paid first.',
  })
  on: string

  @Field(() => DecimalScalar, {
    description:
      'The amount, greater than zero. Ignored with the strategy `PAYOFF`, which pays the full ' +
      'payoff amount.',
  })
  amount: string

  @Field(() => ExtraPaymentStrategyEnum, {
    defaultValue: 'reduce-term',
    description: 'What the payment changes in the schedule. Defaults to `REDUCE_TERM`.',
  })
  strategy: ExtraPaymentStrategy
}

@InputType({
  description:
    'The terms of a loan and the events that change its schedule. Each list has at most 600 ' +
    'entries.',
})
export class RepaymentScheduleInput {
  @Field(() => String, {
    defaultValue: 'EUR',
    description: "The ISO 4217 code of the loan's currency. Defaults to `EUR`.",
  })
  currency: string

  @Field(() => DecimalScalar, {
    description: 'The interest rate in percent per year, from 0 to 10,000.',
  })
  annualRatePercent: string

  @Field(() => [RateChangeInput], {
    nullable: true,
    description: 'The changes of the interest rate, at most one per date.',
  })
  rateChanges?: RateChangeInput[] | null

  @Field(() => [DisbursementInput], { description: 'The payouts of the loan, at least one.' })
  disbursements: DisbursementInput[]

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date from which periods are counted. Defaults to the date of the first disbursement.',
  })
  scheduleStart?: string | null

  @Field(() => RepaymentMethodEnum, {
    defaultValue: 'annuity',
    description: 'How the loan is repaid. Defaults to `ANNUITY`.',
  })
  method: RepaymentMethod

  @Field(() => Int, { description: 'The number of installments, from 1 to 1,200.' })
  installments: number

  @Field(() => RepaymentFrequencyEnum, {
    defaultValue: 'monthly',
    description: 'How often an installment is due. Defaults to `MONTHLY`.',
  })
  frequency: RepaymentFrequency

  @Field(() => Int, {
    nullable: true,
    description:
      'The length of a period in days, from 1 to 366. Required with the frequency `DAYS`, not ' +
      'allowed with other frequencies.',
  })
  everyDays?: number | null

  @Field(() => DayCountEnum, {
    defaultValue: 'thirty-360',
    description: 'The day count convention for interest. Defaults to `THIRTY_360`.',
  })
  dayCount: DayCount

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The principal that is due with the last installment in addition to its regular amount. ' +
      'Required with the method `BALLOON`, not allowed with other methods.',
  })
  balloonAmount?: string | null

  @Field(() => Int, {
    nullable: true,
    defaultValue: 0,
    description:
      'The number of installments at the start that pay interest only, from 0 to one less than ' +
      '`installments`. Defaults to 0.',
  })
  principalGraceInstallments?: number | null

  @Field(() => Int, {
    nullable: true,
    defaultValue: 0,
    description:
      'The number of installments at the start that pay no interest, from 0 to one less than ' +
      '`installments`. Defaults to 0. With `ANNUITY` and `BALLOON`, the installment amount does ' +
      'not change: installments in the grace period pay only principal, and later installments ' +
      'also pay the deferred interest. With the other methods, the first installment after the ' +
      'grace period pays the deferred interest in addition.',
  })
  interestGraceInstallments?: number | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Principal and interest are rounded to a multiple of this amount. Allowed only with the ' +
      'method `EQUAL_PRINCIPAL`. Defaults to the smallest unit of the currency.',
  })
  principalMultipleOf?: string | null

  @Field(() => [HolidayInput], {
    nullable: true,
    description: 'The payment holidays. They must not overlap.',
  })
  holidays?: HolidayInput[] | null

  @Field(() => [ExtraPaymentInput], {
    nullable: true,
    description: 'The payments beyond the installments.',
  })
  extraPayments?: ExtraPaymentInput[] | null
}

@ObjectType({
  description: 'One installment of a repayment schedule. Amounts are in the currency of the loan.',
})
export class Installment {
  @Field(() => Int, { description: 'The number of the installment, starting at 1.' })
  number: number

  @Field(() => LocalDateScalar, { description: 'The date on which the installment is due.' })
  dueDate: string

  @Field(() => DecimalScalar, {
    description: 'The amount to pay on `dueDate`: the interest and principal of the installment.',
  })
  payment: string

  @Field(() => DecimalScalar, {
    description:
      'The interest that accrues in the period. It may be paid later because of a payment ' +
      'holiday, a grace period or an extra payment.',
  })
  interest: string

  @Field(() => DecimalScalar, {
    description:
      'The part of the payment that repays principal; negative if interest is added to the ' +
      'principal.',
  })
  principal: string

  @Field(() => DecimalScalar, {
    description:
      'The outstanding principal after the payment, before other events on the same day.',
  })
  balance: string
}

@ObjectType({
  description: 'The repayment schedule of a loan. Amounts are in the currency of the loan.',
})
export class RepaymentSchedule {
  @Field(() => [Installment], {
    description: 'The installments in the order in which they are due.',
  })
  installments: Installment[]

  @Field(() => DecimalScalar, { description: 'The total interest over the whole term.' })
  totalInterest: string

  @Field(() => DecimalScalar, { description: 'The sum of all installments and extra payments.' })
  totalPayment: string
}
