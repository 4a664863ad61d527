import type { DrawdownState } from '../../model/drawdowns/enumerations.ts'
import { fingerprint } from '../../../../kernel/writing/answer.ts'
import { maySee, requireBank, requireVisible } from '../../../../kernel/authorization/auth.ts'
import { command, type Decision } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { requireAlive } from '../../../../kernel/lifecycle/deceased.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { Problem } from '../../domain/problems.ts'
import { requireOtherBanks } from '../../../../kernel/environment/other-banks.ts'
import type { DomainEvent } from '../../../../kernel/events/events.ts'
import { publicationOf } from '../../../../kernel/writing/records.ts'
import {
  changeFacility,
  withNarrative,
  type FacilityChange,
} from '../facilities/change-facility.ts'
import {
  disburse,
  transitionDrawdown,
  withPayout,
  release,
  reserve,
  requireDrawable,
  statesPassed,
  reverseDrawdownEffect,
  type Drawdown,
  type DrawdownPlan,
} from '../../domain/drawdowns/drawdown.ts'
import { ownersOf, type Facility } from '../../domain/facilities/facility.ts'
import { lastBilledDate } from '../../domain/repayments/repayment.ts'
import { authenticateDrawdown } from './strong-authentication.ts'
import { planDrawdown, readCoverage, type DrawdownRequest } from './drawdown-request.ts'
import { postingOfDrawdown } from './drawdown-posting.ts'
import { drawdownKind } from '../../store/drawdowns/drawdown.ts'
import { facilityKind } from '../../store/facilities/facility.ts'

/**
 * Creates a drawdown. It is paid out at once, on its value date if that is later, or after an
 * approval if the facility requires it. A repeated request with the same ID and content returns the
 * existing drawdown. Throws RESOURCE_EXISTS, and whatever `planDrawdown` and `authenticateDrawdown`
 * throw.
 */
export function createDrawdown(context: Context, request: DrawdownRequest): Promise<Drawdown> {
  return command(context, 'createDrawdown', request, async () => {
    const existing = request.drawdownId
      ? await drawdownKind.find(context, request.drawdownId)
      : null
    const contentHash = fingerprint('createDrawdown', request)
    if (existing) return replayDrawdown(context, existing, contentHash)
    const now = context.now()
    const id = request.drawdownId ?? context.newId('drawdown')
    const plan = await planDrawdown(context, request, { id, contentHash, now })
    const { facility, drawdown } = plan
    const authenticated = await authenticateDrawdown(context, drawdown)
    const approved = transitionDrawdown(drawdown, 'approved')
    const isScheduled = drawdown.valueDate > dateOf(now)
    if (!facility.isApprovalRequired && !isScheduled) {
      const decision = await payOut(context, null, { ...plan, drawdown: approved })
      return { ...decision, writes: [...decision.writes!, ...authenticated] }
    }
    const change = { before: facility, after: reserve(facility, drawdown.amountMinor) }
    const first = facility.isApprovalRequired ? drawdown : approved
    const decision = await prepareCommit(context, null, first, change)
    return { ...decision, writes: [...decision.writes!, ...authenticated] }
  })
}

function replayDrawdown(context: Context, existing: Drawdown, contentHash: string) {
  const { drawdownId: resourceId } = existing
  const isVisible = maySee(context.caller, ownersOf(existing))
  if (isVisible && existing.contentHash === contentHash) return { result: existing, resourceId }
  throw new Problem('RESOURCE_EXISTS', { resourceId })
}

/** Prepares the commit of a drawdown and its facility. `before` is null for a new drawdown. */
async function prepareCommit(
  context: Context,
  before: Drawdown | null,
  drawdown: Drawdown,
  change: FacilityChange,
): Promise<Decision<Drawdown>> {
  const changed = await changeFacility(context, change)
  const after = {
    ...drawdown,
    postingInstructionId: drawdown.postingInstructionId ?? changed.postingInstructionIds[0] ?? null,
    ...(before && { version: before.version + 1, updatedAt: context.now() }),
  }
  const write = before ? drawdownKind.update(before, after) : drawdownKind.insert(after)
  return {
    result: after,
    resourceId: after.drawdownId,
    // A reserved drawdown moves money later, so its idempotency key is kept permanently, too.
    retainsKey: true,
    writes: [write, ...changed.writes],
    events: [...eventsOf(before, after), ...changed.events],
    facts: changed.facts,
  }
}

/** Returns the events of the states that a drawdown went through in one commit. */
export function eventsOf(before: Drawdown | null, after: Drawdown): DomainEvent[] {
  return statesPassed(before, after).flatMap(
    (state) => publicationOf(drawdownKind, after, `lending.drawdown.${state}`).events,
  )
}

/** Pays out an approved drawdown. In `plan.change.facility` its reservation is already released. */
function payOut(
  context: Context,
  before: Drawdown | null,
  plan: DrawdownPlan,
): Promise<Decision<Drawdown>> {
  const { facility, change } = plan
  const paid = withPayout(plan)
  const isFirst = facility.state === 'approved'
  const facilityChange: FacilityChange = {
    before: facility,
    after: change.facility,
    schedule: change,
    emit: isFirst ? ['lending.facility.activated'] : [],
    postings: [postingOfDrawdown(paid, facility, context.now())],
  }
  return prepareCommit(context, before, paid, facilityChange)
}

/** Reads a drawdown and its facility. Throws DRAWDOWN_NOT_FOUND. */
async function readDrawdownAndFacility(context: Context, drawdownId: string) {
  const found = await drawdownKind.find(context, drawdownId)
  const drawdown = requireVisible(context, found, ownersOf, 'DRAWDOWN_NOT_FOUND', drawdownId)
  const facility = (await facilityKind.find(context, drawdown.facilityId))!
  return { drawdown, facility }
}

/**
 * Approves a drawdown. If its value date has been reached, it is paid out at once with today as its
 * value date. Throws NOT_FOR_DELEGATED_USERS, DRAWDOWN_NOT_FOUND, INVALID_STATE_TRANSITION,
 * PARTY_DECEASED, RAIL_NOT_CONFIGURED, and whatever `requireDrawable` and `disburse` throw.
 */
export function approveDrawdown(context: Context, drawdownId: string): Promise<Drawdown> {
  requireBank(context)
  return command(context, 'approveDrawdown', { drawdownId }, async () => {
    const { drawdown, facility } = await readDrawdownAndFacility(context, drawdownId)
    const approved = transitionDrawdown(drawdown, 'approved')
    await requireAlive(context, facility.partyId, '/drawdownId')
    const today = dateOf(context.now())
    if (approved.valueDate > today) {
      return prepareCommit(context, drawdown, approved, { before: facility, after: facility })
    }
    return payOutReserved(context, facility, drawdown, { ...approved, valueDate: today })
  })
}

async function payOutReserved(
  context: Context,
  facility: Facility,
  before: Drawdown,
  drawdown: Drawdown,
): Promise<Decision<Drawdown>> {
  await requireAlive(context, facility.partyId, '/drawdownId')
  if (drawdown.destinationArrangementId === null) requireOtherBanks(context.bank, '/drawdownId')
  const released = release(facility, drawdown.amountMinor)
  requireDrawable(released, drawdown, await readCoverage(context, facility))
  const change = disburse(released, drawdown)
  return payOut(context, before, { facility, drawdown, change })
}

/**
 * Pays out an approved drawdown on its value date. If an installment has become due since that
 * date, the value date becomes today. If the drawdown can no longer be paid out, it is cancelled
 * and the problem code becomes its reason code. Returns null if the drawdown is no longer in the
 * state `approved`.
 */
export function executeDrawdown(context: Context, drawdownId: string): Promise<Drawdown | null> {
  return command<Drawdown | null>(context, 'executeDrawdown', { drawdownId }, async () => {
    const { drawdown, facility } = await readDrawdownAndFacility(context, drawdownId)
    if (drawdown.state !== 'approved') return { result: null }
    const isLate = lastBilledDate(facility) > drawdown.valueDate
    const valueDate = isLate ? dateOf(context.now()) : drawdown.valueDate
    try {
      return await payOutReserved(context, facility, drawdown, { ...drawdown, valueDate })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return abandon(context, facility, drawdown, 'cancelled', error.code)
    }
  })
}

/**
 * Declines a requested drawdown. Throws NOT_FOR_DELEGATED_USERS, DRAWDOWN_NOT_FOUND and
 * INVALID_STATE_TRANSITION.
 */
export function declineDrawdown(
  context: Context,
  drawdownId: string,
  reasonCode: string | null,
): Promise<Drawdown> {
  requireBank(context)
  return command(context, 'declineDrawdown', { drawdownId, reasonCode }, async () => {
    const { drawdown, facility } = await readDrawdownAndFacility(context, drawdownId)
    return abandon(context, facility, drawdown, 'declined', reasonCode)
  })
}

/**
 * Cancels a drawdown that has not been paid out. Throws DRAWDOWN_NOT_FOUND and
 * INVALID_STATE_TRANSITION.
 */
export function cancelDrawdown(context: Context, drawdownId: string): Promise<Drawdown> {
  return command(context, 'cancelDrawdown', { drawdownId }, async () => {
    const { drawdown, facility } = await readDrawdownAndFacility(context, drawdownId)
    return abandon(context, facility, drawdown, 'cancelled', null)
  })
}

function abandon(
  context: Context,
  facility: Facility,
  before: Drawdown,
  state: Extract<DrawdownState, 'declined' | 'cancelled'>,
  reasonCode: string | null,
): Promise<Decision<Drawdown>> {
  const drawdown = { ...transitionDrawdown(before, state), reasonCode }
  const after = release(facility, drawdown.amountMinor)
  return prepareCommit(context, before, drawdown, { before: facility, after })
}

/**
 * Reverses a drawdown that was paid out: reverses its posting and restores the schedule. Throws
 * NOT_FOR_DELEGATED_USERS, DRAWDOWN_NOT_FOUND, INVALID_STATE_TRANSITION, INSUFFICIENT_FUNDS if the
 * destination account no longer has the money, and whatever `reverseDrawdownEffect` throws.
 */
export function reverseDrawdown(context: Context, drawdownId: string): Promise<Drawdown> {
  requireBank(context)
  return command(context, 'reverseDrawdown', { drawdownId }, async () => {
    const { drawdown, facility } = await readDrawdownAndFacility(context, drawdownId)
    const reversed = transitionDrawdown(drawdown, 'reversed')
    const change = reverseDrawdownEffect(facility, drawdown)
    const instruction = {
      type: 'reversal' as const,
      reversesId: drawdown.postingInstructionId!,
      valueDate: dateOf(context.now()),
      isAdvice: false,
      clientTransactionId: drawdownId,
    }
    const text = `Reversal of drawdown ${drawdownId}`
    const posting = withNarrative(facility.facilityId, instruction, text)
    const facilityChange: FacilityChange = {
      before: facility,
      after: change.facility,
      schedule: change,
      postings: [posting],
    }
    return prepareCommit(context, drawdown, reversed, facilityChange)
  })
}
