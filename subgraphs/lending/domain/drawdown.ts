import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { availableOf, moveFacility, type Facility } from './facility.ts'
import { feesOfDrawdown } from './upfront-fees.ts'
import type { Amendment } from './version.ts'
import { amendFacility, type ScheduleChange } from './schedule-change.ts'

export const drawdownStates = [
  'requested',
  'approved',
  'disbursed',
  'reversed',
  'declined',
  'cancelled',
] as const
export type DrawdownState = (typeof drawdownStates)[number]

export const drawdownMoves: Transitions<DrawdownState> = {
  requested: ['approved', 'declined', 'cancelled'],
  approved: ['disbursed', 'cancelled'],
  disbursed: ['reversed'],
  reversed: [],
  declined: [],
  cancelled: [],
}

/** Money that is drawn from a facility. The figures beside its amount are those of when it was asked for. */
export interface Drawdown extends Versioned {
  drawdownId: string
  facilityId: string
  partyId: string
  state: DrawdownState
  amountMinor: bigint
  /** Upfront fees deducted from the payment; zero until it is paid out. */
  feeMinor: bigint
  currency: string
  valueDate: LocalDate
  /** An account of the bank; null when it goes to an account elsewhere. */
  destinationArrangementId: string | null
  destinationIban: string | null
  destinationName: string | null
  purpose: string | null
  reference: string | null
  trancheId: string | null
  availableBeforeMinor: bigint
  availableAfterMinor: bigint
  outstandingMinor: bigint
  /** That of the schedule it made. */
  scheduleVersion: number | null
  nextDueDate: LocalDate | null
  nextDueMinor: bigint | null
  postingInstructionId: string | null
  reasonCode: string | null
}

/** What is asked of the limit. */
export interface DrawdownTerms {
  amountMinor: bigint
  valueDate: LocalDate
}

/** What is allocated as collateral for a facility, as its owner publishes it. */
export interface CoverageFact {
  allocatedMinor: string
  currency: string
}

/** Moves a drawdown to another state. Refuses with INVALID_STATE_TRANSITION. */
export function moveDrawdown(drawdown: Drawdown, state: DrawdownState): Drawdown {
  requireMove(drawdownMoves, drawdown.state, state, drawdown.drawdownId)
  return { ...drawdown, state }
}

/** Promises that the facility lends now. Refuses with FACILITY_NOT_ACTIVE, FACILITY_IN_ARREARS. */
export function requireLending({ facilityId, state }: Facility): void {
  if (state === 'approved' || state === 'active') return
  if (state === 'in-arrears') {
    throw new Problem('FACILITY_IN_ARREARS', { resourceId: facilityId })
  }
  throw new Problem('FACILITY_NOT_ACTIVE', {
    detail: `${facilityId} is ${state}.`,
    resourceId: facilityId,
    currentState: state,
    allowedStates: ['approved', 'active'],
  })
}

/**
 * Promises that so much may be drawn on that day.
 * Refuses with FACILITY_NOT_ACTIVE, FACILITY_IN_ARREARS, INVALID_AMOUNT, OUTSIDE_AVAILABILITY_PERIOD,
 * BELOW_MINIMUM_DRAWDOWN, LIMIT_EXCEEDED, INSUFFICIENT_COLLATERAL.
 */
export function requireDrawable(
  facility: Facility,
  { amountMinor, valueDate }: DrawdownTerms,
  coverage: CoverageFact | null,
): void {
  requireLending(facility)
  const { currency, minimumDrawdownMinor, availableTo, maturityDate, loan } = facility
  if (amountMinor <= 0n) throw refuse('INVALID_AMOUNT', '/amount', 'More than nothing.')
  // The periods of a loan are counted from its first drawdown: there is none before it.
  const isStarted = loan.disbursements.length > 0 && loan.terms.start > facility.availableFrom
  const availableFrom = isStarted ? loan.terms.start : facility.availableFrom
  const isOver = availableTo !== null && valueDate > availableTo
  // A loan that is not drawn has no maturity yet.
  const hasTerm = facility.loan.terms.isRevolving || facility.disbursedMinor > 0n
  const isMature = hasTerm && maturityDate !== null && valueDate >= maturityDate
  if (valueDate < availableFrom || isOver || isMature) {
    const until = isMature ? `before ${maturityDate}` : `to ${availableTo ?? 'its end'}`
    const detail = `It is available from ${availableFrom} ${until}.`
    throw refuse('OUTSIDE_AVAILABILITY_PERIOD', '/valueDate', detail)
  }
  if (amountMinor < minimumDrawdownMinor) {
    const detail = `At least ${formatAmount(minimumDrawdownMinor, currency)} ${currency}.`
    throw refuse('BELOW_MINIMUM_DRAWDOWN', '/amount', detail)
  }
  const available = availableOf(facility)
  if (amountMinor > available) {
    const detail = `${formatAmount(available, currency)} ${currency} is available.`
    throw refuse('LIMIT_EXCEEDED', '/amount', detail)
  }
  feesOfDrawdown(facility, amountMinor)
  requireCoverage(facility, amountMinor, coverage)
}

function requireCoverage(facility: Facility, amountMinor: bigint, fact: CoverageFact | null) {
  const { requiredCoveragePct, currency, principalMinor, reservedMinor } = facility
  if (requiredCoveragePct === null) return
  const [whole, decimals = ''] = requiredCoveragePct.split('.')
  const exposure = principalMinor + reservedMinor + amountMinor
  const needed = exposure * BigInt(whole! + decimals)
  const allocated = fact?.currency === currency ? BigInt(fact.allocatedMinor) : 0n
  if (allocated * 100n * 10n ** BigInt(decimals.length) >= needed) return
  const detail = `${formatAmount(allocated, currency)} ${currency} is allocated; ${requiredCoveragePct} % of what would be owed is required.`
  throw refuse('INSUFFICIENT_COLLATERAL', '/amount', detail)
}

/** Keeps a part of the limit for a drawdown that is not paid out yet. */
export function reserve(facility: Facility, amountMinor: bigint): Facility {
  return { ...facility, reservedMinor: facility.reservedMinor + amountMinor }
}

/** Gives back what was kept for it. */
export function release(facility: Facility, amountMinor: bigint): Facility {
  return { ...facility, reservedMinor: facility.reservedMinor - amountMinor }
}

/** A drawdown with what its payment made of the facility, which was `before`. */
export function paidOut(
  drawdown: Drawdown,
  before: Facility,
  { facility, version }: ScheduleChange,
): Drawdown {
  return {
    ...moveDrawdown(drawdown, 'disbursed'),
    feeMinor: facility.upfrontFeesChargedMinor - before.upfrontFeesChargedMinor,
    scheduleVersion: version.version,
    nextDueDate: facility.nextDueDate,
    nextDueMinor: facility.nextDueMinor,
    outstandingMinor: facility.principalMinor,
  }
}

/**
 * The facility after the money was paid out: more is owed, on a new schedule, and upfront fees are
 * charged. Rejects as `amendFacility` and `feesOfDrawdown`.
 */
export function disburse(facility: Facility, terms: DrawdownTerms): ScheduleChange {
  const { amountMinor, valueDate: on } = terms
  const active = facility.state === 'active' ? facility : moveFacility(facility, 'active')
  const change = amendFacility(active, {
    kind: 'disbursement',
    disbursement: { on, amountMinor },
  })
  const charged = withFees(change.facility, feesOfDrawdown(facility, amountMinor))
  return { ...change, facility: withPrincipal(charged, amountMinor) }
}

/**
 * The facility as if a drawdown had not been. Interest that was booked for it is taken back at the
 * end of the day. Refuses with STATE_CONFLICT when less than the drawdown is owed, and as
 * `amendFacility`.
 */
export function takeBack(
  facility: Facility,
  terms: DrawdownTerms & Pick<Drawdown, 'feeMinor'>,
): ScheduleChange {
  const { amountMinor, valueDate: on } = terms
  const { principalMinor, principalDueMinor, facilityId } = facility
  if (principalMinor - principalDueMinor < amountMinor) {
    const detail = 'Some of it was repaid or is due.'
    throw new Problem('STATE_CONFLICT', { detail, resourceId: facilityId })
  }
  const of = { kind: 'disbursement', disbursement: { on, amountMinor } } as const
  const change = amendRepaid(facility, { kind: 'reversal', of })
  const refunded = withFees(change.facility, -terms.feeMinor)
  return { ...change, facility: withPrincipal(refunded, -amountMinor) }
}

/** Without the drawdown, payments that were made after it may be more than was owed. */
function amendRepaid(facility: Facility, cause: Amendment): ScheduleChange {
  try {
    return amendFacility(facility, cause)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'VALIDATION_FAILED') throw error
    const detail = 'Some of it was repaid.'
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

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
