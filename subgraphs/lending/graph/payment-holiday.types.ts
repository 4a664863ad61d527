import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar, TextScalar } from '../../_kernel/scalars.ts'
import type { HolidayType, InterestTreatment, TermTreatment } from '../domain/loan.ts'
import { paymentHolidayStates, type PaymentHolidayState } from '../domain/payment-holiday.ts'
import type { PaymentHolidayAsked } from '../payment-holidays.ts'
import { ScheduleFigures } from './facility-schedule.types.ts'
import {
  HolidayTypeEnum,
  Instalment,
  InterestTreatmentEnum,
  TermTreatmentEnum,
} from './schedule.types.ts'

const PaymentHolidayStateEnum = wireEnum(
  'PaymentHolidayState',
  paymentHolidayStates,
  'How far a payment holiday is.',
)

@ObjectType({ description: 'An instalment that is paused, by the schedule before the holiday.' })
export class AffectedInstalment {
  @Field(() => Int)
  number: number

  @Field(() => LocalDateScalar)
  dueDate: string
}

/** What a holiday comes to, before and after it was given. */
@ObjectType()
abstract class PaymentHolidayFields {
  @Field(() => ID)
  facilityId: string

  @Field(() => LocalDateScalar)
  startDate: string

  @Field(() => LocalDateScalar)
  endDate: string

  @Field(() => [AffectedInstalment])
  affectedInstalments: readonly AffectedInstalment[]

  @Field(() => HolidayTypeEnum)
  type: HolidayType

  @Field(() => InterestTreatmentEnum)
  interestTreatment: InterestTreatment

  @Field(() => TermTreatmentEnum)
  termTreatment: TermTreatment

  @Field(() => ScheduleFigures, { nullable: true })
  before: ScheduleFigures | null

  @Field(() => ScheduleFigures, { nullable: true })
  after: ScheduleFigures | null

  @Field(() => MoneyType, { nullable: true, description: 'Interest that it adds to the loan.' })
  additionalCost: MoneyType | null
}

@ObjectType({ description: 'Instalments that a borrower need not pay.' })
@Directive('@key(fields: "paymentHolidayId")')
export class PaymentHoliday extends PaymentHolidayFields {
  @Field(() => ID)
  paymentHolidayId: string

  @Field(() => ID, { nullable: true, description: 'The request in hardship that it grants.' })
  hardshipRequestId: string | null

  @Field(() => PaymentHolidayStateEnum)
  status: PaymentHolidayState

  @Field(() => TextScalar, { nullable: true })
  reason: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'Why it was declined.' })
  reasonCode: string | null

  @Field(() => Int, { nullable: true, description: 'That of the schedule it made.' })
  scheduleVersion: number | null

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const PaymentHolidayConnection = connectionOf('PaymentHoliday', () => PaymentHoliday)

@ObjectType({ description: 'What a payment holiday would do. Nothing is stored.' })
export class PaymentHolidayPreview extends PaymentHolidayFields {
  @Field(() => [Instalment], { description: 'The schedule with it.' })
  instalments: Instalment[]
}

@InputType({ description: 'Instalments to pause: those due by a day, or so many.' })
export class CreatePaymentHolidayInput implements PaymentHolidayAsked {
  @Field(() => ID)
  facilityId: string

  @Field(() => ID, { nullable: true })
  paymentHolidayId?: string | null

  @Field(() => LocalDateScalar)
  startDate: string

  @Field(() => LocalDateScalar, { nullable: true })
  endDate?: string | null

  @Field(() => Int, { nullable: true, description: 'One when neither this nor an end is said.' })
  instalments?: number | null

  @Field(() => HolidayTypeEnum, { nullable: true, description: '`FULL` when absent.' })
  type?: HolidayType | null

  @Field(() => InterestTreatmentEnum, {
    nullable: true,
    description: 'That of the product when absent, or `DEFER`.',
  })
  interestTreatment?: InterestTreatment | null

  @Field(() => TermTreatmentEnum, { nullable: true, description: '`EXTEND` when absent.' })
  termTreatment?: TermTreatment | null

  @Field(() => TextScalar, { nullable: true })
  reason?: string | null
}
