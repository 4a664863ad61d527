import type { HardshipReason } from '../../model/relief/enumerations.ts'
import type { HardshipRequest } from '../../model/relief/hardship-request.ts'
import { requireBank, requireVisible } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { requireAnotherPerson } from '../../../../kernel/authorization/principals.ts'
import {
  changeRecord,
  createRecord,
  versioned,
  type Decided,
} from '../../../../kernel/writing/records.ts'
import type { AmountSent } from '../../../../kernel/domain/money.ts'
import { isAmortizing, ownersOf, type Facility } from '../../domain/facilities/facility.ts'
import {
  planRelief,
  type ReliefRequest,
  type ReliefPlan,
} from '../../domain/relief/hardship-relief.ts'
import {
  decideHardship,
  transitionHardship,
  reasonsOf,
  submitHardship,
  type HardshipTerms,
} from '../../domain/relief/hardship-request.ts'
import { approveHoliday } from '../../domain/relief/payment-holiday.ts'
import { readAmount } from '../facilities/customer-account.ts'
import { newHoliday, approvalEventsOf } from './payment-holiday.ts'
import { readPolicy } from '../../store/facilities/product-policy.ts'
import type { HardshipEvent } from '../../relief-events.ts'
import { changeServicedFacility, servicedToday } from '../servicing/service-facility.ts'
import { facilityKind } from '../../store/facilities/facility.ts'
import { findFacilityWithDues } from '../../store/repayments/facility-with-dues.ts'
import { hardshipKind } from '../../store/relief/hardship-request.ts'
import { findHolidaysOf, paymentHolidayKind } from '../../store/relief/payment-holiday.ts'

export interface HardshipRequestInput extends HardshipTerms {
  loanId: string
  hardshipRequestId?: string | null
}

/**
 * Submits a hardship request and starts the decision deadline. A worker then opens a case for it.
 * Throws LOAN_NOT_FOUND, RESOURCE_EXISTS, and whatever `submitHardship` throws.
 */
export function createHardshipRequest(
  context: Context,
  input: HardshipRequestInput,
): Promise<HardshipRequest> {
  const operation = 'createHardshipRequest'
  const { hardshipRequestId: id, loanId } = input
  return createRecord(context, hardshipKind, operation, input, id, async (stamp) => {
    const loan = await requireLoan(context, loanId)
    const policy = await readPolicy(context, loan)
    const base = {
      ...versioned(stamp),
      hardshipRequestId: stamp.id,
      caseId: context.newId('case'),
      submittedBy: context.caller.subject,
    }
    return { record: submitHardship(loan, input, policy, base) }
  })
}

async function requireLoan(context: Context, loanId: string): Promise<Facility> {
  const found = await facilityKind.find(context, loanId)
  const loan = found && isAmortizing(found) ? found : null
  return requireVisible(context, loan, ownersOf, 'LOAN_NOT_FOUND', loanId)
}

export interface ReliefInput extends Omit<ReliefRequest, 'installmentMinor'> {
  installmentAmount?: AmountSent | null
}

function readRelief(loan: Facility, { installmentAmount, ...relief }: ReliefInput): ReliefRequest {
  const installmentMinor = installmentAmount ? readAmount(loan, installmentAmount) : null
  return { ...relief, installmentMinor }
}

/**
 * Plans the relief of a request without granting it. Throws HARDSHIP_REQUEST_NOT_FOUND, and
 * whatever `planRelief` throws.
 */
export async function previewRelief(
  context: Context,
  hardshipRequestId: string,
  relief: ReliefInput,
): Promise<{ loan: Facility; plan: ReliefPlan }> {
  const found = await hardshipKind.find(context, hardshipRequestId)
  const code = 'HARDSHIP_REQUEST_NOT_FOUND'
  const request = requireVisible(context, found, ownersOf, code, hardshipRequestId)
  return planReliefOf(context, request, relief)
}

async function planReliefOf(context: Context, request: HardshipRequest, relief: ReliefInput) {
  const found = (await findFacilityWithDues(context, request.loanId))!
  const loan = found.facility
  const policy = await readPolicy(context, loan)
  const earlierHolidays = await findHolidaysOf(context, request.loanId)
  const serviced = servicedToday(context, found)
  const input = readRelief(loan, relief)
  const today = dateOf(context.now())
  return { loan, plan: planRelief(serviced, request, input, policy, earlierHolidays, today) }
}

export const hardshipActions = ['start', 'approve', 'decline'] as const
export type HardshipAction = (typeof hardshipActions)[number]

export interface HardshipReview {
  hardshipRequestId: string
  action: HardshipAction
  relief?: ReliefInput | null
  reasons?: readonly HardshipReason[] | null
}

/**
 * Starts the review of a request, approves it, or declines it with reasons. An approval changes the
 * schedule of the loan in the same commit. The person who submitted the request cannot decide on
 * it. Throws HARDSHIP_REQUEST_NOT_FOUND, INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES,
 * DECLINE_REASONS_REQUIRED, NOT_FOR_DELEGATED_USERS, and whatever `planRelief` throws.
 */
export function reviewHardshipRequest(
  context: Context,
  review: HardshipReview,
): Promise<HardshipRequest> {
  requireBank(context)
  const { action, reasons } = review
  const decider = context.caller.subject
  const operation = 'reviewHardshipRequest'
  if (action === 'start') {
    return changeRequest(context, operation, review, 'under-review', (before) => ({
      record: transitionHardship(before, 'under-review'),
    }))
  }
  if (action === 'decline') {
    return changeRequest(context, operation, review, 'declined', async (before, now) => {
      const declined = decideHardship(before, 'declined', decider, now)
      await requireOthersRequest(context, before)
      return { record: { ...declined, declineReasons: reasonsOf(reasons ?? []) } }
    })
  }
  return changeRequest(context, operation, review, 'approved', async (before, now) => {
    const decided = decideHardship(before, 'approved', decider, now)
    await requireOthersRequest(context, before)
    return grant(context, decided, review.relief ?? {}, now)
  })
}

function requireOthersRequest(context: Context, request: HardshipRequest): Promise<void> {
  const { hardshipRequestId: resourceId, submittedBy } = request
  const detail = 'The request must be decided by a person other than the one who submitted it.'
  return requireAnotherPerson(context, [submittedBy], { resourceId, detail })
}

async function grant(
  context: Context,
  request: HardshipRequest,
  relief: ReliefInput,
  now: Date,
): Promise<Decided<HardshipRequest>> {
  const { loan, plan } = await planReliefOf(context, request, relief)
  const { serviced, change } = plan
  const changed = await changeServicedFacility(context, loan, serviced, { schedule: change })
  const holiday = holidayOf(context, loan, request, plan, now)
  const record: HardshipRequest = {
    ...request,
    effect: change.effect,
    scheduleVersion: change.version.version,
    paymentHolidayId: holiday?.paymentHolidayId ?? null,
  }
  const holidayWrites = holiday ? [paymentHolidayKind.insert(holiday)] : []
  const holidayEvents = holiday ? approvalEventsOf(holiday) : []
  return {
    record,
    writes: [...holidayWrites, ...changed.writes],
    events: [...holidayEvents, ...changed.events],
    facts: changed.facts,
    retainsKey: true,
  }
}

/** Creates the payment holiday of a relief; null for other types of relief. */
function holidayOf(
  context: Context,
  loan: Facility,
  { contentHash, hardshipRequestId, reason }: HardshipRequest,
  { holiday, change }: ReliefPlan,
  now: Date,
) {
  if (!holiday) return null
  const stamp = { id: context.newId('paymentHoliday'), contentHash, now }
  const requested = newHoliday(stamp, loan, holiday, { reason, hardshipRequestId })
  return approveHoliday(requested, change, now)
}

type EventName = HardshipEvent extends `lending.hardship-request.${infer Name}` ? Name : never

function changeRequest(
  context: Context,
  operation: string,
  input: { hardshipRequestId: string },
  eventName: EventName,
  decide: (
    before: HardshipRequest,
    now: Date,
  ) => Decided<HardshipRequest> | Promise<Decided<HardshipRequest>>,
): Promise<HardshipRequest> {
  const event = `lending.hardship-request.${eventName}` as const
  return changeRecord(
    context,
    hardshipKind,
    operation,
    input,
    input.hardshipRequestId,
    event,
    decide,
  )
}
