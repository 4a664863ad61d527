import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount, minorDigits, parseAmount } from '../../_kernel/domain/money.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { internalAccountId } from '../../_ledger/domain/account.ts'
import { credit, debit } from './accounts.ts'
import type { Allocation } from './allocation.ts'
import { openMinor, partOf } from './due-instalment.ts'
import { isAmortising, type Facility } from './facility.ts'
import type { ExtraPayment, ExtraPaymentStrategy } from './loan.ts'
import { ofPercent, roundHalfEven, smallest } from './rational.ts'
import type { ReliefPolicy } from './relief-policy.ts'
import { payoffFigure, repay, requireRepayable } from './repayment.ts'
import type { ScheduleChange } from './schedule-change.ts'
import { book, bringTo, payDues, type Serviced } from './servicing.ts'
import type { AmendmentEffect } from './version.ts'

export const extraPaymentStates = [
  'requested',
  'applied',
  'rejected',
  'cancelled',
  'reversed',
] as const
export type ExtraPaymentState = (typeof extraPaymentStates)[number]

export const extraPaymentMoves: Transitions<ExtraPaymentState> = {
  requested: ['applied', 'rejected', 'cancelled'],
  applied: ['reversed'],
  rejected: [],
  cancelled: [],
  reversed: [],
}

/** What an extra payment comes to: what it pays, what it costs, what it changes. */
export interface ExtraPaymentFigures {
  amountMinor: bigint
  strategy: ExtraPaymentStrategy
  /** What was due. */
  allocations: readonly Allocation[]
  /** Interest to date. */
  extraInterestMinor: bigint
  extraPrincipalMinor: bigint
  /** Taken beside the amount. */
  feeMinor: bigint
  /** What it is to the schedule; null when all of it pays what was due. */
  extraPayment: ExtraPayment | null
  effect: AmendmentEffect | null
}

/** Money beside the instalments, from the request to the booking. Until it is applied its figures are those of the request. */
export interface ExtraPaymentRequest extends Versioned, ExtraPaymentFigures {
  extraPaymentId: string
  facilityId: string
  partyId: string
  state: ExtraPaymentState
  /** Everything that is owed on the day, whatever that is then. */
  isPayoff: boolean
  currency: string
  paymentDate: LocalDate
  /** Where the money is taken from; null when it comes from elsewhere. */
  sourceArrangementId: string | null
  reference: string | null
  note: string | null
  scheduleVersion: number | null
  postingInstructionId: string | null
  feePostingInstructionId: string | null
  reasonCode: string | null
}

export interface ExtraPaymentTerms {
  /** Null for a payoff: whatever is owed. */
  amountMinor: bigint | null
  on: LocalDate
  today: LocalDate
  /** The account the money is taken from. */
  accountId: string
  strategy: ExtraPaymentStrategy
}

export interface ExtraPaymentPlan {
  figures: ExtraPaymentFigures
  serviced: Serviced
  change: ScheduleChange | null
  /** Places of the payment and of its fee among the bookings. */
  booking: number
  feeBooking: number | null
}

/** Moves an extra payment to another state. Refuses with INVALID_STATE_TRANSITION. */
export function moveExtraPayment(
  payment: ExtraPaymentRequest,
  state: ExtraPaymentState,
): ExtraPaymentRequest {
  requireMove(extraPaymentMoves, payment.state, state, payment.extraPaymentId)
  return { ...payment, state }
}

/** How the instalments follow when nobody says so. Refuses with STRATEGY_NOT_SUPPORTED: a revolving limit has none to lower or to drop. */
export function strategyOf(
  facility: Facility,
  asked: ExtraPaymentStrategy | null,
  policy: ReliefPolicy,
): ExtraPaymentStrategy {
  if (isAmortising(facility)) return asked ?? policy.extraPaymentStrategy ?? 'reduce-term'
  if (asked === null || asked === 'payoff' || asked === 'prepay-next') return asked ?? 'prepay-next'
  const detail = 'A revolving limit has no instalments to lower or to drop.'
  throw refuse('STRATEGY_NOT_SUPPORTED', '/strategy', detail)
}

/**
 * Works an extra payment out on a facility that was brought to today; one of a later day as if all that
 * is due until then were paid. `prepaidMinor` is the principal prepaid in the twelve months before.
 * Refuses with FACILITY_NOT_ACTIVE, INVALID_AMOUNT, BELOW_MINIMUM_EXTRA_PAYMENT,
 * EXCEEDS_PAYOFF_AMOUNT (telling the figure), and as `amendFacility`.
 */
export function planExtraPayment(
  today: Serviced,
  terms: ExtraPaymentTerms,
  policy: ReliefPolicy,
  prepaidMinor: bigint,
): ExtraPaymentPlan {
  requireRepayable(today.facility)
  const before = terms.on > terms.today ? asIfPaid(today, terms.on) : today
  const { facility } = before
  const { totalMinor } = payoffFigure(before, terms.on)
  const amountMinor = terms.amountMinor ?? totalMinor
  requireAmount(facility, terms, amountMinor, totalMinor, policy)
  const strategy = effectiveStrategy(facility, terms.strategy)
  const { serviced, change, extraPayment } = repay(before, amountMinor, terms, strategy)
  const made = serviced.payments.at(-1)!
  const feeMinor = feeOf(facility, made.extraPrincipalMinor, terms.on, policy, prepaidMinor, change)
  const charged = feeMinor > 0n ? chargeFee(serviced, feeMinor, terms) : serviced
  return {
    figures: {
      amountMinor,
      strategy: terms.strategy,
      allocations: made.allocations,
      extraInterestMinor: made.extraInterestMinor,
      extraPrincipalMinor: made.extraPrincipalMinor,
      feeMinor,
      extraPayment,
      effect: change?.effect ?? null,
    },
    serviced: charged,
    change,
    booking: made.booking,
    feeBooking: feeMinor > 0n ? charged.bookings.length - 1 : null,
  }
}

function asIfPaid(today: Serviced, on: LocalDate): Serviced {
  const then = bringTo(today, on)
  const owed = then.dues.reduce((sum, due) => sum + openMinor(due), 0n)
  return payDues(then, owed, on).serviced
}

/** Everything that is owed ends a loan by any strategy, and a limit goes on. */
function effectiveStrategy(facility: Facility, strategy: ExtraPaymentStrategy) {
  if (strategy !== 'payoff') return strategy
  return isAmortising(facility) ? 'reduce-term' : 'prepay-next'
}

function requireAmount(
  { currency, facilityId }: Facility,
  { strategy, on }: ExtraPaymentTerms,
  amountMinor: bigint,
  payoffMinor: bigint,
  policy: ReliefPolicy,
): void {
  if (amountMinor <= 0n) throw refuse('INVALID_AMOUNT', '/amount', 'More than nothing.')
  const payoffAmount = formatAmount(payoffMinor, currency)
  const detail = `${payoffAmount} ${currency} pays everything off on ${on}.`
  if (amountMinor > payoffMinor) {
    const code = 'EXCEEDS_PAYOFF_AMOUNT'
    throw new Problem(code, {
      detail,
      errors: [{ pointer: '/amount', code, detail }],
      resourceId: facilityId,
      payoffAmount: { amount: payoffAmount, currency },
    })
  }
  if (amountMinor === payoffMinor) return
  if (strategy === 'payoff') throw refuse('INVALID_AMOUNT', '/amount', detail)
  const least = leastOf(policy, currency)
  if (amountMinor >= least) return
  const atLeast = `At least ${formatAmount(least, currency)} ${currency}.`
  throw refuse('BELOW_MINIMUM_EXTRA_PAYMENT', '/amount', atLeast)
}

/** A product says its least amount without a currency; decimals that this one has not are cut. */
function leastOf({ extraPaymentMinimum }: ReliefPolicy, currency: string): bigint {
  const [whole, decimals = ''] = extraPaymentMinimum.split('.')
  const fraction = decimals.slice(0, minorDigits(currency))
  return parseAmount(fraction ? `${whole}.${fraction}` : whole!, currency)
}

/**
 * The fee for prepaying: a part of the principal beyond what is free in twelve months, never more than
 * the interest that is saved; for consumers at most 1 %, or 0.5 % when the loan has no more than
 * a year to go (Directive (EU) 2023/2225, article 29).
 */
function feeOf(
  facility: Facility,
  principalMinor: bigint,
  on: LocalDate,
  policy: ReliefPolicy,
  prepaidMinor: bigint,
  change: ScheduleChange | null,
): bigint {
  const { kind, disbursedMinor, maturityDate } = facility
  const saved = -(change?.effect?.additionalInterestMinor ?? 0n)
  if (!isAmortising(facility) || saved <= 0n) return 0n
  const free = percentOf(disbursedMinor, policy.prepaymentFreePct)
  const left = free > prepaidMinor ? free - prepaidMinor : 0n
  const charged = principalMinor > left ? principalMinor - left : 0n
  const asked = smallest(percentOf(charged, policy.prepaymentFeePct), saved)
  if (kind !== 'consumer-loan') return asked
  const isLong = maturityDate! > addDays(on, 365)
  return smallest(asked, percentOf(charged, isLong ? '1' : '0.5'))
}

function percentOf(amountMinor: bigint, percent: string): bigint {
  const { num, den } = ofPercent(percent)
  return roundHalfEven(amountMinor * num, den)
}

function chargeFee(serviced: Serviced, feeMinor: bigint, { on, accountId }: ExtraPaymentTerms) {
  const { currency } = serviced.facility
  const income = internalAccountId('fee-income', currency)
  const legs = [debit(accountId, feeMinor, currency), credit(income, feeMinor, currency)]
  return book(serviced, { on, text: 'Fee for prepaying', legs })
}

/** Interest and principal that it pays, what was due among it, in minor units. */
export function paidParts({ allocations, ...figures }: ExtraPaymentFigures) {
  const dueInterest = partOf(allocations, 'interest')
  const duePrincipal = partOf(allocations, 'principal')
  return {
    overdueMinor: dueInterest + duePrincipal,
    interestMinor: dueInterest + figures.extraInterestMinor,
    principalMinor: duePrincipal + figures.extraPrincipalMinor,
  }
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
