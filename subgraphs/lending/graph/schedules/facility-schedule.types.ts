import { Field, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../../kernel/graph/money.types.ts'
import { DateTimeScalar, DecimalScalar, LocalDateScalar } from '../../../../kernel/graph/scalars.ts'
import { delinquencyStages, type DelinquencyStage } from '../../domain/servicing/delinquency.ts'
import { amendmentKinds, type Amendment } from '../../domain/schedules/version.ts'
import { Installment } from './schedule.types.ts'

const DelinquencyStageEnum = wireEnum(
  'DelinquencyStage',
  delinquencyStages,
  'How late a facility is, measured by the days since the due date of its oldest unpaid ' +
    'installment.',
  {
    current: 'No amount is past due.',
    'past-due': 'The facility is from 1 to 29 days past due.',
    'increased-risk': 'The facility is from 30 to 89 days past due (IFRS 9, 5.5.11).',
    default: 'The facility is 90 or more days past due (Regulation (EU) 575/2013, Article 178).',
  },
)
const ScheduleCauseEnum = wireEnum(
  'ScheduleCause',
  amendmentKinds,
  'The event that created a schedule version.',
  {
    disbursement: 'A drawdown was paid out.',
    'rate-change': 'The interest rate changed.',
    'payment-holiday': 'A payment holiday was approved.',
    'extra-payment': 'A payment beyond the amount due was booked.',
    reversal: 'An earlier event was reversed.',
    'holiday-shortened': 'A payment holiday was ended before its end date.',
    'hardship-relief': 'Relief was granted for a hardship request.',
  },
)

const InstallmentStatusEnum = wireEnum(
  'InstallmentStatus',
  ['upcoming', 'due', 'partly-paid', 'paid'],
  'The payment status of an installment.',
  {
    upcoming: 'The installment is not due yet.',
    due: 'The installment is due and has not been paid.',
    'partly-paid': 'The installment is due and has been partly paid.',
    paid: 'The installment has been paid in full.',
  },
)

@ObjectType({ description: 'One installment of the current schedule, with the amount paid.' })
export class LoanInstallment extends Installment {
  @Field(() => InstallmentStatusEnum, { description: 'The payment status of the installment.' })
  status: 'upcoming' | 'due' | 'partly-paid' | 'paid'

  @Field(() => DecimalScalar, {
    description: 'The amount paid so far, in the currency of the facility.',
  })
  paid: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date on which the installment was paid in full; null before that, and for an ' +
      'installment of zero.',
  })
  paidOn: string | null
}

@ObjectType({
  description:
    'The amount that repays the facility in full on a given day, provided that nothing is paid ' +
    'before that day.',
})
export class PayoffQuote {
  @Field(() => LocalDateScalar, { description: 'The day to which the quote applies.' })
  on: string

  @Field(() => MoneyType, { description: 'The outstanding principal, whether due or not.' })
  principal: MoneyType

  @Field(() => MoneyType, {
    description: 'The unpaid interest that has accrued by that day, whether due or not.',
  })
  interest: MoneyType

  @Field(() => MoneyType, {
    description:
      'The part of the principal and interest that is due by that day. It is included in `total`.',
  })
  due: MoneyType

  @Field(() => MoneyType, { description: 'The payoff amount: principal plus interest.' })
  total: MoneyType
}

@ObjectType({ description: 'The next installment that is not due yet.' })
export class NextInstallment {
  @Field(() => LocalDateScalar, { description: 'The date on which the installment is due.' })
  dueDate: string

  @Field(() => MoneyType, { description: 'The amount that will be due on `dueDate`.' })
  payment: MoneyType
}

@ObjectType({ description: 'How late a facility is, as of today.' })
export class Delinquency {
  @Field(() => DelinquencyStageEnum, {
    description: 'The delinquency stage, which depends on the days past due.',
  })
  stage: DelinquencyStage

  @Field(() => Int, {
    description:
      'The number of days since the due date of the oldest unpaid installment; 0 if no amount is ' +
      'past due.',
  })
  daysPastDue: number

  @Field(() => MoneyType, {
    description: 'The amount that is past due; zero if the facility is current.',
  })
  arrears: MoneyType

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The due date of the oldest unpaid installment; null if no amount is past due.',
  })
  oldestDueDate: string | null
}

@ObjectType({ description: 'The key figures of a repayment schedule.' })
export class ScheduleFigures {
  @Field(() => MoneyType, {
    description: 'The amount of the next installment that is not due yet; zero if none is left.',
  })
  installment: MoneyType

  @Field(() => LocalDateScalar, { description: 'The due date of the last installment.' })
  maturityDate: string

  @Field(() => MoneyType, { description: 'The total interest over the whole term.' })
  totalInterest: MoneyType
}

@ObjectType({ description: 'A fee that is charged once, deducted from the first drawdown.' })
export class UpfrontFee {
  @Field(() => String, { description: 'The code of the fee in the product.' })
  code: string

  @Field(() => MoneyType, { description: 'The amount of the fee.' })
  amount: MoneyType
}

@ObjectType({
  description:
    'The cost of a loan, computed for the amount drawn so far. Before the first drawdown, it is ' +
    'computed for the full limit.',
})
export class CostOfCredit {
  @Field(() => [UpfrontFee], {
    description: 'The upfront fees, whether or not they have been charged.',
  })
  upfrontFees: UpfrontFee[]

  @Field(() => MoneyType, { description: 'The upfront fees that have been charged.' })
  upfrontFeesCharged: MoneyType

  @Field(() => MoneyType, { description: 'The total interest over the whole term.' })
  totalInterest: MoneyType

  @Field(() => MoneyType, {
    description:
      'The total amount payable by the borrower: all installments, extra payments and upfront ' +
      'fees.',
  })
  totalPayable: MoneyType

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The annual percentage rate of charge (Directive 2008/48/EC), in percent with six ' +
      'decimals. Null if no rate can be computed, for example because the payments are less than ' +
      'the amount advanced.',
  })
  annualPercentageRate: string | null
}

@ObjectType({
  description: "An immutable version of a facility's schedule. All versions are retained.",
})
export class ScheduleVersion {
  @Field(() => Int, { description: 'The number of the version, starting at 1.' })
  version: number

  @Field(() => ScheduleCauseEnum, {
    nullable: true,
    description:
      'The event that created the version; null for the version that was created when a ' +
      'revolving facility was opened.',
  })
  cause: Amendment['kind'] | null

  @Field(() => ScheduleFigures, {
    description: 'The key figures of the schedule when the version was created.',
  })
  figures: ScheduleFigures

  @Field(() => [Installment], {
    description: 'The installments in the order in which they are due.',
  })
  installments: Installment[]

  @Field(() => DateTimeScalar, { description: 'When the version was created, in UTC.' })
  createdAt: Date
}
