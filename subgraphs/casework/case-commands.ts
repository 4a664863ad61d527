import { maySee, requireBank } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { missingReference } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { changeRecord, createRecord, publish, versioned, type Decided } from '../_kernel/records.ts'
import { rulesOf } from './domain/case-type.ts'
import * as domain from './domain/case.ts'
import type { Case, CaseAct, NewCase } from './domain/case.ts'
import { withRetention } from './domain/document.ts'
import { doneOf, record, type Happening } from './domain/timeline.ts'
import type { CaseEvent } from './events.ts'
import { caseKind, findTask, insertEntries, insertTask, writeTaskState } from './store/case.ts'
import { documentKind, findDocumentsOf } from './store/document.ts'

export interface CaseAsked extends NewCase {
  caseId?: string | null
  routingProfileId?: string | null
}

/**
 * Opens a case, and sends it to routing if a routing profile is given. Delegated users can open
 * self-service cases for themselves. Repeating the request with the same id and content returns the
 * existing case.
 * Throws PARTY_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND for unknown references, RESOURCE_EXISTS,
 * NOT_FOR_DELEGATED_USERS, and what `domain.openCase` throws.
 */
export function openCase(context: Context, asked: CaseAsked): Promise<Case> {
  const { caller } = context
  const { caseId, partyId = null, routingProfileId } = asked
  if (!maySee(caller, [partyId]))
    throw missingReference('PARTY_NOT_FOUND', partyId ?? '', '/partyId')
  // Customers cannot set the priority or the routing of their case.
  const isPlain = !routingProfileId && !asked.priority
  const isForCustomers = rulesOf[asked.caseType].isSelfService && isPlain
  if (!isForCustomers) requireBank(context)
  return createRecord(context, caseKind, 'openCase', asked, caseId, async (made) => {
    await requireReferences(context, asked)
    const head = { ...versioned(made), caseId: made.id, openedBy: caller.subject }
    const opened = domain.openCase(asked, head)
    const happenings: Happening[] = [{ kind: 'opened' }]
    if (!routingProfileId) return happen(context, opened, made.now, happenings)
    const sent = domain.sendToRouting(opened, context.newId('interaction'))
    const decided = happen(context, sent, made.now, [...happenings, toRouting(routingProfileId)])
    const task = { taskId: sent.taskId!, caseId: made.id, routingProfileId }
    return { ...decided, writes: [...decided.writes, insertTask(task, made.now)] }
  })
}

const toRouting = (routingProfileId: string): Happening => ({
  kind: 'sent-to-routing',
  text: routingProfileId,
})

async function requireReferences(context: Context, { partyId, routingProfileId }: CaseAsked) {
  const subjects = [`party/${partyId}`, `routing-profile/${routingProfileId}`]
  const [party, profile] = await readFacts(context, subjects)
  if (partyId && !party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
  if (routingProfileId && !profile) {
    throw missingReference('ROUTING_PROFILE_NOT_FOUND', routingProfileId, '/routingProfileId')
  }
}

/** The decision to change a case and append entries to its timeline. */
export function happen(
  context: Context,
  about: Case,
  now: Date,
  happenings: readonly Happening[],
): Decided<Case> & { writes: NonNullable<Decided<Case>['writes']> } {
  const recorded = record(about, happenings, context.caller.subject, now)
  return { record: recorded.about, writes: [insertEntries(recorded.entries)] }
}

/** Actions that customers can perform on their own cases. */
const ownActs: readonly CaseAct[] = ['withdraw', 'reopen']

/**
 * Performs an action on a case. When the case ends, its routing is canceled and the retention
 * period of its documents starts. Delegated users can withdraw and reopen their self-service cases.
 * Throws CASE_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS.
 */
export function actOnCase(
  context: Context,
  operation: string,
  act: CaseAct,
  input: { caseId: string; text: string | null },
): Promise<Case> {
  if (!ownActs.includes(act)) requireBank(context)
  const { caseId, text } = input
  const event: CaseEvent = `casework.case.${doneOf[act] as 'started'}`
  return changeRecord(context, caseKind, operation, input, caseId, event, async (before, now) => {
    if (!rulesOf[before.caseType].isSelfService) requireBank(context)
    const after = domain.actOnCase(before, act, now, text)
    if (!domain.hasEnded(after)) return happen(context, after, now, [{ kind: doneOf[act], text }])
    const released = await giveBackTask(context, before)
    const kept = await startRetention(context, caseId, now)
    const ended = { ...after, taskId: null }
    const decided = happen(context, ended, now, [{ kind: doneOf[act], text }])
    return {
      ...decided,
      writes: [...decided.writes, ...released, ...kept.writes],
      events: kept.events,
    }
  })
}

async function startRetention(context: Context, caseId: string, now: Date) {
  const documents = await findDocumentsOf(context, caseId)
  const kept = documents.map((before) => {
    const after = { ...withRetention(before, now), version: before.version + 1, updatedAt: now }
    return { before, after }
  })
  const event = 'casework.document.retention-started'
  return {
    writes: kept.map(({ before, after }) => documentKind.update(before, after)),
    events: kept.flatMap(({ after }) => publish(documentKind, after, event).events),
  }
}

/** Cancels the routing of a case, or frees the agent it assigned. */
async function giveBackTask(context: Context, { taskId }: Case) {
  const task = taskId === null ? null : await findTask(context, taskId)
  return task && task.state !== 'returned' ? [writeTaskState(task, 'returning')] : []
}

/**
 * Assigns a case to an agent, or sends it to a routing profile to find one.
 * Throws CASE_NOT_FOUND, STATE_CONFLICT, AGENT_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND,
 * VALIDATION_FAILED unless exactly one of the two is given, NOT_FOR_DELEGATED_USERS.
 */
export function assignCase(
  context: Context,
  input: { caseId: string; agentId: string | null; routingProfileId: string | null },
): Promise<Case> {
  requireBank(context)
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
      const released = await giveBackTask(context, before)
      if (isAgent) {
        const assigned = domain.assignCase(before, agentId)
        const decided = happen(context, assigned, now, [{ kind: 'assigned', text: agentId }])
        return { ...decided, writes: [...decided.writes, ...released] }
      }
      const sent = domain.sendToRouting(before, context.newId('interaction'))
      const decided = happen(context, sent, now, [toRouting(routingProfileId!)])
      const task = { taskId: sent.taskId!, caseId, routingProfileId: routingProfileId! }
      return { ...decided, writes: [...decided.writes, ...released, insertTask(task, now)] }
    },
  )
}

/**
 * Adds a note. A customer's note is always shared, and resumes a case that waits for them.
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
    const note: Happening = { kind: 'note', text, isShared: input.isShared || isCustomer }
    return answered(context, before, now, note)
  })
}

/** Appends an entry, and resumes the case if it waits for the customer who made the entry. */
export function answered(context: Context, before: Case, now: Date, happening: Happening) {
  const isAnswer = context.caller.partyId !== null && before.status === 'waiting-for-customer'
  if (!isAnswer) return { ...happen(context, before, now, [happening]), events: [] }
  const resumed = domain.actOnCase(before, 'resume', now)
  const decided = happen(context, resumed, now, [happening, { kind: 'resumed' }])
  const after = { ...decided.record, version: before.version + 1 }
  return { ...decided, events: publish(caseKind, after, 'casework.case.resumed').events }
}

/**
 * Links a case to a record. Throws CASE_NOT_FOUND, VALIDATION_FAILED, STATE_CONFLICT,
 * NOT_FOR_DELEGATED_USERS.
 */
export function linkCase(
  context: Context,
  input: { caseId: string; subject: string },
): Promise<Case> {
  requireBank(context)
  const { caseId, subject } = input
  const event = 'casework.case.linked'
  return changeRecord(context, caseKind, 'linkCase', input, caseId, event, (before, now) => {
    const after = domain.linkSubject(before, subject)
    if (after === before) return { record: before }
    return happen(context, after, now, [{ kind: 'linked', text: subject }])
  })
}

/**
 * Returns a case referenced in the input. Throws CASE_NOT_FOUND if it does not exist or the caller
 * cannot see it.
 */
export async function requireCase(context: Context, caseId: string): Promise<Case> {
  const about = await caseKind.find(context, caseId)
  if (about && maySee(context.caller, domain.ownersOf(about))) return about
  throw missingReference('CASE_NOT_FOUND', caseId, '/caseId')
}
