import type { Holiday } from '../../model/schedules/schedule.ts'
import type {
  RepaymentMethod,
  RepaymentFrequency,
  DayCount,
  InterestTreatment,
  ExtraPaymentStrategy,
} from '../../model/schedules/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import type { Rational } from '../../../../kernel/domain/rational.ts'

/** The maximum number of installments: one per month for 100 years. */
export const maxInstallments = 1200

/**
 * The agreed terms of a loan. Amounts are in minor units. Rates are fractions per year: 6 % is
 * 6/100.
 */
export interface LoanTerms {
  method: RepaymentMethod
  installments: number
  /** The start of the first period. */
  start: LocalDate
  frequency: RepaymentFrequency
  /** The length of a period in days for the frequency `days`; null for other frequencies. */
  everyDays: number | null
  dayCount: DayCount
  annualRate: Rational
  /** The principal that is due with the last installment in addition to its regular amount. */
  balloonMinor: bigint
  /** The number of installments at the start that repay no principal. */
  principalGrace: number
  /**
   * The number of installments at the start that pay no interest. Equal installments (annuity,
   * balloon) keep their amount: in the grace period they repay only principal, and later
   * installments pay the deferred interest out of their amount. Other methods collect the deferred
   * interest with the first installment after the grace period.
   */
  interestGrace: number
  /** Interest and principal are rounded to multiples of this amount. 1 rounds to the minor unit. */
  multipleMinor: bigint
  /** Whether repaid principal can be drawn again, so that full repayment does not end the loan. */
  isRevolving?: boolean
}

export interface Disbursement {
  on: LocalDate
  amountMinor: bigint
}

/**
 * A rate that applies from a date on. The interest of a day accrues between the end of the previous
 * day and the end of that day, so a change from February 2 takes effect at the end of February 1. A
 * change on a due date applies to the period that starts on that date.
 */
export interface RateChange {
  from: LocalDate
  annualRate: Rational
}

/**
 * A payment beyond the scheduled installments. It pays the accrued interest first, then principal.
 */
export interface ExtraPayment {
  on: LocalDate
  amountMinor: bigint
  strategy: ExtraPaymentStrategy
}

/** Additional installments that are added on a date. */
export interface TermExtension {
  on: LocalDate
  installments: number
}

/**
 * Consecutive installments that are limited to a maximum amount. Interest above the maximum is paid
 * within later installments (`defer`) or added to the principal (`capitalise`). After the last
 * reduced installment, the principal is spread over the remaining installments.
 */
export interface Reduction {
  fromInstallment: number
  installments: number
  amountMinor: bigint
  interest: Exclude<InterestTreatment, 'waive'>
}

/** The complete input of a schedule. The same input always produces the same schedule. */
export interface Loan {
  terms: LoanTerms
  disbursements: readonly Disbursement[]
  rateChanges: readonly RateChange[]
  holidays: readonly Holiday[]
  extraPayments: readonly ExtraPayment[]
  extensions?: readonly TermExtension[]
  reductions?: readonly Reduction[]
}

/**
 * One installment of a schedule. `interestMinor` is the interest that accrued in the period. A
 * payment holiday or grace period can postpone the payment of that interest to a later installment,
 * so `paymentMinor` is not always the sum of interest and principal. `principalMinor` is negative
 * if interest was added to the principal.
 */
export interface Installment {
  number: number
  dueDate: LocalDate
  paymentMinor: bigint
  interestMinor: bigint
  principalMinor: bigint
  /** The outstanding principal after the payment, before other events of the same day. */
  balanceMinor: bigint
}

export interface Schedule {
  installments: readonly Installment[]
  /** Whether a payment ended the loan early. The last entry is then that payment. */
  isPaidOff: boolean
  totalInterestMinor: bigint
  /** The total of all installments and extra payments. */
  totalPaymentMinor: bigint
}
