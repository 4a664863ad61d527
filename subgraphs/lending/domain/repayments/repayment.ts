import type { RepaymentState } from '../../model/repayments/enumerations.ts'
import type { ExtraPaymentStrategy } from '../../model/schedules/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import type { Problem } from '../../../../kernel/domain/problem.ts'
import { assertTransition, type Transitions } from '../../../../kernel/domain/states.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import type { Leg } from '../../../../ledger/domain/balance.ts'
import { debit, creditLoan } from '../facilities/accounts.ts'
import type { Allocation } from './allocation.ts'
import { calendarOf } from '../schedules/calendar.ts'
import { toDate } from '../../../../kernel/domain/day-count.ts'
import { delinquencyOf, type Delinquency } from '../servicing/delinquency.ts'
import { withBucket } from '../servicing/delinquency-bucket.ts'
import { owedOf } from './due-installment.ts'
import {
  isAmortizing,
  owedMinorOf,
  transitionFacility,
  type Facility,
} from '../facilities/facility.ts'
import type { ExtraPayment, Loan } from '../schedules/loan.ts'
import { payDues } from './pay-dues.ts'
import { inputProblem } from '../schedules/refusals.ts'
import { smallest } from '../schedules/rational.ts'
import { amendFacility, type ScheduleChange } from '../facilities/schedule-change.ts'
import {
  book,
  chargeLate,
  correctBookings,
  standingOf,
  type ReceivedPayment,
  type ServicedFacility,
} from '../servicing/servicing.ts'

export const repaymentTransitions: Transitions<RepaymentState> = {
  applied: ['reversed'],
  reversed: [],
}

/** A payment by the borrower or by another party, with its allocation. */
export interface Repayment extends Versioned {
  repaymentId: string
  facilityId: string
  partyId: string
  state: RepaymentState
  /** Whether the bank collected the payment from the settlement account. */
  isCollected: boolean
  amountMinor: bigint
  currency: string
  paymentDate: LocalDate
  /** The account that was debited; null if the money came from outside the bank. */
  sourceArrangementId: string | null
  /** The party that owns the debited account; null if it is the borrower or unknown. */
  payerPartyId: string | null
  reference: string | null
  allocations: readonly Allocation[]
  extraInterestMinor: bigint
  extraPrincipalMinor: bigint
  /** The extra payment in the schedule; null if the whole payment covered amounts due. */
  extraPayment: ExtraPayment | null
  postingInstructionId: string
}

/** Returns the parties that may see a repayment: the borrower and the payer. */
export function partiesOf({
  partyId,
  payerPartyId,
}: Pick<Repayment, 'partyId' | 'payerPartyId'>): string[] {
  return payerPartyId === null ? [partyId] : [partyId, payerPartyId]
}

/** Changes the state of a repayment. Throws INVALID_STATE_TRANSITION. */
export function transitionRepayment(repayment: Repayment, state: RepaymentState): Repayment {
  assertTransition(repaymentTransitions, repayment.state, state, repayment.repaymentId)
  return { ...repayment, state }
}

/** The payment date, the current date, and the ledger account to debit. */
export interface PaymentContext {
  on: LocalDate
  today: LocalDate
  accountId: string
}

/** The planned effects of a repayment. */
export interface RepaymentPlan {
  serviced: ServicedFacility
  change: ScheduleChange | null
  extraPayment: ExtraPayment | null
}

/**
 * Plans a repayment on a facility that has already been processed up to the payment date or a later
 * day. The amounts due are covered first, oldest first. The rest is a prepayment with `strategy`.
 * Throws EXCEEDS_PAYOFF_AMOUNT with the excess, and whatever `amendFacility` throws.
 */
export function repay(
  before: ServicedFacility,
  amountMinor: bigint,
  { on, today, accountId }: PaymentContext,
  strategy: ExtraPaymentStrategy = defaultStrategyOf(before.facility),
): RepaymentPlan {
  const { currency } = before.facility
  const paid = payDues(before, amountMinor, on)
  const extra = prepay(paid.serviced, paid.leftMinor, on, strategy)
  const legs = [debit(accountId, amountMinor, currency), ...paid.legs, ...extra.legs]
  const booked = book(extra.serviced, { on, text: 'Repayment', legs })
  const payment: ReceivedPayment = {
    on,
    amountMinor,
    accountId,
    allocations: paid.allocations,
    extraInterestMinor: extra.interestMinor,
    extraPrincipalMinor: extra.principalMinor,
    bookingIndex: booked.bookings.length - 1,
  }
  const corrected = chargeLate(correctBookings(booked), today)
  const serviced = settle({ ...corrected, payments: [...corrected.payments, payment] }, today)
  return { serviced, change: extra.change, extraPayment: extra.extraPayment }
}

/**
 * Returns the default strategy for the rest of a payment. For a loan, the rest prepays the next
 * installments. For a revolving limit, it reduces the principal, which can then be drawn again.
 */
function defaultStrategyOf(facility: Facility): ExtraPaymentStrategy {
  return isAmortizing(facility) ? 'prepay-next' : 'reduce-instalment'
}

const noPrepayment = {
  change: null,
  extraPayment: null,
  interestMinor: 0n,
  principalMinor: 0n,
  legs: [] as Leg[],
}

/**
 * Applies the rest of a payment: first to the interest accrued to date, then to principal. The
 * schedule changes.
 */
function prepay(
  serviced: ServicedFacility,
  amountMinor: bigint,
  paymentDate: LocalDate,
  strategy: ExtraPaymentStrategy,
) {
  if (amountMinor === 0n) return { ...noPrepayment, serviced }
  const { facility } = serviced
  const on = effectiveDate(facility, paymentDate)
  const standing = standingOf(facility, on)
  const owed = standing.openInterestMinor + standing.principalMinor
  if (amountMinor > owed) throw exceedsPayoff(facility, owed, amountMinor)
  const extraPayment: ExtraPayment = { on, amountMinor, strategy }
  const change = amendFacility(facility, { kind: 'extra-payment', extraPayment })
  const interestMinor = smallest(amountMinor, standing.openInterestMinor)
  const principalMinor = amountMinor - interestMinor
  const after = {
    ...change.facility,
    accruedMinor: facility.accruedMinor - interestMinor,
    principalMinor: facility.principalMinor - principalMinor,
  }
  const legs = [
    creditLoan(facility, 'accrued', interestMinor),
    creditLoan(facility, 'principal', principalMinor),
  ]
  return {
    serviced: { ...serviced, facility: after },
    change,
    extraPayment,
    interestMinor,
    principalMinor,
    legs,
  }
}

/**
 * Returns the date on which a payment takes effect. It is never before a drawdown, an extra payment
 * or an installment that is already booked.
 */
export function effectiveDate(facility: Facility, paymentDate: LocalDate): LocalDate {
  return latest([paymentDate, lastBilledDate(facility), ...eventDatesOf(facility.loan)])
}

function eventDatesOf({ disbursements, extraPayments }: Loan): LocalDate[] {
  return [...disbursements, ...extraPayments].map(({ on }) => on)
}

function latest(dates: readonly LocalDate[]): LocalDate {
  return dates.reduce((last, date) => (date > last ? date : last))
}

/** Returns the due date of the last installment that became due, or the start date if none has. */
export function lastBilledDate({ loan, billedInstallments }: Facility): LocalDate {
  const { start, frequency, everyDays } = loan.terms
  return toDate(calendarOf(start, frequency, everyDays).dueDay(billedInstallments))
}

function exceedsPayoff({ currency }: Facility, owed: bigint, amountMinor: bigint): Problem {
  const detail = `The amount is ${formatAmount(amountMinor - owed, currency)} ${currency} more than is owed.`
  return inputProblem('EXCEEDS_PAYOFF_AMOUNT', '/amount', detail)
}

/**
 * Updates the state after a payment: the facility can be cured of arrears or be repaid. A repaid
 * revolving limit matures on or after its maturity date; before that date it can be drawn again.
 */
export function settle(serviced: ServicedFacility, today: LocalDate): ServicedFacility {
  const updated = withDelinquency(serviced, today)
  const { facility } = updated
  if (facility.state !== 'active') return updated
  if (owedMinorOf(facility) > 0n || facility.disbursedMinor === 0n) return updated
  if (isAmortizing(facility)) return withFinalState(updated, 'paid-off')
  const hasMatured = facility.maturityDate !== null && today >= facility.maturityDate
  return hasMatured ? withFinalState(updated, 'matured') : updated
}

function withFinalState(
  serviced: ServicedFacility,
  state: 'paid-off' | 'matured',
): ServicedFacility {
  const facility = transitionFacility(serviced.facility, state)
  return {
    ...serviced,
    facility: { ...facility, nextDueDate: null, nextDueMinor: 0n },
    eventNames: [...serviced.eventNames, state],
  }
}

/** Returns the delinquency of a facility on a day. */
export function facilityDelinquency(
  { dues }: Pick<ServicedFacility, 'dues'>,
  today: LocalDate,
): Delinquency {
  return delinquencyOf(dues.map(owedOf), today)
}

/**
 * Updates the delinquency stage, the delinquency bucket and the state of a facility for a day. Adds
 * an event if the stage changed, and one if the bucket changed.
 */
export function withDelinquency(before: ServicedFacility, today: LocalDate): ServicedFacility {
  const { stage, daysPastDue } = facilityDelinquency(before, today)
  const serviced = withBucket(before, daysPastDue)
  const { facility, eventNames } = serviced
  const isLate = stage !== 'current'
  const restaged = { ...facility, delinquencyStage: stage }
  if (isLate && facility.state === 'active') {
    return {
      ...serviced,
      facility: transitionFacility(restaged, 'in-arrears'),
      eventNames: [...eventNames, 'in-arrears'],
    }
  }
  if (!isLate && facility.state === 'in-arrears') {
    return {
      ...serviced,
      facility: transitionFacility(restaged, 'active'),
      eventNames: [...eventNames, 'cured'],
    }
  }
  if (stage === facility.delinquencyStage) return serviced
  return { ...serviced, facility: restaged, eventNames: [...eventNames, 'delinquency-changed'] }
}
