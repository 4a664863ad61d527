import { fingerprint } from '../_kernel/answer.ts'
import { maySee, requireBank, requireVisible } from '../_kernel/auth.ts'
import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { requireAlive } from '../_kernel/deceased.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { requireOtherBanks } from '../_kernel/other-banks.ts'
import { publish, versioned } from '../_kernel/records.ts'
import { changeFacility, narrated, type FacilityChange } from './change-facility.ts'
import {
  disburse,
  moveDrawdown,
  paidOut,
  release,
  reserve,
  requireDrawable,
  takeBack,
  type Drawdown,
  type DrawdownState,
} from './domain/drawdown.ts'
import { availableOf, ownersOf, type Facility } from './domain/facility.ts'
import { lastBilledDate } from './domain/repayment.ts'
import type { ScheduleChange } from './domain/schedule-change.ts'
import { readCoverage, readDestination, readTerms, type DrawdownAsked } from './drawdown-asked.ts'
import { postingOfDrawdown } from './drawdown-posting.ts'
import type { DrawdownEvent } from './events.ts'
import { drawdownKind } from './store/drawdown.ts'
import { facilityKind } from './store/facility.ts'

/** What a drawdown would do. Nothing is stored. */
export interface DrawdownPlan {
  facility: Facility
  drawdown: Drawdown
  change: ScheduleChange
}

/**
 * Works a drawdown out: the one function that previews it and decides it.
 * Refuses with FACILITY_NOT_FOUND, and as `requireDrawable`, `readTerms`, `readDestination` and
 * `amendFacility`.
 */
export async function planDrawdown(context: Context, asked: DrawdownAsked): Promise<DrawdownPlan> {
  const { facilityId } = asked
  const found = await facilityKind.find(context, facilityId)
  const facility = requireVisible(context, found, ownersOf, 'FACILITY_NOT_FOUND', facilityId)
  await requireAlive(context, facility.partyId, '/facilityId')
  const terms = readTerms(context, facility, asked)
  requireDrawable(facility, terms, await readCoverage(context, facility))
  const destination = await readDestination(context, facility, asked.destination)
  const change = disburse(facility, terms)
  const id = asked.drawdownId ?? context.newId('drawdown')
  const contentHash = fingerprint('createDrawdown', asked)
  const before = availableOf(facility)
  const { currency, partyId } = facility
  const drawdown: Drawdown = {
    ...versioned({ id, contentHash, now: context.now() }),
    drawdownId: id,
    facilityId,
    partyId,
    state: 'requested',
    ...terms,
    feeMinor: 0n,
    currency,
    ...destination,
    purpose: asked.purpose ?? null,
    reference: asked.reference ?? null,
    trancheId: asked.trancheId ?? null,
    availableBeforeMinor: before,
    availableAfterMinor: before - terms.amountMinor,
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
 * Draws from a facility: at once, on a later day, or when somebody approved it, if the facility
 * asks for that. The same id with the same content answers the drawdown that is there.
 * Refuses with RESOURCE_EXISTS, and as `planDrawdown`.
 */
export function createDrawdown(context: Context, asked: DrawdownAsked): Promise<Drawdown> {
  return command(context, 'createDrawdown', asked, async () => {
    const existing = asked.drawdownId ? await drawdownKind.find(context, asked.drawdownId) : null
    if (existing) return answerAgain(context, existing, fingerprint('createDrawdown', asked))
    const plan = await planDrawdown(context, asked)
    const { facility, drawdown } = plan
    const created = { before: null, told: ['requested'] as const }
    if (facility.isApprovalRequired) {
      const after = reserve(facility, drawdown.amountMinor)
      return decided(context, { before: facility, after }, drawdown, created)
    }
    const approved = moveDrawdown(drawdown, 'approved')
    if (drawdown.valueDate > dateOf(context.now())) {
      const after = reserve(facility, drawdown.amountMinor)
      const told = ['requested', 'approved'] as const
      return decided(context, { before: facility, after }, approved, { before: null, told })
    }
    const told = ['requested', 'approved', 'disbursed'] as const
    return payOut(context, { ...plan, drawdown: approved }, { before: null, told })
  })
}

function answerAgain(context: Context, existing: Drawdown, contentHash: string) {
  const { drawdownId: resourceId } = existing
  const isMine = maySee(context.caller, ownersOf(existing))
  if (isMine && existing.contentHash === contentHash) return { result: existing, resourceId }
  throw new Problem('RESOURCE_EXISTS', { resourceId })
}

/** How a drawdown was before, null when it is new, and what is told of it. */
interface Happening {
  before: Drawdown | null
  told: readonly (DrawdownEvent extends `lending.drawdown.${infer Fact}` ? Fact : never)[]
}

/** One decision about a drawdown and its facility. */
async function decided(
  context: Context,
  change: FacilityChange,
  drawdown: Drawdown,
  { before, told }: Happening,
): Promise<Decision<Drawdown>> {
  const changed = await changeFacility(context, change)
  const after = {
    ...drawdown,
    postingInstructionId: drawdown.postingInstructionId ?? changed.postingInstructionIds[0] ?? null,
    ...(before && { version: before.version + 1, updatedAt: context.now() }),
  }
  const events = told.flatMap(
    (fact) => publish(drawdownKind, after, `lending.drawdown.${fact}`).events,
  )
  const write = before ? drawdownKind.update(before, after) : drawdownKind.insert(after)
  return {
    result: after,
    resourceId: after.drawdownId,
    // One that is reserved moves money later.
    isKeyKept: true,
    writes: [write, ...changed.writes],
    events: [...events, ...changed.events],
    facts: changed.facts,
  }
}

/** Pays an approved drawdown out. `plan.change.facility` has what was kept for it given back. */
function payOut(
  context: Context,
  { facility, drawdown, change }: DrawdownPlan,
  happening: Happening,
): Promise<Decision<Drawdown>> {
  const paid = paidOut(drawdown, facility, change)
  const isFirst = facility.state === 'approved'
  const facilityChange: FacilityChange = {
    before: facility,
    after: change.facility,
    schedule: change,
    tell: isFirst ? ['lending.facility.activated'] : [],
    postings: [postingOfDrawdown(paid, facility, context.now())],
  }
  return decided(context, facilityChange, paid, happening)
}

/** Reads a drawdown and its facility. Refuses with DRAWDOWN_NOT_FOUND. */
async function readBoth(context: Context, drawdownId: string) {
  const found = await drawdownKind.find(context, drawdownId)
  const drawdown = requireVisible(context, found, ownersOf, 'DRAWDOWN_NOT_FOUND', drawdownId)
  const facility = (await facilityKind.find(context, drawdown.facilityId))!
  return { drawdown, facility }
}

/**
 * Approves a drawdown; it is paid out at once when its day has come, as of today at the earliest.
 * Refuses with DRAWDOWN_NOT_FOUND, INVALID_STATE_TRANSITION, and as `requireDrawable`.
 */
export function approveDrawdown(context: Context, drawdownId: string): Promise<Drawdown> {
  requireBank(context)
  return command(context, 'approveDrawdown', { drawdownId }, async () => {
    const { drawdown, facility } = await readBoth(context, drawdownId)
    const approved = moveDrawdown(drawdown, 'approved')
    await requireAlive(context, facility.partyId, '/drawdownId')
    const today = dateOf(context.now())
    if (approved.valueDate > today) {
      const change = { before: facility, after: facility }
      return decided(context, change, approved, { before: drawdown, told: ['approved'] })
    }
    const rolled = { ...approved, valueDate: today }
    const told = ['approved', 'disbursed'] as const
    return payOutReserved(context, facility, rolled, { before: drawdown, told })
  })
}

async function payOutReserved(
  context: Context,
  facility: Facility,
  drawdown: Drawdown,
  happening: Happening,
): Promise<Decision<Drawdown>> {
  await requireAlive(context, facility.partyId, '/drawdownId')
  if (drawdown.destinationArrangementId === null) requireOtherBanks(context.bank, '/drawdownId')
  const released = release(facility, drawdown.amountMinor)
  requireDrawable(released, drawdown, await readCoverage(context, facility))
  const change = disburse(released, drawdown)
  return payOut(context, { facility, drawdown, change }, happening)
}

/**
 * Pays out an approved drawdown whose day has come, as of that day, or of today when an instalment
 * became due since; one that is not possible any more is cancelled, with the code of why. Answers
 * null when somebody else did something to it first.
 */
export function executeDrawdown(context: Context, drawdownId: string): Promise<Drawdown | null> {
  return command<Drawdown | null>(context, 'executeDrawdown', { drawdownId }, async () => {
    const { drawdown, facility } = await readBoth(context, drawdownId)
    if (drawdown.state !== 'approved') return { result: null }
    const isLate = lastBilledDate(facility) > drawdown.valueDate
    const valueDate = isLate ? dateOf(context.now()) : drawdown.valueDate
    try {
      return await payOutReserved(
        context,
        facility,
        { ...drawdown, valueDate },
        {
          before: drawdown,
          told: ['disbursed'],
        },
      )
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return giveUp(context, facility, drawdown, 'cancelled', error.code)
    }
  })
}

/** Does not pay a requested drawdown out. Refuses with DRAWDOWN_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function declineDrawdown(
  context: Context,
  drawdownId: string,
  reasonCode: string | null,
): Promise<Drawdown> {
  requireBank(context)
  return command(context, 'declineDrawdown', { drawdownId, reasonCode }, async () => {
    const { drawdown, facility } = await readBoth(context, drawdownId)
    return giveUp(context, facility, drawdown, 'declined', reasonCode)
  })
}

/** Gives up a drawdown that was not paid out. Refuses with DRAWDOWN_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function cancelDrawdown(context: Context, drawdownId: string): Promise<Drawdown> {
  return command(context, 'cancelDrawdown', { drawdownId }, async () => {
    const { drawdown, facility } = await readBoth(context, drawdownId)
    return giveUp(context, facility, drawdown, 'cancelled', null)
  })
}

function giveUp(
  context: Context,
  facility: Facility,
  before: Drawdown,
  state: Extract<DrawdownState, 'declined' | 'cancelled'>,
  reasonCode: string | null,
): Promise<Decision<Drawdown>> {
  const drawdown = { ...moveDrawdown(before, state), reasonCode }
  const after = release(facility, drawdown.amountMinor)
  return decided(context, { before: facility, after }, drawdown, { before, told: [state] })
}

/**
 * Takes a drawdown back that was paid out: the money, and the schedule as if it had not been.
 * Refuses with DRAWDOWN_NOT_FOUND, INVALID_STATE_TRANSITION, INSUFFICIENT_FUNDS when the money is
 * not where it was paid to, and as `takeBack`.
 */
export function reverseDrawdown(context: Context, drawdownId: string): Promise<Drawdown> {
  requireBank(context)
  return command(context, 'reverseDrawdown', { drawdownId }, async () => {
    const { drawdown, facility } = await readBoth(context, drawdownId)
    const reversed = moveDrawdown(drawdown, 'reversed')
    const change = takeBack(facility, drawdown)
    const instruction = {
      type: 'reversal' as const,
      reversesId: drawdown.postingInstructionId!,
      valueDate: dateOf(context.now()),
      isAdvice: false,
      clientTransactionId: drawdownId,
    }
    const posting = narrated(instruction, `Drawdown ${drawdownId} taken back`)
    const facilityChange: FacilityChange = {
      before: facility,
      after: change.facility,
      schedule: change,
      postings: [posting],
    }
    return decided(context, facilityChange, reversed, { before: drawdown, told: ['reversed'] })
  })
}
