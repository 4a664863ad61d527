import { requireBank, requireVisible } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { requireAnotherPerson } from '../_kernel/principals.ts'
import { changeRecord, createRecord, versioned, type Decided } from '../_kernel/records.ts'
import type { AmountSent } from '../_kernel/scalars.ts'
import { isAmortising, ownersOf, type Facility } from './domain/facility.ts'
import { planRelief, type ReliefAsked, type ReliefPlan } from './domain/hardship-relief.ts'
import {
  decideHardship,
  moveHardship,
  reasonsOf,
  submitHardship,
  type HardshipAsked,
  type HardshipReason,
  type HardshipRequest,
} from './domain/hardship-request.ts'
import { approved } from './domain/payment-holiday.ts'
import { readAmount } from './drawdown-asked.ts'
import { newHoliday, toldOf } from './payment-holidays.ts'
import { readPolicy } from './read-policy.ts'
import type { HardshipEvent } from './relief-events.ts'
import { commitServiced, servicedToday } from './serve-facility.ts'
import { facilityKind } from './store/facility.ts'
import { findFacilityWithDues } from './store/facility-with-dues.ts'
import { hardshipKind } from './store/hardship-request.ts'
import { findHolidaysOf, paymentHolidayKind } from './store/payment-holiday.ts'

export interface HardshipRequestAsked extends HardshipAsked {
  loanId: string
  hardshipRequestId?: string | null
}

/**
 * Submits a hardship request; a case is opened for it, and the time of the bank to decide begins.
 * Refuses with LOAN_NOT_FOUND, RESOURCE_EXISTS, and as `submitHardship`.
 */
export function createHardshipRequest(
  context: Context,
  asked: HardshipRequestAsked,
): Promise<HardshipRequest> {
  const operation = 'createHardshipRequest'
  const { hardshipRequestId: id, loanId } = asked
  return createRecord(context, hardshipKind, operation, asked, id, async (made) => {
    const loan = await requireLoan(context, loanId)
    const policy = await readPolicy(context, loan)
    const head = {
      ...versioned(made),
      hardshipRequestId: made.id,
      caseId: context.newId('case'),
      submittedBy: context.caller.subject,
    }
    return { record: submitHardship(loan, asked, policy, head) }
  })
}

async function requireLoan(context: Context, loanId: string): Promise<Facility> {
  const found = await facilityKind.find(context, loanId)
  const loan = found && isAmortising(found) ? found : null
  return requireVisible(context, loan, ownersOf, 'LOAN_NOT_FOUND', loanId)
}

export interface ReliefSent extends Omit<ReliefAsked, 'instalmentMinor'> {
  instalmentAmount?: AmountSent | null
}

function reliefIn(loan: Facility, { instalmentAmount, ...relief }: ReliefSent): ReliefAsked {
  const instalmentMinor = instalmentAmount ? readAmount(loan, instalmentAmount) : null
  return { ...relief, instalmentMinor }
}

/**
 * Works out what granting a request would do: the one function that previews it and decides it.
 * Refuses with HARDSHIP_REQUEST_NOT_FOUND, and as `planRelief`.
 */
export async function previewRelief(
  context: Context,
  hardshipRequestId: string,
  relief: ReliefSent,
): Promise<{ loan: Facility; plan: ReliefPlan }> {
  const found = await hardshipKind.find(context, hardshipRequestId)
  const code = 'HARDSHIP_REQUEST_NOT_FOUND'
  const request = requireVisible(context, found, ownersOf, code, hardshipRequestId)
  return planOf(context, request, relief)
}

async function planOf(context: Context, request: HardshipRequest, sent: ReliefSent) {
  const found = (await findFacilityWithDues(context, request.loanId))!
  const loan = found.facility
  const policy = await readPolicy(context, loan)
  const earlier = await findHolidaysOf(context, request.loanId)
  const serviced = servicedToday(context, found)
  const asked = reliefIn(loan, sent)
  const today = dateOf(context.now())
  return { loan, plan: planRelief(serviced, request, asked, policy, earlier, today) }
}

export const hardshipActions = ['start', 'approve', 'decline'] as const
export type HardshipAction = (typeof hardshipActions)[number]

export interface HardshipReview {
  hardshipRequestId: string
  action: HardshipAction
  relief?: ReliefSent | null
  reasons?: readonly HardshipReason[] | null
}

/**
 * Takes a request in hand, grants it (the loan gets its new schedule in the same commit) or declines
 * it with its reasons. Whoever submitted it does not decide.
 * Refuses with HARDSHIP_REQUEST_NOT_FOUND, INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES,
 * DECLINE_REASONS_REQUIRED, NOT_FOR_DELEGATED_USERS, and as `planRelief`.
 */
export function reviewHardshipRequest(
  context: Context,
  review: HardshipReview,
): Promise<HardshipRequest> {
  requireBank(context)
  const { action, reasons } = review
  const by = context.caller.subject
  const operation = 'reviewHardshipRequest'
  if (action === 'start') {
    return changeRequest(context, operation, review, 'under-review', (before) => ({
      record: moveHardship(before, 'under-review'),
    }))
  }
  if (action === 'decline') {
    return changeRequest(context, operation, review, 'declined', async (before, now) => {
      const declined = decideHardship(before, 'declined', by, now)
      await requireOthersRequest(context, before)
      return { record: { ...declined, declineReasons: reasonsOf(reasons ?? []) } }
    })
  }
  return changeRequest(context, operation, review, 'approved', async (before, now) => {
    const decided = decideHardship(before, 'approved', by, now)
    await requireOthersRequest(context, before)
    return grant(context, decided, review.relief ?? {}, now)
  })
}

function requireOthersRequest(context: Context, request: HardshipRequest): Promise<void> {
  const { hardshipRequestId: resourceId, submittedBy } = request
  const detail =
    'The person who submitted a request, or owns the client that did, cannot decide it.'
  return requireAnotherPerson(context, [submittedBy], { resourceId, detail })
}

async function grant(
  context: Context,
  request: HardshipRequest,
  relief: ReliefSent,
  now: Date,
): Promise<Decided<HardshipRequest>> {
  const { loan, plan } = await planOf(context, request, relief)
  const { serviced, change } = plan
  const changed = await commitServiced(context, loan, serviced, { schedule: change })
  const holiday = holidayOf(context, loan, request, plan, now)
  const record: HardshipRequest = {
    ...request,
    effect: change.effect,
    scheduleVersion: change.version.version,
    paymentHolidayId: holiday?.paymentHolidayId ?? null,
  }
  const given = holiday ? [paymentHolidayKind.insert(holiday)] : []
  const told = holiday ? toldOf(holiday) : []
  return {
    record,
    writes: [...given, ...changed.writes],
    events: [...told, ...changed.events],
    facts: changed.facts,
    isKeyKept: true,
  }
}

/** The holiday that a relief is, as it is kept. */
function holidayOf(
  context: Context,
  loan: Facility,
  { contentHash, hardshipRequestId, reason }: HardshipRequest,
  { holiday, change }: ReliefPlan,
  now: Date,
) {
  if (!holiday) return null
  const made = { id: context.newId('paymentHoliday'), contentHash, now }
  const requested = newHoliday(made, loan, holiday, { reason, hardshipRequestId })
  return approved(requested, change, now)
}

/** Gives a request up. Refuses with HARDSHIP_REQUEST_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function cancelHardshipRequest(
  context: Context,
  hardshipRequestId: string,
): Promise<HardshipRequest> {
  const operation = 'cancelHardshipRequest'
  return changeRequest(context, operation, { hardshipRequestId }, 'cancelled', (before) => ({
    record: moveHardship(before, 'cancelled'),
  }))
}

type Fact = HardshipEvent extends `lending.hardship-request.${infer Name}` ? Name : never

function changeRequest(
  context: Context,
  operation: string,
  input: { hardshipRequestId: string },
  fact: Fact,
  decide: (
    before: HardshipRequest,
    now: Date,
  ) => Decided<HardshipRequest> | Promise<Decided<HardshipRequest>>,
): Promise<HardshipRequest> {
  const event = `lending.hardship-request.${fact}` as const
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
