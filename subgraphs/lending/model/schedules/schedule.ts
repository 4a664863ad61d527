import {
  HolidayType,
  InterestTreatment,
  TermTreatment,
  ExtraPaymentStrategy,
  RepaymentMethod,
  RepaymentFrequency,
  DayCount,
} from './enumerations.ts'
import {
  date,
  decimal,
  input,
  integer,
  list,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'

const RateChangeInput = input('RateChangeInput', 'A change of the interest rate.', {
  from: date(
    'The first day whose interest accrues at the new rate. A change on a due date applies to ' +
      'the period that starts on that date.',
  ),
  annualRatePercent: decimal('The new interest rate in percent per year, from 0 to 10,000.'),
})
type RateChangeInput = TypeOf<typeof RateChangeInput>

const DisbursementInput = input('DisbursementInput', 'A payout of the loan.', {
  on: date(
    'The date of the payout. A payout on a due date belongs to the period that starts on that ' +
      'date.',
  ),
  amount: decimal('The amount paid out, greater than zero.'),
})
type DisbursementInput = TypeOf<typeof DisbursementInput>

export const Holiday = input(
  'HolidayInput',
  'A payment holiday: consecutive installments that need not be paid, or not be paid in full.',
  {
    fromInstallment: integer(
      'The number of the first installment of the holiday, from 1 to 1,200.',
    ),
    installments: integer('The number of installments of the holiday, from 1 to 1,200.'),
    type: oneOf(
      HolidayType,
      'The part of the installments that need not be paid. Defaults to `FULL`.',
    ).defaultsTo('full'),
    interest: oneOf(
      InterestTreatment,
      'What happens to the interest of the holiday. Defaults to `DEFER`. In a `PRINCIPAL_ONLY` ' +
        'holiday, interest is paid unless `interest` is `WAIVE`.',
    ).defaultsTo('defer'),
    term: oneOf(
      TermTreatment,
      'How the schedule continues after the holiday. Defaults to `EXTEND`.',
    ).defaultsTo('extend'),
  },
)
export type Holiday = TypeOf<typeof Holiday>

const ExtraPaymentInput = input(
  'ExtraPaymentInput',
  'A payment beyond the installments. It covers accrued interest first, then principal.',
  {
    on: date('The date of the payment. On a due date, the installment is paid first.'),
    amount: decimal(
      'The amount, greater than zero. Ignored with the strategy `PAYOFF`, which pays the full ' +
        'payoff amount.',
    ),
    strategy: oneOf(
      ExtraPaymentStrategy,
      'What the payment changes in the schedule. Defaults to `REDUCE_TERM`.',
    ).defaultsTo('reduce-term'),
  },
)
type ExtraPaymentInput = TypeOf<typeof ExtraPaymentInput>

export const RepaymentScheduleInput = input(
  'RepaymentScheduleInput',
  'The terms of a loan and the events that change its schedule. Each list has at most 600 ' +
    'entries.',
  {
    currency: string("The ISO 4217 code of the loan's currency. Defaults to `EUR`.").defaultsTo(
      'EUR',
    ),
    annualRatePercent: decimal('The interest rate in percent per year, from 0 to 10,000.'),
    rateChanges: list(
      object(RateChangeInput),
      'The changes of the interest rate, at most one per date.',
    ).orNull(),
    disbursements: list(object(DisbursementInput), 'The payouts of the loan, at least one.'),
    scheduleStart: date(
      'The date from which periods are counted. Defaults to the date of the first disbursement.',
    ).orNull(),
    method: oneOf(RepaymentMethod, 'How the loan is repaid. Defaults to `ANNUITY`.').defaultsTo(
      'annuity',
    ),
    installments: integer('The number of installments, from 1 to 1,200.'),
    frequency: oneOf(
      RepaymentFrequency,
      'How often an installment is due. Defaults to `MONTHLY`.',
    ).defaultsTo('monthly'),
    everyDays: integer(
      'The length of a period in days, from 1 to 366. Required with the frequency `DAYS`, not ' +
        'allowed with other frequencies.',
    ).orNull(),
    dayCount: oneOf(
      DayCount,
      'The day count convention for interest. Defaults to `THIRTY_360`.',
    ).defaultsTo('thirty-360'),
    balloonAmount: decimal(
      'The principal that is due with the last installment in addition to its regular amount. ' +
        'Required with the method `BALLOON`, not allowed with other methods.',
    ).orNull(),
    principalGraceInstallments: integer(
      'The number of installments at the start that pay interest only, from 0 to one less than ' +
        '`installments`. Defaults to 0.',
    )
      .orNull()
      .defaultsTo(0),
    interestGraceInstallments: integer(
      'The number of installments at the start that pay no interest, from 0 to one less than ' +
        '`installments`. Defaults to 0. With `ANNUITY` and `BALLOON`, the installment amount does ' +
        'not change: installments in the grace period pay only principal, and later installments ' +
        'also pay the deferred interest. With the other methods, the first installment after the ' +
        'grace period pays the deferred interest in addition.',
    )
      .orNull()
      .defaultsTo(0),
    principalMultipleOf: decimal(
      'Principal and interest are rounded to a multiple of this amount. Allowed only with the ' +
        'method `EQUAL_PRINCIPAL`. Defaults to the smallest unit of the currency.',
    ).orNull(),
    holidays: list(object(Holiday), 'The payment holidays. They must not overlap.').orNull(),
    extraPayments: list(
      object(ExtraPaymentInput),
      'The payments beyond the installments.',
    ).orNull(),
  },
)
export type RepaymentScheduleInput = TypeOf<typeof RepaymentScheduleInput>

export const Installment = shape(
  'Installment',
  'One installment of a repayment schedule. Amounts are in the currency of the loan.',
  {
    number: integer('The number of the installment, starting at 1.'),
    dueDate: date('The date on which the installment is due.'),
    payment: decimal(
      'The amount to pay on `dueDate`: the interest and principal of the installment.',
    ),
    interest: decimal(
      'The interest that accrues in the period. It may be paid later because of a payment ' +
        'holiday, a grace period or an extra payment.',
    ),
    principal: decimal(
      'The part of the payment that repays principal; negative if interest is added to the ' +
        'principal.',
    ),
    balance: decimal(
      'The outstanding principal after the payment, before other events on the same day.',
    ),
  },
)
export type Installment = TypeOf<typeof Installment>

export const RepaymentSchedule = shape(
  'RepaymentSchedule',
  'The repayment schedule of a loan. Amounts are in the currency of the loan.',
  {
    installments: list(object(Installment), 'The installments in the order in which they are due.'),
    totalInterest: decimal('The total interest over the whole term.'),
    totalPayment: decimal('The sum of all installments and extra payments.'),
  },
)
export type RepaymentSchedule = TypeOf<typeof RepaymentSchedule>
