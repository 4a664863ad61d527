import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { addMonths, toDate } from './calendar.ts'
import type { Facility } from './facility.ts'
import { fault, invalid } from './refusals.ts'
import { requireSecondPerson } from './second-person.ts'
import type { ReliefPolicy } from './relief-policy.ts'
import type { AmendmentEffect } from './version.ts'

export const hardshipTypes = [
  'payment-holiday',
  'term-extension',
  'restructure',
  'temporary-reduction',
] as const
export type HardshipType = (typeof hardshipTypes)[number]

export const hardshipStatuses = [
  'submitted',
  'under-review',
  'approved',
  'declined',
  'cancelled',
] as const
export type HardshipStatus = (typeof hardshipStatuses)[number]

/** The specification names the states; the moves are ours. */
export const hardshipMoves: Transitions<HardshipStatus> = {
  submitted: ['under-review', 'cancelled'],
  'under-review': ['approved', 'declined', 'cancelled'],
  approved: [],
  declined: [],
  cancelled: [],
}

/** Why a request is not granted. */
export const hardshipReasons = [
  'ability-to-pay-not-affected',
  'hardship-not-evidenced',
  'no-prospect-of-repayment',
  'information-not-provided',
  'relief-not-suitable',
  'relief-limit-reached',
  'other',
] as const
export type HardshipReason = (typeof hardshipReasons)[number]

/** How long before the end of the time somebody is told. */
const escalationDays = 5
const mostReasons = 4

/** A borrower who cannot pay as agreed asks for other terms. */
export interface HardshipRequest extends Versioned {
  hardshipRequestId: string
  /** The facility that the loan is. */
  loanId: string
  partyId: string
  currency: string
  type: HardshipType
  reason: string
  requestedStartDate: LocalDate | null
  requestedEndDate: LocalDate | null
  status: HardshipStatus
  submittedAt: Date
  submittedBy: string
  decisionDueBy: Date
  /** When somebody is to be told that the time is nearly over; null when that was done, or is not needed. */
  escalateAt: Date | null
  caseId: string
  caseState: 'wanted' | 'opened' | 'refused'
  decidedAt: Date | null
  decidedBy: string | null
  declineReasons: readonly HardshipReason[]
  effect: AmendmentEffect | null
  scheduleVersion: number | null
  paymentHolidayId: string | null
}

export interface HardshipAsked {
  type: HardshipType
  reason: string
  requestedStartDate?: LocalDate | null
  requestedEndDate?: LocalDate | null
}

/**
 * Submits a request; the bank has the days of the policy to decide.
 * Refuses with LOAN_NOT_ELIGIBLE_STATE, VALIDATION_FAILED (reason), START_DATE_IN_PAST,
 * INVALID_DATE_RANGE, END_AFTER_MATURITY (holidays), PERIOD_TOO_LONG.
 */
export function submitHardship(
  loan: Facility,
  asked: HardshipAsked,
  policy: ReliefPolicy,
  made: Versioned & Pick<HardshipRequest, 'hardshipRequestId' | 'caseId' | 'submittedBy'>,
): HardshipRequest {
  requireEligible(loan)
  const now = made.createdAt
  const length = asked.reason.trim().length
  if (length < 1 || length > 2000) {
    throw invalid(fault('/reason', 'LENGTH_INVALID', '1 to 2,000 characters.'))
  }
  requirePeriod(loan, asked, policy, dateOf(now))
  const { hardshipDecisionDays: days } = policy
  const dayMs = 86_400_000
  const decisionDueBy = new Date(now.getTime() + days * dayMs)
  return {
    ...made,
    loanId: loan.facilityId,
    partyId: loan.partyId,
    currency: loan.currency,
    type: asked.type,
    reason: asked.reason,
    requestedStartDate: asked.requestedStartDate ?? null,
    requestedEndDate: asked.requestedEndDate ?? null,
    status: 'submitted',
    submittedAt: now,
    decisionDueBy,
    escalateAt: new Date(decisionDueBy.getTime() - escalationDays * dayMs),
    caseState: 'wanted',
    decidedAt: null,
    decidedBy: null,
    declineReasons: [],
    effect: null,
    scheduleVersion: null,
    paymentHolidayId: null,
  }
}

/** Promises that the terms of a loan may change. Refuses with LOAN_NOT_ELIGIBLE_STATE. */
export function requireEligible({ state, facilityId, scheduleVersion }: Facility): void {
  if ((state === 'active' || state === 'in-arrears') && scheduleVersion > 0) return
  throw new Problem('LOAN_NOT_ELIGIBLE_STATE', {
    detail: `${facilityId} is ${state}.`,
    resourceId: facilityId,
    currentState: state,
    allowedStates: ['active', 'in-arrears'],
  })
}

function requirePeriod(
  { maturityDate, nextDueDate }: Facility,
  { type, requestedStartDate, requestedEndDate: end }: HardshipAsked,
  { hardshipReliefMonths: months }: ReliefPolicy,
  today: LocalDate,
): void {
  const pointer = '/requestedEndDate'
  if (requestedStartDate && requestedStartDate < today) {
    throw refuse('START_DATE_IN_PAST', '/requestedStartDate', `Today is ${today}.`)
  }
  if (!end) return
  const start = requestedStartDate ?? today
  if (end < start) throw refuse('INVALID_DATE_RANGE', pointer, `Not before ${start}.`)
  if (type === 'payment-holiday' && maturityDate !== null && end > maturityDate) {
    throw refuse('END_AFTER_MATURITY', pointer, `The loan ends on ${maturityDate}.`)
  }
  const from = requestedStartDate ?? nextDueDate ?? today
  if (end <= toDate(addMonths(from, months))) return
  throw refuse('PERIOD_TOO_LONG', pointer, `At most ${months} months.`)
}

/** Moves a request. One that is decided or given up is not escalated. Refuses with INVALID_STATE_TRANSITION. */
export function moveHardship(request: HardshipRequest, status: HardshipStatus): HardshipRequest {
  requireMove(hardshipMoves, request.status, status, request.hardshipRequestId)
  const isOver = hardshipMoves[status].length === 0
  return { ...request, status, escalateAt: isOver ? null : request.escalateAt }
}

/**
 * Decides a request. Whoever submitted it does not.
 * Refuses with INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES.
 */
export function decideHardship(
  request: HardshipRequest,
  status: 'approved' | 'declined',
  by: string,
  now: Date,
): HardshipRequest {
  const decided = moveHardship(request, status)
  requireSecondPerson(by, request.submittedBy, request.hardshipRequestId)
  return { ...decided, decidedAt: now, decidedBy: by }
}

/** Refuses with DECLINE_REASONS_REQUIRED none, or more than four; each once. */
export function reasonsOf(asked: readonly HardshipReason[]): HardshipReason[] {
  const once = [...new Set(asked)]
  if (once.length >= 1 && once.length <= mostReasons) return once
  const code = 'DECLINE_REASONS_REQUIRED'
  const detail = `One to ${mostReasons} reasons.`
  throw new Problem(code, { detail, errors: [{ pointer: '/reasons', code, detail }] })
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
