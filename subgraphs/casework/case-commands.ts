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
 * Opens a case. With a routing profile it looks for somebody at once. A delegated user opens their
 * own, of the types that are for customers. The same id with the same content answers the case.
 * Refuses with PARTY_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND for what it names, RESOURCE_EXISTS,
 * NOT_FOR_DELEGATED_USERS, and as `domain.openCase`.
 */
export function openCase(context: Context, asked: CaseAsked): Promise<Case> {
  const { caller } = context
  const { caseId, partyId = null, routingProfileId } = asked
  if (!maySee(caller, [partyId]))
    throw missingReference('PARTY_NOT_FOUND', partyId ?? '', '/partyId')
  // What is urgent, and who works on it, is not for customers to say.
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

/** A case with entries in its timeline, as one decision. */
export function happen(
  context: Context,
  about: Case,
  now: Date,
  happenings: readonly Happening[],
): Decided<Case> & { writes: NonNullable<Decided<Case>['writes']> } {
  const recorded = record(about, happenings, context.caller.subject, now)
  return { record: recorded.about, writes: [insertEntries(recorded.entries)] }
}

/** Acts that a customer may do to their own case. */
const ownActs: readonly CaseAct[] = ['withdraw', 'reopen']

/**
 * Does one act. A case that ends gives back whoever was to be found for it, and the time its documents
 * are kept begins. A delegated user withdraws and reopens what is of a type for customers.
 * Refuses with CASE_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS.
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

/** Lets whoever was found by routing go, or stops the search. */
async function giveBackTask(context: Context, { taskId }: Case) {
  const task = taskId === null ? null : await findTask(context, taskId)
  return task && task.state !== 'returned' ? [writeTaskState(task, 'returning')] : []
}

/**
 * Gives a case to somebody, or sends it to a routing profile to find somebody.
 * Refuses with CASE_NOT_FOUND, STATE_CONFLICT, AGENT_NOT_FOUND and ROUTING_PROFILE_NOT_FOUND for what
 * it names, VALIDATION_FAILED unless exactly one is named, NOT_FOR_DELEGATED_USERS.
 */
export function assignCase(
  context: Context,
  input: { caseId: string; agentId: string | null; routingProfileId: string | null },
): Promise<Case> {
  requireBank(context)
  const { caseId, agentId, routingProfileId } = input
  if ((agentId === null) === (routingProfileId === null)) {
    throw domain.invalid('/agentId', 'ONE_OF', 'Either an agent or a routing profile.')
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
 * Adds a note. What a customer writes is for both; a case that waited for them is resumed by it.
 * Refuses with CASE_NOT_FOUND, STATE_CONFLICT when it has ended.
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

/** A happening in a case; when its customer did what it waited for, it is resumed. */
export function answered(context: Context, before: Case, now: Date, happening: Happening) {
  const isAnswer = context.caller.partyId !== null && before.status === 'waiting-for-customer'
  if (!isAnswer) return { ...happen(context, before, now, [happening]), events: [] }
  const resumed = domain.actOnCase(before, 'resume', now)
  const decided = happen(context, resumed, now, [happening, { kind: 'resumed' }])
  const after = { ...decided.record, version: before.version + 1 }
  return { ...decided, events: publish(caseKind, after, 'casework.case.resumed').events }
}

/** Says what else a case is about. Refuses with CASE_NOT_FOUND, VALIDATION_FAILED, STATE_CONFLICT, NOT_FOR_DELEGATED_USERS. */
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

/** The case, when there is one and the caller may see it. Refuses with CASE_NOT_FOUND at a place in the body. */
export async function requireCase(context: Context, caseId: string): Promise<Case> {
  const about = await caseKind.find(context, caseId)
  if (about && maySee(context.caller, domain.ownersOf(about))) return about
  throw missingReference('CASE_NOT_FOUND', caseId, '/caseId')
}
