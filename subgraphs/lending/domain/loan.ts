import type { LocalDate } from '../../_kernel/domain/dates.ts'
import type { RepaymentFrequency } from './calendar.ts'
import type { DayCount } from './day-count.ts'
import type { Rational } from './rational.ts'

export const repaymentMethods = [
  'annuity',
  'equal-principal',
  'interest-only',
  'balloon',
  'flat',
] as const
export type RepaymentMethod = (typeof repaymentMethods)[number]

export const holidayTypes = ['full', 'principal-only'] as const
export type HolidayType = (typeof holidayTypes)[number]

export const interestTreatments = ['capitalise', 'defer', 'waive'] as const
export type InterestTreatment = (typeof interestTreatments)[number]

export const termTreatments = ['extend', 'keep-maturity', 'keep-instalment'] as const
export type TermTreatment = (typeof termTreatments)[number]

export const extraPaymentStrategies = [
  'reduce-instalment',
  'reduce-term',
  'prepay-next',
  'payoff',
] as const
export type ExtraPaymentStrategy = (typeof extraPaymentStrategies)[number]

/** A schedule has no more instalments than this: a hundred years of months. */
export const mostInstalments = 1200

/** What was agreed. Amounts in minor units; rates are fractions a year: 6 % is 6/100. */
export interface LoanTerms {
  method: RepaymentMethod
  instalments: number
  /** The periods are counted from here. */
  start: LocalDate
  frequency: RepaymentFrequency
  /** The period of the frequency `days`. */
  everyDays: number | null
  dayCount: DayCount
  annualRate: Rational
  /** What a balloon loan still owes when its last regular instalment is paid; due with that one. */
  balloonMinor: bigint
  /** Instalments at the start that repay no principal. */
  principalGrace: number
  /**
   * Installments at the start that pay no interest. An equal installment (annuity, balloon) keeps its
   * amount, is all principal during the grace period, and pays the deferred interest out of the
   * installments that follow. Other methods collect it with the first installment after.
   */
  interestGrace: number
  /** Interest and principal are rounded to multiples of this; 1 is the minor unit itself. */
  multipleMinor: bigint
  /** What is repaid may be drawn again: repaying everything does not end it. */
  isRevolving?: boolean
}

export interface Disbursement {
  on: LocalDate
  amountMinor: bigint
}

/**
 * From this day on interest accrues at another rate. The interest of a day accrues in the night
 * that ends with it: a change from 2 February holds from the end of the 1st. A change on a due date
 * holds for the period that begins there.
 */
export interface RateChange {
  from: LocalDate
  annualRate: Rational
}

/** Instalments that are not paid, or not in full. */
export interface Holiday {
  fromInstalment: number
  instalments: number
  type: HolidayType
  interest: InterestTreatment
  term: TermTreatment
}

/** Money beside the instalments: interest to date first, then principal. */
export interface ExtraPayment {
  on: LocalDate
  amountMinor: bigint
  strategy: ExtraPaymentStrategy
}

/** From this day on there are so many instalments more. */
export interface TermExtension {
  on: LocalDate
  instalments: number
}

/**
 * Instalments that pay at most an amount. Interest beyond it is paid within the instalments after
 * (`defer`) or added to what is owed (`capitalise`); what is owed then is spread over those left.
 */
export interface Reduction {
  fromInstalment: number
  instalments: number
  amountMinor: bigint
  interest: Exclude<InterestTreatment, 'waive'>
}

/** All that a schedule follows from. The same loan has the same schedule, always. */
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
 * One line of a schedule. `interestMinor` is what accrued in the period; a holiday or a grace moves
 * its payment to a later line, so a payment is not always interest plus principal. Principal is
 * negative where interest was added to it.
 */
export interface Instalment {
  number: number
  dueDate: LocalDate
  paymentMinor: bigint
  interestMinor: bigint
  principalMinor: bigint
  /** What is owed in principal after the payment, before what else happens on that day. */
  balanceMinor: bigint
}

export interface Schedule {
  instalments: readonly Instalment[]
  /** The last line is a payment that ended the loan, and no instalment. */
  isPaidOff: boolean
  totalInterestMinor: bigint
  /** All instalments and all extra payments. */
  totalPaymentMinor: bigint
}
