import { HolidayType, InterestTreatment, TermTreatment } from '../schedules/enumerations.ts'
import { PaymentHolidayState } from './enumerations.ts'
import {
  date,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  money,
  object,
  oneOf,
  shape,
  text,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { ScheduleFigures } from '../schedules/facility-schedule.ts'
import { Installment } from '../schedules/schedule.ts'

export const AffectedInstallment = shape(
  'AffectedInstallment',
  'An installment that a payment holiday covers, with its data in the schedule before the ' +
    'holiday.',
  {
    number: integer('The number of the installment.'),
    dueDate: date('The date on which the installment is due.'),
  },
)
export type AffectedInstallment = TypeOf<typeof AffectedInstallment>

/** The figures of a payment holiday, in a preview or in the payment holiday itself. */
const PaymentHolidayFields = shape('PaymentHolidayFields', '', {
  facilityId: id('The ID of the facility.'),
  startDate: date('The first day of the payment holiday.'),
  endDate: date('The last day of the payment holiday.'),
  affectedInstallments: list(
    object(AffectedInstallment),
    'The installments that the payment holiday covers.',
  ),
  type: oneOf(HolidayType, 'The part of the installments that need not be paid.'),
  interestTreatment: oneOf(InterestTreatment, 'What happens to the interest that is not paid.'),
  termTreatment: oneOf(TermTreatment, 'How the schedule continues after the payment holiday.'),
  before: object(
    ScheduleFigures,
    'The key figures of the schedule before the payment holiday.',
  ).orNull(),
  after: object(
    ScheduleFigures,
    'The key figures of the schedule after the payment holiday.',
  ).orNull(),
  additionalCost: money(
    'The interest that the payment holiday adds over the whole term; negative if it saves ' +
      'interest.',
  ).orNull(),
})
type PaymentHolidayFields = TypeOf<typeof PaymentHolidayFields>

export const PaymentHoliday = entity(
  'PaymentHoliday',
  'paymentHolidayId',
  'A period in which installments, or their principal, need not be paid. Until it is approved, ' +
    'its figures are those calculated at the time of the request.',
  {
    ...PaymentHolidayFields.fields,
    paymentHolidayId: id('The ID of the payment holiday.'),
    hardshipRequestId: id(
      'The ID of the hardship request for which the payment holiday was granted; null if there ' +
        'is none.',
    ).orNull(),
    status: oneOf(PaymentHolidayState, 'The lifecycle state of the payment holiday.'),
    reason: text('The reason given in the request; null if none was given.').orNull(),
    reasonCode: label(
      'The reason why the payment holiday was declined; null if it was not declined or no reason ' +
        'was given.',
    ).orNull(),
    scheduleVersion: integer(
      'The number of the schedule version that the payment holiday created; null until it is ' +
        'approved.',
    ).orNull(),
    createdAt: instant('When the payment holiday was requested, in UTC.'),
  },
)
export type PaymentHoliday = TypeOf<typeof PaymentHoliday>

export const PaymentHolidayPreview = shape(
  'PaymentHolidayPreview',
  'The effects that a payment holiday would have. Nothing is stored.',
  {
    ...PaymentHolidayFields.fields,
    installments: list(
      object(Installment),
      'The installments of the schedule after the payment holiday.',
    ),
  },
)
export type PaymentHolidayPreview = TypeOf<typeof PaymentHolidayPreview>

export const CreatePaymentHolidayInput = input(
  'CreatePaymentHolidayInput',
  'A payment holiday to request or to preview, given by its end date or by its number of ' +
    'installments.',
  {
    facilityId: id('The ID of the facility.'),
    paymentHolidayId: id(
      'The ID of the new payment holiday; generated if omitted. A repeated request with the ' +
        'same ID and content returns the existing payment holiday.',
    ).orNull(),
    startDate: date('The first day of the payment holiday.'),
    endDate: date(
      'The last day of the payment holiday, which covers all installments due by then. Not ' +
        'before `startDate`.',
    ).orNull(),
    installments: integer(
      'The number of installments that the payment holiday covers, at least 1. Defaults to 1; ' +
        'ignored with `endDate`.',
    ).orNull(),
    type: oneOf(
      HolidayType,
      'The part of the installments that need not be paid. Defaults to `FULL`.',
    ).orNull(),
    interestTreatment: oneOf(
      InterestTreatment,
      "What happens to the interest that is not paid. Defaults to the product's setting, or " +
        '`DEFER`.',
    ).orNull(),
    termTreatment: oneOf(
      TermTreatment,
      'How the schedule continues after the payment holiday. Defaults to `EXTEND`.',
    ).orNull(),
    reason: text('The reason for the request.').orNull(),
  },
)
export type CreatePaymentHolidayInput = TypeOf<typeof CreatePaymentHolidayInput>
