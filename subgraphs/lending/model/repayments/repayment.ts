import { DuePart, RepaymentState } from './enumerations.ts'
import {
  amount,
  boolean,
  currency,
  date,
  decimal,
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
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { AccountArrangementStub } from '../facilities/references.ts'

const RepaymentAllocation = shape(
  'RepaymentAllocation',
  'The part of a repayment that covers principal, interest, fees or penalties of one ' +
    'installment.',
  {
    installment: integer('The number of the installment.'),
    part: oneOf(DuePart, 'Whether the amount covers principal, interest, fees or penalties.'),
    amount: decimal('The amount, in the currency of the facility.'),
  },
)
type RepaymentAllocation = TypeOf<typeof RepaymentAllocation>

export const Repayment = entity(
  'Repayment',
  'repaymentId',
  'A payment by the borrower, with its allocation to installments.',
  {
    repaymentId: id('The ID of the repayment.'),
    facilityId: id('The ID of the facility.'),
    status: oneOf(RepaymentState, 'The lifecycle state of the repayment.'),
    isCollected: boolean(
      'Whether the bank collected the repayment from the settlement account. If not, the ' +
        'borrower paid it.',
    ),
    amount: money('The amount of the repayment.'),
    paymentDate: date('The date of the payment.'),
    source: object(
      AccountArrangementStub,
      'The account that was debited; null if the money came from outside the bank.',
    ).orNull(),
    reference: label("The client's own reference; null if none was given.").orNull(),
    allocations: list(
      object(RepaymentAllocation),
      'The allocations of the repayment to installments that were already due.',
    ),
    extraInterest: money(
      'The part of the repayment that covers accrued interest before it is due.',
    ),
    extraPrincipal: money('The part of the repayment that covers principal before it is due.'),
    postingInstructionId: id('The ID of the posting instruction that booked the repayment.'),
    createdAt: instant('When the repayment was recorded, in UTC.'),
  },
)
export type Repayment = TypeOf<typeof Repayment>

export const RecordRepaymentInput = input(
  'RecordRepaymentInput',
  'A repayment to record. It covers the amount due first, oldest installment first. The rest ' +
    'is a prepayment.',
  {
    repaymentId: id(
      'The ID of the new repayment; generated if omitted. A repeated request with the same ID ' +
        'and content returns the existing repayment.',
    ).orNull(),
    facilityId: id('The ID of the facility.'),
    amount: amount('The amount, greater than zero and at most the payoff amount.'),
    currency: currency(
      "The currency of the amount. It must be the facility's currency, which is the default.",
    ).orNull(),
    paymentDate: date(
      'The date of the payment, not after today. Defaults to today. Only the bank can send a ' +
        'past date, at most 30 days back.',
    ).orNull(),
    sourceArrangementId: id(
      'The ID of the account to debit. If omitted, the money came from outside the bank. ' +
        'Required for delegated users.',
    ).orNull(),
    reference: label("The client's own reference. It is stored and returned.").orNull(),
  },
)
export type RecordRepaymentInput = TypeOf<typeof RecordRepaymentInput>
