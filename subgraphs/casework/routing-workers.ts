import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { isRetryable } from '../_kernel/graph/errors.ts'
import { publish } from '../_kernel/records.ts'
import { doEach, type Worker } from '../_kernel/worker.ts'
import {
  AbandonTaskDocument,
  CompleteTaskDocument,
  RouteCaseDocument,
  TaskStateDocument,
} from './asks.generated.ts'
import { happen } from './case-commands.ts'
import { endSearch, followSearch, hasEnded, ownersOf, type Case } from './domain/case.ts'
import type { Happening } from './domain/timeline.ts'
import type { CaseEvent } from './events.ts'
import {
  caseKind,
  caseTable,
  findTask,
  findTasks,
  writeTaskState,
  type Task,
} from './store/case.ts'
import {
  followedTypes,
  markFollowed,
  nextNews,
  type InteractionNews,
} from './store/followed-events.ts'

const batchSize = 20

/**
 * Routes the cases that need an agent, through the graph, and cancels routing that is no longer
 * needed. The interaction has the id of the task, so that a retry after a crash finds the same one.
 */
export const routeCases: Worker = {
  name: 'casework.route-cases',
  purpose: 'Routes the cases that need an agent.',
  everyMs: 2000,
  wakeOn: [
    'casework.case.opened',
    'casework.case.sent-to-routing',
    'casework.case.assigned',
    'casework.case.closed',
    'casework.case.withdrawn',
  ],
  async run(context) {
    const tasks = await findTasks(context, batchSize)
    return doEach(context, tasks, (task) =>
      task.state === 'wanted' ? place(context, task) : takeBack(context, task),
    )
  },
}

async function place(context: Context, task: Task): Promise<number> {
  const { taskId: interactionId, caseId, routingProfileId } = task
  const about = (await caseTable.find(context, caseId))!
  const { title: subject } = about
  // Parties can see their interactions, so that of a confidential case has no party.
  const [partyId = null] = ownersOf(about)
  const asked = { interactionId, caseId, partyId, routingProfileId, subject }
  try {
    await context.bank.ask(RouteCaseDocument, asked)
  } catch (error) {
    if (!isFinal(error)) throw error
    return giveUp(context, task, error.code)
  }
  return moveTask(context, task, 'placed')
}

/** Whether retrying would fail in the same way. */
function isFinal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500 && !isRetryable(error.code)
}

/** Records in the case that routing was refused; it has to be assigned manually. */
function giveUp(context: Context, { taskId, caseId }: Task, code: string): Promise<number> {
  return command(context, 'casework.give-up-routing', {}, async () => {
    const now = context.now()
    const task = (await findTask(context, taskId))!
    if (task.state !== 'wanted') return { result: 0 }
    const writes = [writeTaskState(task, 'returned')]
    const before = (await caseTable.find(context, caseId))!
    if (before.taskId !== taskId) return { result: 1, writes }
    const change = changed(context, before, endSearch(before), now, {
      kind: 'not-routed',
      text: code,
    })
    return { result: 1, writes: [...writes, ...change.writes], ...change.told }
  })
}

async function takeBack(context: Context, task: Task): Promise<number> {
  const { bank } = context
  const variables = { interactionId: task.taskId }
  const { interaction } = await bank.ask(TaskStateDocument, variables)
  // Null when routing was canceled before it started.
  const status = interaction?.status
  if (status === 'ASSIGNED') await bank.ask(CompleteTaskDocument, variables)
  if (status === 'WAITING') await bank.ask(AbandonTaskDocument, variables)
  return moveTask(context, task, 'returned')
}

/** Updates the state of a task unless it changed in the meantime. */
function moveTask(context: Context, { taskId, state }: Task, to: Task['state']): Promise<number> {
  return command(context, 'casework.move-task', {}, async () => {
    const task = (await findTask(context, taskId))!
    return task.state === state ? { result: 1, writes: [writeTaskState(task, to)] } : { result: 1 }
  })
}

/**
 * Follows the events of interactions and assigns each case to the agent who received its
 * interaction.
 */
export const followSearches: Worker = {
  name: 'casework.follow-searches',
  purpose: 'Assigns each case to the agent who received its interaction.',
  everyMs: 5000,
  wakeOn: followedTypes,
  run: (context) =>
    command(context, 'casework.follow-searches', {}, async () => {
      const news = await nextNews(context)
      if (!news) return { result: 0 }
      const writes = [markFollowed(news)]
      const before = news.caseId === null ? null : await caseTable.find(context, news.caseId)
      const after = before && follow(before, news)
      if (!after) return { result: 1, writes }
      const { agentId, queueId } = news
      const happening: Happening = agentId
        ? { kind: 'assigned', text: agentId }
        : { kind: 'queued', text: queueId }
      const change = changed(context, before, after, context.now(), happening)
      return { result: 1, writes: [...writes, ...change.writes], ...change.told }
    }),
}

function follow(about: Case, { interactionId, agentId, queueId, ...news }: InteractionNews) {
  const isItsOwn = about.taskId === interactionId && !hasEnded(about)
  // An interaction that is assigned at once has two events; the second one is sufficient.
  const isFirst = news.type === 'channels.interaction.received' && news.status !== 'waiting'
  return isItsOwn && !isFirst ? followSearch(about, agentId, queueId) : null
}

const eventOf: Partial<Record<Happening['kind'], CaseEvent>> = {
  assigned: 'casework.case.assigned',
  queued: 'casework.case.queued',
  'not-routed': 'casework.case.not-routed',
}

function changed(context: Context, before: Case, decided: Case, now: Date, happening: Happening) {
  const { record, writes } = happen(context, decided, now, [happening])
  const after = { ...record, version: before.version + 1, updatedAt: now }
  return {
    writes: [caseKind.update(before, after), ...writes],
    told: publish(caseKind, after, eventOf[happening.kind]!),
  }
}
