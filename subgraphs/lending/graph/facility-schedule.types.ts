import { Field, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import { DateTimeScalar, DecimalScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import { delinquencyStages, type DelinquencyStage } from '../domain/delinquency.ts'
import { amendmentKinds, type Amendment } from '../domain/version.ts'
import { Instalment } from './schedule.types.ts'

const DelinquencyStageEnum = wireEnum(
  'DelinquencyStage',
  delinquencyStages,
  'How late a facility is: from the first day, from 30 days, from 90 days.',
)
const ScheduleCauseEnum = wireEnum('ScheduleCause', amendmentKinds, 'Why there is a new schedule.')

const InstalmentStatusEnum = wireEnum(
  'InstalmentStatus',
  ['upcoming', 'due', 'partly-paid', 'paid'],
  'How far an instalment is paid.',
)

@ObjectType({ description: 'A line of the schedule in force, with what is paid of it.' })
export class LoanInstalment extends Instalment {
  @Field(() => InstalmentStatusEnum)
  status: 'upcoming' | 'due' | 'partly-paid' | 'paid'

  @Field(() => DecimalScalar)
  paid: string

  @Field(() => LocalDateScalar, { nullable: true, description: 'When the last of it was paid.' })
  paidOn: string | null
}

@ObjectType({ description: 'What pays everything on a day, if nothing is paid before.' })
export class PayoffQuote {
  @Field(() => LocalDateScalar)
  on: string

  @Field(() => MoneyType)
  principal: MoneyType

  @Field(() => MoneyType, { description: 'Interest to the day and not a day longer.' })
  interest: MoneyType

  @Field(() => MoneyType, { description: 'What of both is due by then.' })
  due: MoneyType

  @Field(() => MoneyType)
  total: MoneyType
}

@ObjectType({ description: 'What is paid next.' })
export class NextInstalment {
  @Field(() => LocalDateScalar)
  dueDate: string

  @Field(() => MoneyType)
  payment: MoneyType
}

@ObjectType({ description: 'How late a facility is.' })
export class Delinquency {
  @Field(() => DelinquencyStageEnum)
  stage: DelinquencyStage

  @Field(() => Int)
  daysPastDue: number

  @Field(() => MoneyType)
  arrears: MoneyType

  @Field(() => LocalDateScalar, { nullable: true })
  oldestDueDate: string | null
}

@ObjectType({ description: 'What a schedule comes to for the borrower.' })
export class ScheduleFigures {
  @Field(() => MoneyType, { description: 'The next instalment then.' })
  instalment: MoneyType

  @Field(() => LocalDateScalar)
  maturityDate: string

  @Field(() => MoneyType)
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
  description: 'The cost of a loan: of the amount paid out, or of the whole limit before that.',
})
export class CostOfCredit {
  @Field(() => [UpfrontFee], { description: 'The upfront fees, charged or not.' })
  upfrontFees: UpfrontFee[]

  @Field(() => MoneyType, { description: 'The upfront fees that have been charged.' })
  upfrontFeesCharged: MoneyType

  @Field(() => MoneyType, { description: 'The interest of the whole schedule.' })
  totalInterest: MoneyType

  @Field(() => MoneyType, { description: 'All payments of the borrower and the upfront fees.' })
  totalPayable: MoneyType

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The annual percentage rate of charge (Directive 2008/48/EC), in percent with six decimals; null when the cash flows have none.',
  })
  annualPercentageRate: string | null
}

@ObjectType({ description: 'A schedule as it stood. Every one is kept.' })
export class ScheduleVersion {
  @Field(() => Int)
  version: number

  @Field(() => ScheduleCauseEnum, { nullable: true, description: 'Null for the first.' })
  cause: Amendment['kind'] | null

  @Field(() => ScheduleFigures)
  figures: ScheduleFigures

  @Field(() => [Instalment])
  instalments: Instalment[]

  @Field(() => DateTimeScalar)
  createdAt: Date
}
