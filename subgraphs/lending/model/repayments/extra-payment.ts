import { ExtraPaymentStrategy } from '../schedules/enumerations.ts'
import { ExtraPaymentState } from './enumerations.ts'
import {
  amount,
  currency,
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
import { AccountArrangementStub } from '../facilities/references.ts'

export const ExtraPaymentAllocation = shape(
  'ExtraPaymentAllocation',
  'How an extra payment is allocated. `lateCharges`, `interest` and `principal` add up to the ' +
    'amount of the payment.',
  {
    overdue: money(
      'The part of the payment that covers installments already due. It is included in ' +
        '`lateCharges`, `interest` and `principal`.',
    ),
    lateCharges: money('The late fees and default interest that the payment covers.'),
    interest: money(
      'The part of the payment that covers interest: interest already due and interest accrued ' +
        'to date.',
    ),
    principal: money('The part of the payment that covers principal, whether due or not.'),
  },
)
export type ExtraPaymentAllocation = TypeOf<typeof ExtraPaymentAllocation>

/** The figures of an extra payment, in a preview or in the payment itself. */
const ExtraPaymentFields = shape('ExtraPaymentFields', '', {
  facilityId: id('The ID of the facility.'),
  amount: money('The amount of the payment, excluding the prepayment fee.'),
  paymentDate: date('The date of the payment.'),
  strategy: oneOf(ExtraPaymentStrategy, 'What the payment changes in the schedule.'),
  allocation: object(
    ExtraPaymentAllocation,
    'How the payment is allocated to interest and principal.',
  ),
  prepaymentFee: money(
    'The prepayment fee, charged in addition to the amount; zero if there is none.',
  ),
  before: object(
    ScheduleFigures,
    'The key figures of the schedule before the payment; null if the payment covers only ' +
      'installments already due.',
  ).orNull(),
  after: object(
    ScheduleFigures,
    'The key figures of the schedule after the payment; null if the payment covers only ' +
      'installments already due.',
  ).orNull(),
  interestSaved: money('The interest that the payment saves over the remaining term.'),
})
type ExtraPaymentFields = TypeOf<typeof ExtraPaymentFields>

export const ExtraPayment = entity(
  'ExtraPayment',
  'extraPaymentId',
  'A payment beyond the installments that are due. Until it is booked, its figures are those ' +
    'calculated at the time of the request.',
  {
    ...ExtraPaymentFields.fields,
    extraPaymentId: id('The ID of the extra payment.'),
    status: oneOf(ExtraPaymentState, 'The lifecycle state of the extra payment.'),
    source: object(
      AccountArrangementStub,
      'The account that is debited; null if the money comes from outside the bank.',
    ).orNull(),
    reference: label("The client's own reference; null if none was given.").orNull(),
    note: text("The client's own note about the payment; null if none was given.").orNull(),
    scheduleVersion: integer(
      'The number of the schedule version that the payment created; null if it created none.',
    ).orNull(),
    postingInstructionId: id(
      'The ID of the posting instruction that booked the payment; null until it is booked.',
    ).orNull(),
    reasonCode: label(
      'The problem code of the rejection; null unless the payment was rejected.',
    ).orNull(),
    createdAt: instant('When the extra payment was requested, in UTC.'),
  },
)
export type ExtraPayment = TypeOf<typeof ExtraPayment>

export const ExtraPaymentPreview = shape(
  'ExtraPaymentPreview',
  'The effects that an extra payment would have. Nothing is stored.',
  {
    ...ExtraPaymentFields.fields,
    installments: list(object(Installment), 'The installments of the schedule after the payment.'),
  },
)
export type ExtraPaymentPreview = TypeOf<typeof ExtraPaymentPreview>

export const CreateExtraPaymentInput = input(
  'CreateExtraPaymentInput',
  'An extra payment to request or to preview.',
  {
    facilityId: id('The ID of the facility.'),
    extraPaymentId: id(
      'The ID of the new extra payment; generated if omitted. A repeated request with the same ' +
        'ID and content returns the existing extra payment.',
    ).orNull(),
    amount: amount(
      'The amount, greater than zero. It can be omitted only with the strategy `PAYOFF`, which ' +
        'then pays the full payoff amount.',
    ).orNull(),
    currency: currency(
      "The currency of the amount. It must be the facility's currency, which is the default.",
    ).orNull(),
    paymentDate: date(
      'The date of the payment, at most 366 days ahead. Defaults to today. Only the bank can ' +
        'send a past date, at most 30 days back.',
    ).orNull(),
    strategy: oneOf(
      ExtraPaymentStrategy,
      'What the payment changes in the schedule. Defaults to the strategy of the product, or to ' +
        '`REDUCE_TERM`. For a revolving facility, only `PREPAY_NEXT` (the default) and ' +
        '`PAYOFF` are allowed.',
    ).orNull(),
    sourceArrangementId: id(
      'The ID of the account to debit. The payment is booked immediately, or on its payment date ' +
        'if that is later. If omitted, the money comes from outside the bank, and the bank applies ' +
        'the payment when the money has arrived.',
    ).orNull(),
    reference: label("The client's own reference. It is stored and returned.").orNull(),
    note: text("The client's own note about the payment. It is stored and returned.").orNull(),
  },
)
export type CreateExtraPaymentInput = TypeOf<typeof CreateExtraPaymentInput>
