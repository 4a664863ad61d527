import { caseStates, type Case, type CaseAction } from '../model/case.ts'
import { CaseStatus, type CaseType, type CasePriority } from '../model/enumerations.ts'
import { idPattern } from '../../../kernel/domain/ids.ts'
import { Problem } from './problems.ts'
import { applyTransition, type TransitionRequest } from '../../../kernel/domain/state-machine.ts'
import { initialState, isTerminal } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { rulesOf } from './case-type.ts'
import { acknowledge, runClock, startClock, stopClock } from './clock.ts'

export interface NewCase {
  caseType: CaseType
  title: string
  description?: string | null
  partyId?: string | null
  subjects?: readonly string[] | null
  priority?: CasePriority | null
  status?: string | null
}

const maxSubjects = 50

/**
 * Opens a case and starts its clock. Throws INVALID_INITIAL_STATUS, and VALIDATION_FAILED for
 * invalid subjects.
 */
export function openCase(
  request: NewCase,
  stamp: Versioned & { caseId: string; openedBy: string },
): Case {
  const now = stamp.createdAt
  return {
    ...stamp,
    ...startClock(request.caseType, now),
    caseType: request.caseType,
    title: request.title,
    description: request.description ?? null,
    partyId: request.partyId ?? null,
    subjects: subjectsOf(request.subjects ?? []),
    status: initialState(request.status, ['open'], 'open'),
    priority: request.priority ?? 'normal',
    outcome: null,
    assigneeId: null,
    queueId: null,
    taskId: null,
    openedAt: now,
    resolvedAt: null,
    endedAt: null,
    entries: 0,
  }
}

/**
 * Validates subjects and removes duplicates. Throws VALIDATION_FAILED for a malformed subject, and
 * for more than 50 subjects.
 */
export function subjectsOf(subjects: readonly string[], pointer = '/subjects'): string[] {
  subjects.forEach((subject, index) => {
    const [entity, id, ...rest] = subject.split('/')
    if (/^[a-z][a-z-]*$/.test(entity!) && id && idPattern.test(id) && rest.length === 0) return
    const detail = `"${subject}" does not have the form <entity>/<id>, such as hardship-request/hrd_1.`
    throw invalid(`${pointer}/${index}`, 'SUBJECT_INVALID', detail)
  })
  const uniqueSubjects = [...new Set(subjects)]
  if (uniqueSubjects.length <= maxSubjects) return uniqueSubjects
  const detail = `A case can have at most ${maxSubjects} subjects; this one has ${uniqueSubjects.length}.`
  throw invalid(pointer, 'TOO_MANY', detail)
}

/** Returns the parties that may see a case: its party, or none if the case is confidential. */
export function ownersOf({ partyId, caseType }: Pick<Case, 'partyId' | 'caseType'>): string[] {
  return partyId === null || rulesOf[caseType].isConfidential ? [] : [partyId]
}

/** Whether the status is final. */
export function hasEnded({ status }: Pick<Case, 'status'>): boolean {
  return isTerminal(caseStates.table, status)
}

/** Checks that a case has not ended. Throws STATE_CONFLICT. */
export function requireOpen(caseFile: Case): void {
  if (!hasEnded(caseFile)) return
  throw new Problem('STATE_CONFLICT', {
    detail: `The case ${caseFile.caseId} is ${caseFile.status} and cannot be changed.`,
    resourceId: caseFile.caseId,
    currentState: caseFile.status,
    allowedStates: CaseStatus.values.filter((status) => !isTerminal(caseStates.table, status)),
  })
}

/**
 * Performs an action on a case. The clock runs while the case is open or in progress. It is paused
 * while the case waits for the customer, is resolved or has ended. `text` is the outcome if the
 * action resolves or withdraws the case. Throws INVALID_STATE_TRANSITION.
 */
export function applyCaseAction(
  caseFile: Case,
  action: CaseAction,
  request: TransitionRequest,
  text: string | null = null,
): Case {
  const hasOutcome = action === 'resolveCase' || action === 'withdrawCase'
  const values = hasOutcome ? { outcome: text } : {}
  const after = applyTransition(caseStates, action, caseFile, request, values)
  const { now } = request
  const isRunning = after.status === 'in-progress'
  const clock = isRunning ? runClock(after, after.caseType, now) : stopClock(after, now)
  return { ...after, ...clock }
}

/** Assigns a case to an agent. Throws STATE_CONFLICT if the case has ended. */
export function assignCase(caseFile: Case, assigneeId: string): Case {
  requireOpen(caseFile)
  return { ...caseFile, assigneeId, queueId: null, taskId: null }
}

/** Unassigns a case and sends it to routing. Throws STATE_CONFLICT if the case has ended. */
export function sendToRouting(caseFile: Case, taskId: string): Case {
  requireOpen(caseFile)
  return { ...caseFile, assigneeId: null, queueId: null, taskId }
}

/** Sets the agent and the queue that routing found for a case; null for what it did not find. */
export function setRoutingResult(
  caseFile: Case,
  agentId: string | null,
  queueId: string | null,
): Case {
  return { ...caseFile, assigneeId: agentId, queueId }
}

/** Ends the routing of a case without an agent. */
export function clearTask(caseFile: Case): Case {
  return { ...caseFile, taskId: null }
}

/** Adds a subject to a case. Throws VALIDATION_FAILED, STATE_CONFLICT. */
export function linkSubject(caseFile: Case, subject: string): Case {
  requireOpen(caseFile)
  const [validSubject] = subjectsOf([subject], '/subject')
  if (caseFile.subjects.includes(validSubject!)) return caseFile
  return { ...caseFile, subjects: subjectsOf([...caseFile.subjects, validSubject!]) }
}

/** Records that a case is at risk of missing its deadline, or has missed it. */
export function raiseAlarm(caseFile: Case, alarm: 'breached' | 'at-risk', now: Date): Case {
  return { ...caseFile, ...acknowledge(caseFile, alarm, now) }
}

/** Returns the problem VALIDATION_FAILED with one error, for the property at `pointer`. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
