import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DecimalScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import { repaymentFrequencies, type RepaymentFrequency } from '../domain/calendar.ts'
import { dayCounts, type DayCount } from '../domain/day-count.ts'
import {
  extraPaymentStrategies,
  holidayTypes,
  interestTreatments,
  repaymentMethods,
  termTreatments,
  type ExtraPaymentStrategy,
  type HolidayType,
  type InterestTreatment,
  type RepaymentMethod,
  type TermTreatment,
} from '../domain/loan.ts'

export const RepaymentMethodEnum = wireEnum(
  'RepaymentMethod',
  repaymentMethods,
  'Equal instalments; equal principal; principal at the end; a part of it at the end; interest on the first amount throughout.',
)
export const RepaymentFrequencyEnum = wireEnum(
  'RepaymentFrequency',
  repaymentFrequencies,
  'How often an instalment is due.',
)
export const DayCountEnum = wireEnum(
  'DayCount',
  dayCounts,
  'How the days of a period count. THIRTY_360 counts every month as a twelfth of a year and a broken month by its actual days. THIRTY_360_US, THIRTY_E_360 and THIRTY_E_360_ISDA are 30/360, 30E/360 and 30E/360 (ISDA) of ISDA 2006 section 4.16 (f), (g) and (h). ACT_360, ACT_364 and ACT_365 divide actual days by a fixed year; ACT_ACT divides them by their calendar year (ISDA).',
)
export const HolidayTypeEnum = wireEnum('PaymentHolidayType', holidayTypes, 'What is not paid.')
export const InterestTreatmentEnum = wireEnum(
  'InterestTreatment',
  interestTreatments,
  'Interest of a holiday is added to what is owed, collected with the first instalment after, or not charged.',
)
export const TermTreatmentEnum = wireEnum(
  'TermTreatment',
  termTreatments,
  'After a holiday: as many instalments as before it, the same last due date, or the same instalment.',
)
export const ExtraPaymentStrategyEnum = wireEnum(
  'ExtraPaymentStrategy',
  extraPaymentStrategies,
  'After an extra payment: lower instalments, an earlier end, the next instalments are paid, or the loan is.',
)

@InputType({ description: 'A rate from a day on.' })
class RateChangeInput {
  @Field(() => LocalDateScalar, {
    description:
      'The first day at the new rate. Interest of a day accrues in the night before it; a change on a due date holds for the period that begins there.',
  })
  from: string

  @Field(() => DecimalScalar)
  annualRatePercent: string
}

@InputType({ description: 'Money that is lent. On a due date it counts for the next period.' })
class DisbursementInput {
  @Field(() => LocalDateScalar)
  on: string

  @Field(() => DecimalScalar)
  amount: string
}

@InputType({ description: 'Instalments that are not paid, or only their interest.' })
class HolidayInput {
  @Field(() => Int)
  fromInstalment: number

  @Field(() => Int)
  instalments: number

  @Field(() => HolidayTypeEnum, { defaultValue: 'full' })
  type: HolidayType

  @Field(() => InterestTreatmentEnum, {
    defaultValue: 'defer',
    description: 'PRINCIPAL_ONLY pays the interest, unless it is waived.',
  })
  interest: InterestTreatment

  @Field(() => TermTreatmentEnum, { defaultValue: 'extend' })
  term: TermTreatment
}

@InputType({ description: 'Money beside the instalments: interest to date first, then principal.' })
class ExtraPaymentInput {
  @Field(() => LocalDateScalar, { description: 'On a due date, the instalment is paid first.' })
  on: string

  @Field(() => DecimalScalar, { description: 'PAYOFF pays what is owed, whatever this says.' })
  amount: string

  @Field(() => ExtraPaymentStrategyEnum, { defaultValue: 'reduce-term' })
  strategy: ExtraPaymentStrategy
}

@InputType({ description: 'A loan, and what happens to it. Lists have at most 600 entries.' })
export class RepaymentScheduleInput {
  @Field(() => String, { defaultValue: 'EUR', description: 'An ISO 4217 code.' })
  currency: string

  @Field(() => DecimalScalar, { description: 'At most 10000.' })
  annualRatePercent: string

  @Field(() => [RateChangeInput], { nullable: true })
  rateChanges?: RateChangeInput[] | null

  @Field(() => [DisbursementInput])
  disbursements: DisbursementInput[]

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'Periods are counted from here; from the first disbursement when absent.',
  })
  scheduleStart?: string | null

  @Field(() => RepaymentMethodEnum, { defaultValue: 'annuity' })
  method: RepaymentMethod

  @Field(() => Int, { description: 'From 1 to 1200.' })
  instalments: number

  @Field(() => RepaymentFrequencyEnum, { defaultValue: 'monthly' })
  frequency: RepaymentFrequency

  @Field(() => Int, { nullable: true, description: 'The days of a period, with DAYS.' })
  everyDays?: number | null

  @Field(() => DayCountEnum, { defaultValue: 'thirty-360' })
  dayCount: DayCount

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What BALLOON leaves for the last instalment, which pays it with its own amount.',
  })
  balloonAmount?: string | null

  @Field(() => Int, {
    nullable: true,
    defaultValue: 0,
    description: 'Instalments at the start that pay interest only.',
  })
  principalGraceInstalments?: number | null

  @Field(() => Int, {
    nullable: true,
    defaultValue: 0,
    description:
      'Number of installments at the start that pay no interest; from 0 to one less than `instalments`. With ANNUITY and BALLOON the installment keeps its amount, is entirely principal during the grace period, and pays the deferred interest out of the installments that follow. With the other methods the first installment after the grace period pays it on top.',
  })
  interestGraceInstalments?: number | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'EQUAL_PRINCIPAL: principal and interest are rounded to multiples of this.',
  })
  principalMultipleOf?: string | null

  @Field(() => [HolidayInput], { nullable: true })
  holidays?: HolidayInput[] | null

  @Field(() => [ExtraPaymentInput], { nullable: true })
  extraPayments?: ExtraPaymentInput[] | null
}

@ObjectType({ description: 'A line of a repayment schedule.' })
export class Instalment {
  @Field(() => Int)
  number: number

  @Field(() => LocalDateScalar)
  dueDate: string

  @Field(() => DecimalScalar)
  payment: string

  @Field(() => DecimalScalar, {
    description: 'What accrued in the period. It may be paid later, or was by an extra payment.',
  })
  interest: string

  @Field(() => DecimalScalar, { description: 'Negative where interest was added to what is owed.' })
  principal: string

  @Field(() => DecimalScalar, {
    description: 'What is owed in principal after the payment, before what else the day brings.',
  })
  balance: string
}

@ObjectType({ description: 'How a loan is repaid.' })
export class RepaymentSchedule {
  @Field(() => [Instalment])
  instalments: Instalment[]

  @Field(() => DecimalScalar)
  totalInterest: string

  @Field(() => DecimalScalar, { description: 'All instalments and all extra payments.' })
  totalPayment: string
}
