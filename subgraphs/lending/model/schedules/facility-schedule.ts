import { DelinquencyStage } from './enumerations.ts'
import {
  date,
  decimal,
  enumeration,
  instant,
  integer,
  list,
  money,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { Installment } from './schedule.ts'

const ScheduleCauseEnum = enumeration(
  'ScheduleCause',
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

const InstallmentStatusEnum = enumeration(
  'InstallmentStatus',
  'The payment status of an installment.',
  {
    upcoming: 'The installment is not due yet.',
    due: 'The installment is due and has not been paid.',
    'partly-paid': 'The installment is due and has been partly paid.',
    paid: 'The installment has been paid in full.',
  },
)

export const LoanInstallment = shape(
  'LoanInstallment',
  'One installment of the current schedule, with the amount paid.',
  {
    ...Installment.fields,
    status: oneOf(InstallmentStatusEnum, 'The payment status of the installment.'),
    paid: decimal('The interest and principal paid so far, in the currency of the facility.'),
    lateFee: decimal('The late fee charged, less what was waived.'),
    defaultInterest: decimal('The default interest charged so far, less what was waived.'),
    lateChargesPaid: decimal('The part of the late fee and default interest that is paid.'),
    paidOn: date(
      'The date on which the installment and its late charges were paid in full; null before ' +
        'that, and for an installment of zero.',
    ).orNull(),
  },
)
export type LoanInstallment = TypeOf<typeof LoanInstallment>

export const PayoffQuote = shape(
  'PayoffQuote',
  'The amount that repays the facility in full on a given day, provided that nothing is paid ' +
    'before that day.',
  {
    on: date('The day to which the quote applies.'),
    principal: money('The outstanding principal, whether due or not.'),
    interest: money('The unpaid interest that has accrued by that day, whether due or not.'),
    lateCharges: money('The unpaid late fees and default interest.'),
    due: money('The part that is due by that day. It is included in `total`.'),
    total: money('The payoff amount: principal, interest and late charges.'),
  },
)
export type PayoffQuote = TypeOf<typeof PayoffQuote>

export const NextInstallment = shape(
  'NextInstallment',
  'The next installment that is not due yet.',
  {
    dueDate: date('The date on which the installment is due.'),
    payment: money('The amount that will be due on `dueDate`.'),
  },
)
export type NextInstallment = TypeOf<typeof NextInstallment>

export const Delinquency = shape('Delinquency', 'How late a facility is, as of today.', {
  stage: oneOf(DelinquencyStage, 'The delinquency stage, which depends on the days past due.'),
  daysPastDue: integer(
    'The number of days since the due date of the oldest installment with unpaid interest or ' +
      'principal; 0 if there is none.',
  ),
  arrears: money('The amount that is past due, with late charges.'),
  oldestDueDate: date(
    'The due date of the oldest installment with unpaid interest or principal; null if there is ' +
      'none.',
  ).orNull(),
})
export type Delinquency = TypeOf<typeof Delinquency>

export const DelinquencyBucket = shape(
  'DelinquencyBucket',
  'A range of days past due by which facilities in arrears are reported. The parameter ' +
    '`delinquencyBuckets` of a product defines the buckets of its facilities.',
  {
    label: string('The range of days, such as `30-59`; `90+` for a range without an end.'),
    fromDays: integer('The first day past due of the bucket.'),
    toDays: integer(
      'The last day past due of the bucket; null for the last bucket, which has no end.',
    ).orNull(),
  },
)
export type DelinquencyBucket = TypeOf<typeof DelinquencyBucket>

export const ScheduleFigures = shape(
  'ScheduleFigures',
  'The key figures of a repayment schedule.',
  {
    installment: money(
      'The amount of the next installment that is not due yet; zero if none is left.',
    ),
    maturityDate: date('The due date of the last installment.'),
    totalInterest: money('The total interest over the whole term.'),
  },
)
export type ScheduleFigures = TypeOf<typeof ScheduleFigures>

export const UpfrontFee = shape(
  'UpfrontFee',
  'A fee that is charged once, deducted from the first drawdown.',
  {
    code: string('The code of the fee in the product.'),
    amount: money('The amount of the fee.'),
  },
)
export type UpfrontFee = TypeOf<typeof UpfrontFee>

export const CostOfCredit = shape(
  'CostOfCredit',
  'The cost of a loan, computed for the amount drawn so far. Before the first drawdown, it is ' +
    'computed for the full limit.',
  {
    upfrontFees: list(
      object(UpfrontFee),
      'The upfront fees, whether or not they have been charged.',
    ),
    upfrontFeesCharged: money('The upfront fees that have been charged.'),
    totalInterest: money('The total interest over the whole term.'),
    totalPayable: money(
      'The total amount payable by the borrower: all installments, extra payments and upfront ' +
        'fees.',
    ),
    annualPercentageRate: decimal(
      'The annual percentage rate of charge (Directive 2008/48/EC), in percent with six ' +
        'decimals. Null if no rate can be computed, for example because the payments are less than ' +
        'the amount advanced.',
    ).orNull(),
  },
)
export type CostOfCredit = TypeOf<typeof CostOfCredit>

export const ScheduleVersion = shape(
  'ScheduleVersion',
  "An immutable version of a facility's schedule. All versions are retained.",
  {
    version: integer('The number of the version, starting at 1.'),
    cause: oneOf(
      ScheduleCauseEnum,
      'The event that created the version; null for the version that was created when a ' +
        'revolving facility was opened.',
    ).orNull(),
    figures: object(
      ScheduleFigures,
      'The key figures of the schedule when the version was created.',
    ),
    installments: list(object(Installment), 'The installments in the order in which they are due.'),
    createdAt: instant('When the version was created, in UTC.'),
  },
)
export type ScheduleVersion = TypeOf<typeof ScheduleVersion>
