import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import type { Leg } from '../../_ledger/domain/balance.ts'
import { debit, oweLess } from './accounts.ts'
import type { Allocation } from './allocation.ts'
import { calendarOf, toDate } from './calendar.ts'
import { delinquencyOf, type Delinquency } from './delinquency.ts'
import { owedOf, partOf, withPaid } from './due-instalment.ts'
import { isAmortising, moveFacility, type Facility } from './facility.ts'
import type { ExtraPayment, ExtraPaymentStrategy, Loan } from './loan.ts'
import { smallest } from './rational.ts'
import { amendFacility, type ScheduleChange } from './schedule-change.ts'
import {
  book,
  bringTo,
  correct,
  payDues,
  standingOf,
  type PaymentMade,
  type Serviced,
} from './servicing.ts'

export const repaymentStates = ['applied', 'reversed'] as const
export type RepaymentState = (typeof repaymentStates)[number]

export const repaymentMoves: Transitions<RepaymentState> = { applied: ['reversed'], reversed: [] }

/** Money that was paid back, and what it paid. */
export interface Repayment extends Versioned {
  repaymentId: string
  facilityId: string
  partyId: string
  state: RepaymentState
  /** Whether the bank took it from the settlement account by itself. */
  isCollected: boolean
  amountMinor: bigint
  currency: string
  paymentDate: LocalDate
  /** Null for money that came from outside. */
  sourceArrangementId: string | null
  reference: string | null
  allocations: readonly Allocation[]
  extraInterestMinor: bigint
  extraPrincipalMinor: bigint
  /** What the extra part did to the schedule; null when all of it was due. */
  extraPayment: ExtraPayment | null
  postingInstructionId: string
}

/** Moves a repayment to another state. Refuses with INVALID_STATE_TRANSITION. */
export function moveRepayment(repayment: Repayment, state: RepaymentState): Repayment {
  requireMove(repaymentMoves, repayment.state, state, repayment.repaymentId)
  return { ...repayment, state }
}

/** Promises that something can be paid back. Refuses with FACILITY_NOT_ACTIVE. */
export function requireRepayable({ facilityId, state }: Facility): void {
  if (state === 'active' || state === 'in-arrears') return
  throw new Problem('FACILITY_NOT_ACTIVE', {
    detail: `${facilityId} is ${state}.`,
    resourceId: facilityId,
    currentState: state,
    allowedStates: ['active', 'in-arrears'],
  })
}

/** When a payment counts, what day it is, and the account it is taken from. */
export interface PaymentTerms {
  on: LocalDate
  today: LocalDate
  accountId: string
}

/** A repayment as it was worked out. */
export interface Repaid {
  serviced: Serviced
  change: ScheduleChange | null
  extraPayment: ExtraPayment | null
}

/**
 * Pays back: what is due first, the oldest before the others; what is left prepays, by a strategy.
 * The facility has been brought to the day before.
 * Refuses with EXCEEDS_PAYOFF_AMOUNT, telling the figure, and as `amendFacility`.
 */
export function repay(
  before: Serviced,
  amountMinor: bigint,
  { on, today, accountId }: PaymentTerms,
  strategy: ExtraPaymentStrategy = strategyOf(before.facility),
): Repaid {
  const { currency } = before.facility
  const paid = payDues(before, amountMinor, on)
  const extra = prepay(paid.serviced, paid.leftMinor, on, strategy)
  const legs = [debit(accountId, amountMinor, currency), ...paid.legs, ...extra.legs]
  const booked = book(extra.serviced, { on, text: 'Repayment', legs })
  const made: PaymentMade = {
    on,
    amountMinor,
    accountId,
    allocations: paid.allocations,
    extraInterestMinor: extra.interestMinor,
    extraPrincipalMinor: extra.principalMinor,
    booking: booked.bookings.length - 1,
  }
  const corrected = correct(booked)
  const serviced = settle({ ...corrected, payments: [...corrected.payments, made] }, today)
  return { serviced, change: extra.change, extraPayment: extra.extraPayment }
}

/** What is too much pays the next instalments of a loan; of a limit it can be drawn again. */
function strategyOf(facility: Facility): ExtraPaymentStrategy {
  return isAmortising(facility) ? 'prepay-next' : 'reduce-instalment'
}

const noExtra = {
  change: null,
  extraPayment: null,
  interestMinor: 0n,
  principalMinor: 0n,
  legs: [] as Leg[],
}

/** Pays more than is due: interest to date, then principal, on a new schedule. */
function prepay(
  serviced: Serviced,
  amountMinor: bigint,
  asked: LocalDate,
  strategy: ExtraPaymentStrategy,
) {
  if (amountMinor === 0n) return { ...noExtra, serviced }
  const { facility } = serviced
  const on = countsOn(facility, asked)
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
    oweLess(facility, 'accrued', interestMinor),
    oweLess(facility, 'principal', principalMinor),
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

/** The day on which a payment counts: what happened since is not changed by money that came before it. */
function countsOn(facility: Facility, asked: LocalDate): LocalDate {
  return latest([asked, lastBilledDate(facility), ...eventsOf(facility.loan)])
}

function eventsOf({ disbursements, extraPayments }: Loan): LocalDate[] {
  return [...disbursements, ...extraPayments].map(({ on }) => on)
}

function latest(dates: readonly LocalDate[]): LocalDate {
  return dates.reduce((last, date) => (date > last ? date : last))
}

/** The day of the last instalment that became due; the start while there is none. */
export function lastBilledDate({ loan, billedInstalments }: Facility): LocalDate {
  const { start, frequency, everyDays } = loan.terms
  return toDate(calendarOf(start, frequency, everyDays).dueDay(billedInstalments))
}

function exceedsPayoff({ currency }: Facility, owed: bigint, left: bigint): Problem {
  const code = 'EXCEEDS_PAYOFF_AMOUNT'
  const detail = `${formatAmount(left - owed, currency)} ${currency} is more than is owed.`
  return new Problem(code, { detail, errors: [{ pointer: '/amount', code, detail }] })
}

/**
 * What a payment means for the state: nothing late any more, or nothing owed any more. A limit that
 * is past its end and repaid is matured; before, it can be drawn again.
 */
export function settle(serviced: Serviced, today: LocalDate): Serviced {
  const cured = withDelinquency(serviced, today)
  const { facility } = cured
  if (facility.state !== 'active') return cured
  const owed = facility.principalMinor + facility.accruedMinor + facility.interestDueMinor
  if (owed > 0n || facility.disbursedMinor === 0n) return cured
  if (isAmortising(facility)) return ended(cured, 'paid-off')
  const isOver = facility.maturityDate !== null && today >= facility.maturityDate
  return isOver ? ended(cured, 'matured') : cured
}

function ended(serviced: Serviced, state: 'paid-off' | 'matured'): Serviced {
  const facility = moveFacility(serviced.facility, state)
  return {
    ...serviced,
    facility: { ...facility, nextDueDate: null, nextDueMinor: 0n },
    tell: [...serviced.tell, state],
  }
}

/** How late a facility is on a day. */
export function latenessOf({ dues }: Pick<Serviced, 'dues'>, today: LocalDate): Delinquency {
  return delinquencyOf(dues.map(owedOf), today)
}

/** The facility with its stage on a day, told when it changed. */
export function withDelinquency(serviced: Serviced, today: LocalDate): Serviced {
  const { facility, tell } = serviced
  const { stage } = latenessOf(serviced, today)
  const isLate = stage !== 'current'
  const at = { ...facility, delinquencyStage: stage }
  if (isLate && facility.state === 'active') {
    return {
      ...serviced,
      facility: moveFacility(at, 'in-arrears'),
      tell: [...tell, 'in-arrears'],
    }
  }
  if (!isLate && facility.state === 'in-arrears') {
    return { ...serviced, facility: moveFacility(at, 'active'), tell: [...tell, 'cured'] }
  }
  if (stage === facility.delinquencyStage) return serviced
  return { ...serviced, facility: at, tell: [...tell, 'delinquency-changed'] }
}

/** What pays everything on a day, if nothing is paid before. */
export interface PayoffFigure {
  on: LocalDate
  principalMinor: bigint
  interestMinor: bigint
  /** What of both is due, or was. */
  dueMinor: bigint
  totalMinor: bigint
}

/** The payoff figure of a facility; of a day before today as if the money had come then. */
export function payoffFigure(serviced: Serviced, on: LocalDate): PayoffFigure {
  const { facility } = bringTo(serviced, on)
  const { interestDueMinor, principalDueMinor } = facility
  const ahead = standingOf(facility, countsOn(facility, on))
  const principalMinor = principalDueMinor + ahead.principalMinor
  const interestMinor = interestDueMinor + ahead.openInterestMinor
  return {
    on,
    principalMinor,
    interestMinor,
    dueMinor: principalDueMinor + interestDueMinor,
    totalMinor: principalMinor + interestMinor,
  }
}

/** What a payment paid, whoever calls it what. */
export type PaidBack = Pick<
  Repayment,
  'allocations' | 'extraInterestMinor' | 'extraPrincipalMinor' | 'extraPayment'
>

/**
 * The facility as if a repayment had not been, as of a day; what is late by that is late again.
 * Refuses with FACILITY_NOT_ACTIVE, and as `amendFacility`.
 */
export function takeBackRepayment(before: Serviced, repayment: PaidBack, today: LocalDate): Repaid {
  requireRepayable(before.facility)
  const { allocations, extraInterestMinor, extraPrincipalMinor, extraPayment } = repayment
  const interest = partOf(allocations, 'interest')
  const principal = partOf(allocations, 'principal')
  const change = extraPayment && withoutExtra(before.facility, extraPayment)
  const facility = change?.facility ?? before.facility
  const after: Facility = {
    ...facility,
    interestDueMinor: facility.interestDueMinor + interest,
    principalDueMinor: facility.principalDueMinor + principal,
    principalMinor: facility.principalMinor + principal + extraPrincipalMinor,
    accruedMinor: facility.accruedMinor + extraInterestMinor,
  }
  const dues = withPaid(before.dues, allocations, today, -1n)
  const corrected = correct({ ...before, facility: after, dues })
  return { serviced: withDelinquency(corrected, today), change, extraPayment }
}

function withoutExtra(facility: Facility, extraPayment: ExtraPayment): ScheduleChange {
  const of = { kind: 'extra-payment', extraPayment } as const
  return amendFacility(facility, { kind: 'reversal', of })
}
