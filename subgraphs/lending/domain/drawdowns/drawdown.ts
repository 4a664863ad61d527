import type { DrawdownState } from '../../model/drawdowns/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import { Problem } from '../problems.ts'
import { assertTransition, type Transitions } from '../../../../kernel/domain/states.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import {
  availableOf,
  isDrawable,
  stateProblem,
  transitionFacility,
  type Facility,
} from '../facilities/facility.ts'
import { feesOfDrawdown } from '../pricing/upfront-fees.ts'
import type { Amendment } from '../schedules/version.ts'
import { amendFacility, type ScheduleChange } from '../facilities/schedule-change.ts'
import { inputProblem, requirePositive } from '../schedules/refusals.ts'

export const drawdownTransitions: Transitions<DrawdownState> = {
  requested: ['approved', 'declined', 'cancelled'],
  approved: ['disbursed', 'cancelled'],
  disbursed: ['reversed'],
  reversed: [],
  declined: [],
  cancelled: [],
}

/**
 * A payout from a facility. `availableBeforeMinor` and `availableAfterMinor` are as of the request.
 * The payout updates `outstandingMinor` and sets the next due installment.
 */
export interface Drawdown extends Versioned {
  drawdownId: string
  facilityId: string
  partyId: string
  state: DrawdownState
  amountMinor: bigint
  /** The upfront fees deducted from the payout; zero until the drawdown is paid out. */
  feeMinor: bigint
  currency: string
  valueDate: LocalDate
  /** The destination account at this bank; null for an account at another bank. */
  destinationArrangementId: string | null
  destinationIban: string | null
  destinationName: string | null
  purpose: string | null
  reference: string | null
  trancheId: string | null
  availableBeforeMinor: bigint
  availableAfterMinor: bigint
  outstandingMinor: bigint
  /** The schedule version that the payout created; null before the payout. */
  scheduleVersion: number | null
  nextDueDate: LocalDate | null
  nextDueMinor: bigint | null
  postingInstructionId: string | null
  reasonCode: string | null
}

/** The validated terms of a requested drawdown. */
export type DrawdownTerms = Pick<
  Drawdown,
  | 'amountMinor'
  | 'valueDate'
  | 'destinationArrangementId'
  | 'destinationIban'
  | 'destinationName'
  | 'purpose'
  | 'reference'
  | 'trancheId'
>
type Payout = Pick<DrawdownTerms, 'amountMinor' | 'valueDate'>

/** A planned drawdown and its effects. */
export interface DrawdownPlan {
  /** The facility before the drawdown. */
  facility: Facility
  drawdown: Drawdown
  /** The facility after the payout, with its new schedule version. */
  change: ScheduleChange
}

/** The published fields of the collateral allocated to a facility. */
export interface CoverageFact {
  allocatedMinor: string
  currency: string
}

/** Changes the state of a drawdown. Throws INVALID_STATE_TRANSITION. */
export function transitionDrawdown(drawdown: Drawdown, state: DrawdownState): Drawdown {
  assertTransition(drawdownTransitions, drawdown.state, state, drawdown.drawdownId)
  return { ...drawdown, state }
}

const statesToPayout: readonly DrawdownState[] = ['requested', 'approved', 'disbursed']

/** Returns the states that a drawdown went through in one commit, in order. */
export function statesPassed(before: Drawdown | null, { state }: Drawdown): DrawdownState[] {
  const passed = statesToPayout.slice(
    before ? statesToPayout.indexOf(before.state) + 1 : 0,
    statesToPayout.indexOf(state) + 1,
  )
  return passed.length > 0 ? passed : [state]
}

/**
 * Checks that the state of a facility allows drawdowns. Throws FACILITY_NOT_ACTIVE and
 * FACILITY_IN_ARREARS.
 */
export function requireDrawableState(facility: Facility): void {
  if (isDrawable(facility)) return
  if (facility.state === 'in-arrears') {
    throw new Problem('FACILITY_IN_ARREARS', { resourceId: facility.facilityId })
  }
  throw stateProblem(facility, 'FACILITY_NOT_ACTIVE', isDrawable)
}

/**
 * Checks that an amount can be drawn on a day. Throws FACILITY_NOT_ACTIVE, FACILITY_IN_ARREARS,
 * INVALID_AMOUNT, OUTSIDE_AVAILABILITY_PERIOD, BELOW_MINIMUM_DRAWDOWN, LIMIT_EXCEEDED,
 * INSUFFICIENT_COLLATERAL.
 */
export function requireDrawable(
  facility: Facility,
  { amountMinor, valueDate }: Payout,
  coverage: CoverageFact | null,
): void {
  requireDrawableState(facility)
  const { currency, minimumDrawdownMinor, availableTo, maturityDate, loan } = facility
  requirePositive(amountMinor)
  // The periods of a loan are counted from its first drawdown, so no drawdown can precede it.
  const isStarted = loan.disbursements.length > 0 && loan.terms.start > facility.availableFrom
  const availableFrom = isStarted ? loan.terms.start : facility.availableFrom
  const isOver = availableTo !== null && valueDate > availableTo
  // The maturity date of a loan without a drawdown, such as a reversed one, does not count.
  const hasTerm = facility.loan.terms.isRevolving || facility.disbursedMinor > 0n
  const isMature = hasTerm && maturityDate !== null && valueDate >= maturityDate
  if (valueDate < availableFrom || isOver || isMature) {
    const until = isMature ? `before ${maturityDate}` : `to ${availableTo ?? 'its maturity'}`
    const detail = `The value date is ${valueDate}; the facility can be drawn from ${availableFrom} ${until}.`
    throw inputProblem('OUTSIDE_AVAILABILITY_PERIOD', '/valueDate', detail)
  }
  if (amountMinor < minimumDrawdownMinor) {
    const detail = `The amount must be at least ${formatAmount(minimumDrawdownMinor, currency)} ${currency}.`
    throw inputProblem('BELOW_MINIMUM_DRAWDOWN', '/amount', detail)
  }
  const available = availableOf(facility)
  if (amountMinor > available) {
    const detail = `The facility has ${formatAmount(available, currency)} ${currency} available; the drawdown needs ${formatAmount(amountMinor, currency)} ${currency}.`
    throw inputProblem('LIMIT_EXCEEDED', '/amount', detail)
  }
  feesOfDrawdown(facility, amountMinor)
  requireCoverage(facility, amountMinor, coverage)
}

function requireCoverage(facility: Facility, amountMinor: bigint, coverage: CoverageFact | null) {
  const { requiredCoveragePct, currency, principalMinor, reservedMinor } = facility
  if (requiredCoveragePct === null) return
  const [integerPart, decimals = ''] = requiredCoveragePct.split('.')
  const exposure = principalMinor + reservedMinor + amountMinor
  const needed = exposure * BigInt(integerPart! + decimals)
  const allocated = coverage?.currency === currency ? BigInt(coverage.allocatedMinor) : 0n
  if (allocated * 100n * 10n ** BigInt(decimals.length) >= needed) return
  const detail = `The allocated collateral is ${formatAmount(allocated, currency)} ${currency}; ${requiredCoveragePct} % of the amount owed after the drawdown is required.`
  throw inputProblem('INSUFFICIENT_COLLATERAL', '/amount', detail)
}

/** Reserves a part of the limit for a drawdown that is not paid out yet. */
export function reserve(facility: Facility, amountMinor: bigint): Facility {
  return { ...facility, reservedMinor: facility.reservedMinor + amountMinor }
}

/** Releases the reservation of a drawdown. */
export function release(facility: Facility, amountMinor: bigint): Facility {
  return { ...facility, reservedMinor: facility.reservedMinor - amountMinor }
}

/** Plans a drawdown in the state `requested`. Throws whatever `disburse` throws. */
export function newDrawdown(
  facility: Facility,
  terms: DrawdownTerms,
  base: Versioned & { drawdownId: string },
): DrawdownPlan {
  const { facilityId, partyId, currency } = facility
  const change = disburse(facility, terms)
  const available = availableOf(facility)
  const drawdown: Drawdown = {
    ...base,
    ...terms,
    facilityId,
    partyId,
    state: 'requested',
    feeMinor: 0n,
    currency,
    availableBeforeMinor: available,
    availableAfterMinor: available - terms.amountMinor,
    outstandingMinor: change.facility.principalMinor,
    scheduleVersion: null,
    nextDueDate: null,
    nextDueMinor: null,
    postingInstructionId: null,
    reasonCode: null,
  }
  return { facility, drawdown, change }
}

/**
 * Returns the drawdown of a plan after its payout, with the resulting figures of the facility. The
 * drawdown must be approved.
 */
export function withPayout({ drawdown, facility: before, change }: DrawdownPlan): Drawdown {
  const { facility, version } = change
  return {
    ...transitionDrawdown(drawdown, 'disbursed'),
    feeMinor: facility.upfrontFeesChargedMinor - before.upfrontFeesChargedMinor,
    scheduleVersion: version.version,
    nextDueDate: facility.nextDueDate,
    nextDueMinor: facility.nextDueMinor,
    outstandingMinor: facility.principalMinor,
  }
}

/**
 * Pays out a drawdown: the principal increases, the schedule changes and upfront fees are charged.
 * Throws whatever `amendFacility` and `feesOfDrawdown` throw.
 */
export function disburse(facility: Facility, terms: Payout): ScheduleChange {
  const { amountMinor, valueDate: on } = terms
  const isActive = facility.state === 'active'
  const activeFacility = isActive ? facility : transitionFacility(facility, 'active')
  const change = amendFacility(activeFacility, {
    kind: 'disbursement',
    disbursement: { on, amountMinor },
  })
  const charged = withFees(change.facility, feesOfDrawdown(facility, amountMinor))
  return { ...change, facility: withPrincipal(charged, amountMinor) }
}

/**
 * Reverses the effects of a drawdown on a facility. Interest that was already booked for it is
 * corrected at the end of the day. Throws STATE_CONFLICT if a part of the drawdown was repaid or is
 * due, and whatever `amendFacility` throws.
 */
export function reverseDrawdownEffect(
  facility: Facility,
  terms: Payout & Pick<Drawdown, 'feeMinor'>,
): ScheduleChange {
  const { amountMinor, valueDate: on } = terms
  const { principalMinor, principalDueMinor, facilityId } = facility
  if (principalMinor - principalDueMinor < amountMinor) {
    const detail = 'A part of the drawdown was repaid or is due, so it cannot be reversed.'
    throw new Problem('STATE_CONFLICT', { detail, resourceId: facilityId })
  }
  const of = { kind: 'disbursement', disbursement: { on, amountMinor } } as const
  const change = amendForReversal(facility, { kind: 'reversal', of })
  const refunded = withFees(change.facility, -terms.feeMinor)
  return { ...change, facility: withPrincipal(refunded, -amountMinor) }
}

/**
 * Removes a drawdown from the schedule. Throws STATE_CONFLICT if later payments would then exceed
 * the amount owed.
 */
function amendForReversal(facility: Facility, cause: Amendment): ScheduleChange {
  try {
    return amendFacility(facility, cause)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'VALIDATION_FAILED') throw error
    const detail = 'A part of the drawdown was repaid, so it cannot be reversed.'
    const resourceId = facility.facilityId
    throw new Problem('STATE_CONFLICT', { detail, resourceId }, { cause: error })
  }
}

function withFees(facility: Facility, feeMinor: bigint): Facility {
  return { ...facility, upfrontFeesChargedMinor: facility.upfrontFeesChargedMinor + feeMinor }
}

function withPrincipal(facility: Facility, amountMinor: bigint): Facility {
  return {
    ...facility,
    principalMinor: facility.principalMinor + amountMinor,
    disbursedMinor: facility.disbursedMinor + amountMinor,
  }
}
