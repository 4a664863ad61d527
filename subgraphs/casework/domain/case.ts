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

/** What can be done to a case: from which states, to which. */
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

/** One matter the bank works on. */
export interface Case extends Versioned, Clock {
  caseId: string
  caseType: CaseType
  title: string
  description: string | null
  partyId: string | null
  /** What it is about, `<entity>/<id>`. */
  subjects: readonly string[]
  status: CaseStatus
  priority: CasePriority
  /** How it ended, in words. */
  outcome: string | null
  assigneeId: string | null
  queueId: string | null
  /** The interaction that is to find somebody for it, while one is. */
  taskId: string | null
  openedBy: string
  openedAt: Date
  resolvedAt: Date | null
  endedAt: Date | null
  /** How many entries its timeline has. */
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

/** Opens a case; its clock runs from now. Refuses with VALIDATION_FAILED (subjects), INVALID_INITIAL_STATUS. */
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

/** Each once. Refuses with VALIDATION_FAILED what is no `<entity>/<id>`, and more than 50. */
export function subjectsOf(subjects: readonly string[], pointer = '/subjects'): string[] {
  subjects.forEach((subject, at) => {
    const [entity, id, ...rest] = subject.split('/')
    if (/^[a-z][a-z-]*$/.test(entity!) && id && idPattern.test(id) && rest.length === 0) return
    throw invalid(`${pointer}/${at}`, 'SUBJECT_INVALID', 'Such as hardship-request/hrd_1.')
  })
  const once = [...new Set(subjects)]
  if (once.length <= mostSubjects) return once
  throw invalid(pointer, 'TOO_MANY', `At most ${mostSubjects}.`)
}

/** The parties that may know of a case. */
export function ownersOf({ partyId, caseType }: Pick<Case, 'partyId' | 'caseType'>): string[] {
  return partyId === null || rulesOf[caseType].isConfidential ? [] : [partyId]
}

/** Whether nothing comes after. */
export function hasEnded({ status }: Pick<Case, 'status'>): boolean {
  return caseMoves[status].length === 0
}

/** Refuses with STATE_CONFLICT a case that has ended. */
export function requireOpen(about: Case): void {
  if (!hasEnded(about)) return
  throw new Problem('STATE_CONFLICT', {
    detail: `${about.caseId} has ended.`,
    resourceId: about.caseId,
    currentState: about.status,
    allowedStates: caseStatuses.filter((status) => caseMoves[status].length > 0),
  })
}

/**
 * Does one act. The clock runs while the bank has the matter in hand, and stands while it waits for
 * the customer or is resolved. Refuses with INVALID_STATE_TRANSITION.
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

/** Gives a case to somebody. Refuses with STATE_CONFLICT one that has ended. */
export function assignCase(about: Case, assigneeId: string): Case {
  requireOpen(about)
  return { ...about, assigneeId, queueId: null, taskId: null }
}

/** Sends a case to look for somebody; whoever had it has it no more. Refuses with STATE_CONFLICT one that has ended. */
export function sendToRouting(about: Case, taskId: string): Case {
  requireOpen(about)
  return { ...about, assigneeId: null, queueId: null, taskId }
}

/** Follows where the search for somebody has come to: with somebody, or in a queue. */
export function followSearch(about: Case, agentId: string | null, queueId: string | null): Case {
  return { ...about, assigneeId: agentId, queueId }
}

/** Ends a search that cannot come to anything. */
export function endSearch(about: Case): Case {
  return { ...about, taskId: null }
}

/** Adds what a case is about. Refuses with VALIDATION_FAILED, STATE_CONFLICT. */
export function linkSubject(about: Case, subject: string): Case {
  requireOpen(about)
  const [known] = subjectsOf([subject], '/subject')
  if (about.subjects.includes(known!)) return about
  return { ...about, subjects: subjectsOf([...about.subjects, known!]) }
}

/** Records that the time is over, or nearly. */
export function ringAlarm(about: Case, alarm: 'breached' | 'at-risk', now: Date): Case {
  return { ...about, ...acknowledge(about, alarm, now) }
}

/** A refusal of one member of the request. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
