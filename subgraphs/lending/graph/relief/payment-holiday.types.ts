import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../../kernel/graph/money.types.ts'
import {
  DateTimeScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../../kernel/graph/scalars.ts'
import type { HolidayType, InterestTreatment, TermTreatment } from '../../domain/schedules/loan.ts'
import {
  paymentHolidayStates,
  type PaymentHolidayState,
} from '../../domain/relief/payment-holiday.ts'
import type { PaymentHolidayRequest } from '../../commands/relief/payment-holiday.ts'
import { ScheduleFigures } from '../schedules/facility-schedule.types.ts'
import {
  PaymentHolidayTypeEnum,
  InterestTreatmentEnum,
  TermTreatmentEnum,
} from '../schedules/schedule-enums.ts'
import { Installment } from '../schedules/schedule.types.ts'

const PaymentHolidayStateEnum = wireEnum(
  'PaymentHolidayState',
  paymentHolidayStates,
  'The lifecycle state of a payment holiday.',
  {
    requested: "The payment holiday waits for the bank's approval.",
    approved:
      'The payment holiday was approved and starts on its start date. The schedule already ' +
      'includes it.',
    active: 'The payment holiday has started and has not ended.',
    completed: 'The payment holiday ended on its end date. This state is final.',
    'ended-early': 'The payment holiday was ended before its end date. This state is final.',
    declined: 'The bank declined the payment holiday. This state is final.',
    cancelled: 'The payment holiday was cancelled before it started. This state is final.',
  },
)

@ObjectType({
  description:
    'An installment that a payment holiday covers, with its data in the schedule before the ' +
    'holiday.',
})
export class AffectedInstallment {
  @Field(() => Int, { description: 'The number of the installment.' })
  number: number

  @Field(() => LocalDateScalar, { description: 'The date on which the installment is due.' })
  dueDate: string
}

/** The figures of a payment holiday, in a preview or in the payment holiday itself. */
@ObjectType()
abstract class PaymentHolidayFields {
  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string

  @Field(() => LocalDateScalar, { description: 'The first day of the payment holiday.' })
  startDate: string

  @Field(() => LocalDateScalar, { description: 'The last day of the payment holiday.' })
  endDate: string

  @Field(() => [AffectedInstallment], {
    description: 'The installments that the payment holiday covers.',
  })
  affectedInstallments: readonly AffectedInstallment[]

  @Field(() => PaymentHolidayTypeEnum, {
    description: 'The part of the installments that need not be paid.',
  })
  type: HolidayType

  @Field(() => InterestTreatmentEnum, {
    description: 'What happens to the interest that is not paid.',
  })
  interestTreatment: InterestTreatment

  @Field(() => TermTreatmentEnum, {
    description: 'How the schedule continues after the payment holiday.',
  })
  termTreatment: TermTreatment

  @Field(() => ScheduleFigures, {
    nullable: true,
    description: 'The key figures of the schedule before the payment holiday.',
  })
  before: ScheduleFigures | null

  @Field(() => ScheduleFigures, {
    nullable: true,
    description: 'The key figures of the schedule after the payment holiday.',
  })
  after: ScheduleFigures | null

  @Field(() => MoneyType, {
    nullable: true,
    description:
      'The interest that the payment holiday adds over the whole term; negative if it saves ' +
      'interest.',
  })
  additionalCost: MoneyType | null
}

@ObjectType({
  description:
    'A period in which installments, or their principal, need not be paid. Until it is approved, ' +
    'its figures are those calculated at the time of the request.',
})
@Directive('@key(fields: "paymentHolidayId")')
export class PaymentHoliday extends PaymentHolidayFields {
  @Field(() => ID, { description: 'The ID of the payment holiday.' })
  paymentHolidayId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the hardship request for which the payment holiday was granted; null if there ' +
      'is none.',
  })
  hardshipRequestId: string | null

  @Field(() => PaymentHolidayStateEnum, {
    description: 'The lifecycle state of the payment holiday.',
  })
  status: PaymentHolidayState

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The reason given in the request; null if none was given.',
  })
  reason: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The reason why the payment holiday was declined; null if it was not declined or no reason ' +
      'was given.',
  })
  reasonCode: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the schedule version that the payment holiday created; null until it is ' +
      'approved.',
  })
  scheduleVersion: number | null

  @Field(() => DateTimeScalar, { description: 'When the payment holiday was requested, in UTC.' })
  createdAt: Date
}

export const PaymentHolidayConnection = connectionOf('PaymentHoliday', () => PaymentHoliday)

@ObjectType({ description: 'The effects that a payment holiday would have. Nothing is stored.' })
export class PaymentHolidayPreview extends PaymentHolidayFields {
  @Field(() => [Installment], {
    description: 'The installments of the schedule after the payment holiday.',
  })
  installments: Installment[]
}

@InputType({
  description:
    'A payment holiday to request or to preview, given by its end date or by its number of ' +
    'installments.',
})
export class CreatePaymentHolidayInput implements PaymentHolidayRequest {
  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new payment holiday; generated if omitted. A repeated request with the ' +
      'same ID and content returns the existing payment holiday.',
  })
  paymentHolidayId?: string | null

  @Field(() => LocalDateScalar, { description: 'The first day of the payment holiday.' })
  startDate: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day of the payment holiday, which covers all installments due by then. Not ' +
      'before `startDate`.',
  })
  endDate?: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of installments that the payment holiday covers, at least 1. Defaults to 1; ' +
      'ignored with `endDate`.',
  })
  installments?: number | null

  @Field(() => PaymentHolidayTypeEnum, {
    nullable: true,
    description: 'The part of the installments that need not be paid. Defaults to `FULL`.',
  })
  type?: HolidayType | null

  @Field(() => InterestTreatmentEnum, {
    nullable: true,
    description:
      "What happens to the interest that is not paid. Defaults to the product's setting, or " +
      '`DEFER`.',
  })
  interestTreatment?: InterestTreatment | null

  @Field(() => TermTreatmentEnum, {
    nullable: true,
    description: 'How the schedule continues after the payment holiday. Defaults to `EXTEND`.',
  })
  termTreatment?: TermTreatment | null

  @Field(() => TextScalar, { nullable: true, description: 'The reason for the request.' })
  reason?: string | null
}
