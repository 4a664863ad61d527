import { idPattern } from '../../_kernel/domain/ids.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { rulesOf, type CaseType } from './case-type.ts'
import { acknowledge, runClock, startClock, stopClock, type Clock } from './clock.ts'

export const caseStatuses = [
  'open',
  'in-progress',
  'waiting-for-customer',
  'resolved',
  'closed',
  'withdrawn',
] as const
export type CaseStatus = (typeof caseStatuses)[number]

export const caseMoves: Transitions<CaseStatus> = {
  open: ['in-progress', 'withdrawn'],
  'in-progress': ['waiting-for-customer', 'resolved', 'withdrawn'],
  'waiting-for-customer': ['in-progress', 'withdrawn'],
  resolved: ['in-progress', 'closed'],
  closed: [],
  withdrawn: [],
}

/** The actions on a case: the statuses they start from and lead to. */
export const caseActs = {
  start: { from: ['open'], to: 'in-progress' },
  waitForCustomer: { from: ['in-progress'], to: 'waiting-for-customer' },
  resume: { from: ['waiting-for-customer'], to: 'in-progress' },
  resolve: { from: ['in-progress'], to: 'resolved' },
  reopen: { from: ['resolved'], to: 'in-progress' },
  close: { from: ['resolved'], to: 'closed' },
  withdraw: { from: ['open', 'in-progress', 'waiting-for-customer'], to: 'withdrawn' },
} as const satisfies Record<string, { from: readonly CaseStatus[]; to: CaseStatus }>
export type CaseAct = keyof typeof caseActs

export const casePriorities = ['low', 'normal', 'high', 'urgent'] as const
export type CasePriority = (typeof casePriorities)[number]

/** A matter the bank works on for a party, within a due time. */
export interface Case extends Versioned, Clock {
  caseId: string
  caseType: CaseType
  title: string
  description: string | null
  partyId: string | null
  /** The records the case is about, as `<entity>/<id>`. */
  subjects: readonly string[]
  status: CaseStatus
  priority: CasePriority
  /** The outcome, or the reason it was withdrawn. */
  outcome: string | null
  assigneeId: string | null
  queueId: string | null
  /** The interaction that routes the case to an agent; null if none does. */
  taskId: string | null
  openedBy: string
  openedAt: Date
  resolvedAt: Date | null
  endedAt: Date | null
  /** The number of timeline entries. */
  entries: number
}

export interface NewCase {
  caseType: CaseType
  title: string
  description?: string | null
  partyId?: string | null
  subjects?: readonly string[] | null
  priority?: CasePriority | null
  status?: string | null
}

const mostSubjects = 50

/**
 * Opens a case and starts its clock. Throws VALIDATION_FAILED (subjects), INVALID_INITIAL_STATUS.
 */
export function openCase(
  asked: NewCase,
  made: Versioned & { caseId: string; openedBy: string },
): Case {
  const now = made.createdAt
  return {
    ...made,
    ...startClock(asked.caseType, now),
    caseType: asked.caseType,
    title: asked.title,
    description: asked.description ?? null,
    partyId: asked.partyId ?? null,
    subjects: subjectsOf(asked.subjects ?? []),
    status: initialState(asked.status, ['open'], 'open'),
    priority: asked.priority ?? 'normal',
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
 * Validates and deduplicates subjects. Throws VALIDATION_FAILED for a malformed subject, and for
 * more than 50.
 */
export function subjectsOf(subjects: readonly string[], pointer = '/subjects'): string[] {
  subjects.forEach((subject, at) => {
    const [entity, id, ...rest] = subject.split('/')
    if (/^[a-z][a-z-]*$/.test(entity!) && id && idPattern.test(id) && rest.length === 0) return
    const detail = `"${subject}" is not <entity>/<id>, such as hardship-request/hrd_1.`
    throw invalid(`${pointer}/${at}`, 'SUBJECT_INVALID', detail)
  })
  const once = [...new Set(subjects)]
  if (once.length <= mostSubjects) return once
  const detail = `A case can have at most ${mostSubjects} subjects; this one has ${once.length}.`
  throw invalid(pointer, 'TOO_MANY', detail)
}

/** The parties that can see a case. */
export function ownersOf({ partyId, caseType }: Pick<Case, 'partyId' | 'caseType'>): string[] {
  return partyId === null || rulesOf[caseType].isConfidential ? [] : [partyId]
}

/** Whether the status is final. */
export function hasEnded({ status }: Pick<Case, 'status'>): boolean {
  return caseMoves[status].length === 0
}

/** Throws STATE_CONFLICT if the case has ended. */
export function requireOpen(about: Case): void {
  if (!hasEnded(about)) return
  throw new Problem('STATE_CONFLICT', {
    detail: `The case ${about.caseId} is ${about.status} and cannot be changed.`,
    resourceId: about.caseId,
    currentState: about.status,
    allowedStates: caseStatuses.filter((status) => caseMoves[status].length > 0),
  })
}

/**
 * Performs an action. The clock runs while the case is open or in progress, and pauses while it
 * waits for the customer or is resolved. Throws INVALID_STATE_TRANSITION.
 */
export function actOnCase(about: Case, act: CaseAct, now: Date, outcome?: string | null): Case {
  const { from, to }: { from: readonly CaseStatus[]; to: CaseStatus } = caseActs[act]
  const { status, caseId } = about
  const isFrom = from.includes(status)
  const allowed = caseMoves[status].filter((next) => isFrom || next !== to)
  requireMove({ ...caseMoves, [status]: allowed }, status, to, caseId)
  const clock = to === 'in-progress' ? runClock(about, about.caseType, now) : stopClock(about, now)
  const moved = { ...about, ...clock, status: to }
  if (act === 'resolve') return { ...moved, outcome: outcome ?? null, resolvedAt: now }
  if (act === 'reopen') return { ...moved, outcome: null, resolvedAt: null }
  if (act === 'withdraw') return { ...moved, outcome: outcome ?? null, endedAt: now }
  return act === 'close' ? { ...moved, endedAt: now } : moved
}

/** Assigns a case to an agent. Throws STATE_CONFLICT if it has ended. */
export function assignCase(about: Case, assigneeId: string): Case {
  requireOpen(about)
  return { ...about, assigneeId, queueId: null, taskId: null }
}

/** Unassigns a case and sends it to routing. Throws STATE_CONFLICT if it has ended. */
export function sendToRouting(about: Case, taskId: string): Case {
  requireOpen(about)
  return { ...about, assigneeId: null, queueId: null, taskId }
}

/** Applies the progress of routing: the agent or the queue. */
export function followSearch(about: Case, agentId: string | null, queueId: string | null): Case {
  return { ...about, assigneeId: agentId, queueId }
}

/** Ends routing without an agent. */
export function endSearch(about: Case): Case {
  return { ...about, taskId: null }
}

/** Adds a subject to a case. Throws VALIDATION_FAILED, STATE_CONFLICT. */
export function linkSubject(about: Case, subject: string): Case {
  requireOpen(about)
  const [known] = subjectsOf([subject], '/subject')
  if (about.subjects.includes(known!)) return about
  return { ...about, subjects: subjectsOf([...about.subjects, known!]) }
}

/** Records that a case is at risk or breached its due time. */
export function ringAlarm(about: Case, alarm: 'breached' | 'at-risk', now: Date): Case {
  return { ...about, ...acknowledge(about, alarm, now) }
}

/** VALIDATION_FAILED for one member of the request. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
