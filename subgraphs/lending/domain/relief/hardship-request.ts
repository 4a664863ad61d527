import type {
  HardshipStatus,
  HardshipType,
  HardshipReason,
} from '../../model/relief/enumerations.ts'
import { hardshipStates, type HardshipRequest } from '../../model/relief/hardship-request.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { assertTransition, isTerminal } from '../../../../kernel/domain/states.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import { addMonths, toDate } from '../../../../kernel/domain/day-count.ts'
import { isServiced, stateProblem, type Facility } from '../facilities/facility.ts'
import { validationError, validationFailed, inputProblem } from '../schedules/refusals.ts'
import type { ProductPolicy } from '../facilities/product-policy.ts'

/** The number of days before the decision deadline at which a request is escalated. */
const escalationDays = 5
const maxReasons = 4

export interface HardshipTerms {
  type: HardshipType
  reason: string
  requestedStartDate?: LocalDate | null
  requestedEndDate?: LocalDate | null
}

/**
 * Creates a request. The policy determines the decision deadline. Throws LOAN_NOT_ELIGIBLE_STATE,
 * START_DATE_IN_PAST, INVALID_DATE_RANGE, PERIOD_TOO_LONG, END_AFTER_MATURITY for payment holidays,
 * and VALIDATION_FAILED for an empty or too long reason.
 */
export function submitHardship(
  loan: Facility,
  input: HardshipTerms,
  policy: ProductPolicy,
  base: Versioned & Pick<HardshipRequest, 'hardshipRequestId' | 'caseId' | 'submittedBy'>,
): HardshipRequest {
  requireEligible(loan)
  const now = base.createdAt
  const length = input.reason.trim().length
  if (length < 1 || length > 2000) {
    throw validationFailed(
      validationError('/reason', 'LENGTH_INVALID', 'The reason must have 1 to 2,000 characters.'),
    )
  }
  requirePeriod(loan, input, policy, dateOf(now))
  const { hardshipDecisionDays: days } = policy
  const dayMs = 86_400_000
  const decisionDueBy = new Date(now.getTime() + days * dayMs)
  return {
    ...base,
    loanId: loan.facilityId,
    partyId: loan.partyId,
    currency: loan.currency,
    type: input.type,
    reason: input.reason,
    requestedStartDate: input.requestedStartDate ?? null,
    requestedEndDate: input.requestedEndDate ?? null,
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

/** Checks that the loan's state allows a change of terms. Throws LOAN_NOT_ELIGIBLE_STATE. */
export function requireEligible(facility: Facility): void {
  if (isServiced(facility) && facility.scheduleVersion > 0) return
  throw stateProblem(facility, 'LOAN_NOT_ELIGIBLE_STATE', isServiced)
}

function requirePeriod(
  { maturityDate, nextDueDate }: Facility,
  { type, requestedStartDate, requestedEndDate: end }: HardshipTerms,
  { hardshipReliefMonths: months }: ProductPolicy,
  today: LocalDate,
): void {
  const pointer = '/requestedEndDate'
  if (requestedStartDate && requestedStartDate < today) {
    throw inputProblem(
      'START_DATE_IN_PAST',
      '/requestedStartDate',
      `The start date is ${requestedStartDate}; it must not be before today, ${today}.`,
    )
  }
  if (!end) return
  const start = requestedStartDate ?? today
  if (end < start)
    throw inputProblem(
      'INVALID_DATE_RANGE',
      pointer,
      `The end date is ${end}; it must not be before ${start}.`,
    )
  if (type === 'payment-holiday' && maturityDate !== null && end > maturityDate) {
    throw inputProblem(
      'END_AFTER_MATURITY',
      pointer,
      `The end date is ${end}; the loan matures on ${maturityDate}.`,
    )
  }
  const from = requestedStartDate ?? nextDueDate ?? today
  if (end <= toDate(addMonths(from, months))) return
  throw inputProblem('PERIOD_TOO_LONG', pointer, `The period must be at most ${months} months.`)
}

/**
 * Changes the status of a request. A decided or withdrawn request is no longer escalated. Throws
 * INVALID_STATE_TRANSITION.
 */
export function transitionHardship(
  request: HardshipRequest,
  status: HardshipStatus,
): HardshipRequest {
  assertTransition(hardshipStates.table, request.status, status, request.hardshipRequestId)
  const isFinal = isTerminal(hardshipStates.table, status)
  return { ...request, status, escalateAt: isFinal ? null : request.escalateAt }
}

/** Approves or declines a request. Throws INVALID_STATE_TRANSITION. */
export function decideHardship(
  request: HardshipRequest,
  status: 'approved' | 'declined',
  decidedBy: string,
  now: Date,
): HardshipRequest {
  const decided = transitionHardship(request, status)
  return { ...decided, decidedAt: now, decidedBy }
}

/**
 * Returns the reasons without duplicates. Throws DECLINE_REASONS_REQUIRED if there are none or more
 * than four.
 */
export function reasonsOf(input: readonly HardshipReason[]): HardshipReason[] {
  const distinct = [...new Set(input)]
  if (distinct.length >= 1 && distinct.length <= maxReasons) return distinct
  throw inputProblem('DECLINE_REASONS_REQUIRED', '/reasons', `Send one to ${maxReasons} reasons.`)
}
