import { maySee, requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import type { Transition } from '../../../kernel/domain/state-machine.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
  type Decided,
} from '../../../kernel/writing/records.ts'
import { rulesOf } from '../domain/case-type.ts'
import * as domain from '../domain/case.ts'
import type { NewCase } from '../domain/case.ts'
import { withRetention } from '../domain/document.ts'
import { entryKindOf, appendToTimeline, type TimelineEvent } from '../domain/timeline.ts'
import type { CaseEvent } from '../events.ts'
import { caseStates, type Case, type CaseAction } from '../model/case.ts'
import type { CaseStatus } from '../model/enumerations.ts'
import { caseKind, findTask, insertEntries, insertTask, writeTaskState } from '../store/case.ts'
import { documentKind, findDocumentsOf } from '../store/document.ts'

export interface CaseRequest extends NewCase {
  caseId?: string | null
  routingProfileId?: string | null
}

/**
 * Opens a case, and sends it to routing if a routing profile is given. Delegated users can open
 * self-service cases for themselves. A repeated request with the same ID and content returns the
 * existing case.
 * Throws PARTY_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND, RESOURCE_EXISTS, NOT_FOR_DELEGATED_USERS, and
 * whatever `domain.openCase` throws.
 */
export function openCase(context: Context, request: CaseRequest): Promise<Case> {
  const { caller } = context
  const { caseId, partyId = null, routingProfileId } = request
  if (!maySee(caller, [partyId]))
    throw missingReference('PARTY_NOT_FOUND', partyId ?? '', '/partyId')
  // Customers cannot set the priority or the routing of their case.
  const hasDefaultHandling = !routingProfileId && !request.priority
  const canCustomersOpen = rulesOf[request.caseType].isSelfService && hasDefaultHandling
  if (!canCustomersOpen) requireBank(context)
  return createRecord(context, caseKind, 'openCase', request, caseId, async (stamp) => {
    await requireReferences(context, request)
    const identity = { ...versioned(stamp), caseId: stamp.id, openedBy: caller.subject }
    const openedCase = domain.openCase(request, identity)
    const timelineEvents: TimelineEvent[] = [{ kind: 'opened' }]
    if (!routingProfileId)
      return recordTimelineEvent(context, openedCase, stamp.now, timelineEvents)
    const routedCase = domain.sendToRouting(openedCase, context.newId('interaction'))
    const decision = recordTimelineEvent(context, routedCase, stamp.now, [
      ...timelineEvents,
      sentToRoutingEvent(routingProfileId),
    ])
    const task = { taskId: routedCase.taskId!, caseId: stamp.id, routingProfileId }
    return { ...decision, writes: [...decision.writes, insertTask(task, stamp.now)] }
  })
}

const sentToRoutingEvent = (routingProfileId: string): TimelineEvent => ({
  kind: 'sent-to-routing',
  text: routingProfileId,
})

async function requireReferences(context: Context, { partyId, routingProfileId }: CaseRequest) {
  const subjects = [`party/${partyId}`, `routing-profile/${routingProfileId}`]
  const [party, profile] = await readFacts(context, subjects)
  if (partyId && !party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
  if (routingProfileId && !profile) {
    throw missingReference('ROUTING_PROFILE_NOT_FOUND', routingProfileId, '/routingProfileId')
  }
}

/** Returns the decision that changes a case and appends entries to its timeline. */
export function recordTimelineEvent(
  context: Context,
  caseFile: Case,
  now: Date,
  timelineEvents: readonly TimelineEvent[],
): Decided<Case> & { writes: NonNullable<Decided<Case>['writes']> } {
  const timeline = appendToTimeline(caseFile, timelineEvents, context.caller.subject, now)
  return { record: timeline.caseFile, writes: [insertEntries(timeline.entries)] }
}

/**
 * Performs an action on a case. If the action ends the case, its routing ends and the retention
 * period of its documents starts. Delegated users can withdraw and reopen their self-service cases.
 * Throws CASE_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS.
 */
export function applyCaseAction(
  context: Context,
  action: CaseAction,
  input: { caseId: string; text: string | null },
): Promise<Case> {
  const transition: Transition<Case, CaseStatus, CaseEvent> = caseStates.transitions[action]
  if (!transition.isForDelegatedUsers) requireBank(context)
  const { caseId, text } = input
  const [event] = transition.event
  return changeRecord(context, caseKind, action, input, caseId, event, async (before, now) => {
    if (!rulesOf[before.caseType].isSelfService) requireBank(context)
    const request = { now, subject: context.caller.subject }
    const after = domain.applyCaseAction(before, action, request, text)
    const timelineEvents = [{ kind: entryKindOf[action], text }]
    if (!domain.hasEnded(after)) return recordTimelineEvent(context, after, now, timelineEvents)
    const taskWrites = await withdrawTask(context, before)
    const retention = await startRetention(context, caseId, now)
    const endedCase = { ...after, taskId: null }
    const decision = recordTimelineEvent(context, endedCase, now, timelineEvents)
    return {
      ...decision,
      writes: [...decision.writes, ...taskWrites, ...retention.writes],
      events: retention.events,
    }
  })
}

async function startRetention(context: Context, caseId: string, now: Date) {
  const documents = await findDocumentsOf(context, caseId)
  const retention = documents.map((before) => {
    const after = { ...withRetention(before, now), version: before.version + 1, updatedAt: now }
    return { before, after }
  })
  const event = 'casework.document.retention-started'
  return {
    writes: retention.map(({ before, after }) => documentKind.update(before, after)),
    events: retention.flatMap(({ after }) => publicationOf(documentKind, after, event).events),
  }
}

/**
 * Returns the writes that end the routing of a case. The worker `routeCases` then cancels the
 * search for an agent, or completes the interaction of the assigned agent.
 */
async function withdrawTask(context: Context, { taskId }: Case) {
  const task = taskId === null ? null : await findTask(context, taskId)
  return task && task.state !== 'returned' ? [writeTaskState(task, 'returning')] : []
}

/**
 * Assigns a case to an agent, or sends it to routing, which finds an agent.
 * Throws CASE_NOT_FOUND, STATE_CONFLICT, AGENT_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND, and
 * VALIDATION_FAILED unless exactly one of `agentId` and `routingProfileId` is given.
 */
export function assignCase(
  context: Context,
  input: { caseId: string; agentId: string | null; routingProfileId: string | null },
): Promise<Case> {
  const { caseId, agentId, routingProfileId } = input
  if ((agentId === null) === (routingProfileId === null)) {
    throw domain.invalid('/agentId', 'ONE_OF', 'Send either agentId or routingProfileId.')
  }
  const isAgent = agentId !== null
  const event = isAgent ? 'casework.case.assigned' : 'casework.case.sent-to-routing'
  return changeRecord(
    context,
    caseKind,
    'assignCase',
    input,
    caseId,
    event,
    async (before, now) => {
      const subject = isAgent ? `agent/${agentId}` : `routing-profile/${routingProfileId}`
      const [fact] = await readFacts(context, [subject])
      if (!fact && isAgent) throw missingReference('AGENT_NOT_FOUND', agentId, '/agentId')
      if (!fact) {
        throw missingReference('ROUTING_PROFILE_NOT_FOUND', routingProfileId!, '/routingProfileId')
      }
      const taskWrites = await withdrawTask(context, before)
      if (isAgent) {
        const assignedCase = domain.assignCase(before, agentId)
        const decision = recordTimelineEvent(context, assignedCase, now, [
          { kind: 'assigned', text: agentId },
        ])
        return { ...decision, writes: [...decision.writes, ...taskWrites] }
      }
      const routedCase = domain.sendToRouting(before, context.newId('interaction'))
      const decision = recordTimelineEvent(context, routedCase, now, [
        sentToRoutingEvent(routingProfileId!),
      ])
      const task = { taskId: routedCase.taskId!, caseId, routingProfileId: routingProfileId! }
      return { ...decision, writes: [...decision.writes, ...taskWrites, insertTask(task, now)] }
    },
  )
}

/**
 * Adds a note. A note by a customer is always shared, and resumes a case that waits for the
 * customer. Only the bank receives the event of an internal note.
 * Throws CASE_NOT_FOUND, and STATE_CONFLICT if the case has ended.
 */
export function addNote(
  context: Context,
  input: { caseId: string; text: string; isShared: boolean },
): Promise<Case> {
  const { caseId, text } = input
  const isCustomer = context.caller.partyId !== null
  const event = 'casework.case.note-added'
  return changeRecord(context, caseKind, 'addCaseNote', input, caseId, event, (before, now) => {
    domain.requireOpen(before)
    const isShared = input.isShared || isCustomer
    const decision = recordCaseActivity(context, before, now, { kind: 'note', text, isShared })
    return isShared ? decision : { ...decision, parties: [] }
  })
}

/**
 * Appends an entry to the timeline. If the case waits for the customer and the customer made the
 * entry, the case resumes.
 */
export function recordCaseActivity(
  context: Context,
  before: Case,
  now: Date,
  timelineEvent: TimelineEvent,
) {
  const isCustomerReply =
    context.caller.partyId !== null && before.status === 'waiting-for-customer'
  if (!isCustomerReply)
    return { ...recordTimelineEvent(context, before, now, [timelineEvent]), events: [] }
  const request = { now, subject: context.caller.subject }
  const resumedCase = domain.applyCaseAction(before, 'resumeCase', request)
  const decision = recordTimelineEvent(context, resumedCase, now, [
    timelineEvent,
    { kind: 'resumed' },
  ])
  const after = { ...decision.record, version: before.version + 1 }
  return { ...decision, events: publicationOf(caseKind, after, 'casework.case.resumed').events }
}

/** Links a case to a record. Throws CASE_NOT_FOUND, VALIDATION_FAILED, STATE_CONFLICT. */
export function linkCase(
  context: Context,
  input: { caseId: string; subject: string },
): Promise<Case> {
  const { caseId, subject } = input
  const event = 'casework.case.linked'
  return changeRecord(context, caseKind, 'linkCase', input, caseId, event, (before, now) => {
    const after = domain.linkSubject(before, subject)
    if (after === before) return { record: before }
    return recordTimelineEvent(context, after, now, [{ kind: 'linked', text: subject }])
  })
}

/**
 * Returns the case with an ID. Throws CASE_NOT_FOUND if the case does not exist or the caller may
 * not see it.
 */
export async function requireCase(context: Context, caseId: string): Promise<Case> {
  const caseFile = await caseKind.find(context, caseId)
  if (caseFile && maySee(context.caller, domain.ownersOf(caseFile))) return caseFile
  throw missingReference('CASE_NOT_FOUND', caseId, '/caseId')
}
