import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { isFinal } from '../../../kernel/domain/problem.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../kernel/work/worker.ts'
import {
  AbandonTaskDocument,
  CompleteTaskDocument,
  RouteCaseDocument,
  TaskStateDocument,
} from '../queries.generated.ts'
import { recordTimelineEvent } from '../commands/case.ts'
import { clearTask, setRoutingResult, hasEnded, ownersOf } from '../domain/case.ts'
import type { TimelineEvent } from '../domain/timeline.ts'
import type { CaseEvent } from '../events.ts'
import type { Case } from '../model/case.ts'
import {
  caseKind,
  caseTable,
  areTasksDueSql,
  findTask,
  findTasks,
  writeTaskState,
  type Task,
} from '../store/case.ts'
import {
  areSearchesBehindSql,
  followedTypes,
  markFollowed,
  nextInteractionEvent,
  type InteractionEventRecord,
} from '../store/followed-events.ts'

const batchSize = 20

/**
 * Creates an interaction for each case that needs an agent, and ends interactions that are no
 * longer needed. An interaction has the ID of its task, so that a retry after a crash does not
 * create a second interaction.
 */
export const routeCases: Worker = {
  name: 'casework.route-cases',
  purpose: 'Routes cases to agents, and ends routing that is no longer needed.',
  everyMs: dueFallbackMs,
  isDueSql: areTasksDueSql,
  wakeOn: [
    'casework.case.opened',
    'casework.case.sent-to-routing',
    'casework.case.assigned',
    'casework.case.closed',
    'casework.case.withdrawn',
  ],
  async run(context) {
    const tasks = await findTasks(context, batchSize)
    return processEach(context, tasks, (task) =>
      task.state === 'wanted' ? createInteraction(context, task) : endInteraction(context, task),
    )
  },
}

async function createInteraction(context: Context, task: Task): Promise<number> {
  const { taskId: interactionId, caseId, routingProfileId } = task
  const caseFile = (await caseTable.find(context, caseId))!
  const { title: subject } = caseFile
  // Parties may see their interactions, so the interaction of a confidential case has no party.
  const [partyId = null] = ownersOf(caseFile)
  const request = { interactionId, caseId, partyId, routingProfileId, subject }
  try {
    await context.bank.queryGraph(RouteCaseDocument, request)
  } catch (error) {
    if (!isFinal(error)) throw error
    return recordRejection(context, task, error.code)
  }
  return transitionTask(context, task, 'placed')
}

/** Records in the case that routing rejected it. The case must be assigned manually. */
function recordRejection(
  context: Context,
  { taskId, caseId }: Task,
  code: string,
): Promise<number> {
  return command(context, 'casework.record-routing-rejection', {}, async () => {
    const now = context.now()
    const task = (await findTask(context, taskId))!
    if (task.state !== 'wanted') return { result: 0 }
    const writes = [writeTaskState(task, 'returned')]
    const before = (await caseTable.find(context, caseId))!
    if (before.taskId !== taskId) return { result: 1, writes }
    const change = caseChange(context, before, clearTask(before), now, {
      kind: 'not-routed',
      text: code,
    })
    return { result: 1, writes: [...writes, ...change.writes], ...change.event }
  })
}

async function endInteraction(context: Context, task: Task): Promise<number> {
  const { bank } = context
  const variables = { interactionId: task.taskId }
  const { interaction } = await bank.queryGraph(TaskStateDocument, variables)
  // The status is undefined if routing was canceled before the interaction was created.
  const status = interaction?.status
  if (status === 'ASSIGNED') await bank.queryGraph(CompleteTaskDocument, variables)
  if (status === 'WAITING') await bank.queryGraph(AbandonTaskDocument, variables)
  return transitionTask(context, task, 'returned')
}

/** Updates the state of a task, unless the state has changed since the task was read. */
function transitionTask(
  context: Context,
  { taskId, state }: Task,
  to: Task['state'],
): Promise<number> {
  return command(context, 'casework.transition-task', {}, async () => {
    const task = (await findTask(context, taskId))!
    return task.state === state ? { result: 1, writes: [writeTaskState(task, to)] } : { result: 1 }
  })
}

/**
 * Follows the events of interactions. Assigns each case to the agent who received its interaction,
 * or records the queue in which the case waits.
 */
export const followSearches: Worker = {
  name: 'casework.follow-searches',
  purpose: 'Assigns each case to the agent who received its interaction.',
  everyMs: dueFallbackMs,
  isDueSql: areSearchesBehindSql,
  wakeOn: followedTypes,
  run: (context) =>
    command(context, 'casework.follow-searches', {}, async () => {
      const event = await nextInteractionEvent(context)
      if (!event) return { result: 0 }
      const writes = [markFollowed(event)]
      const before = event.caseId === null ? null : await caseTable.find(context, event.caseId)
      const after = before && applyEvent(before, event)
      if (!after) return { result: 1, writes }
      const { agentId, queueId } = event
      const timelineEvent: TimelineEvent = agentId
        ? { kind: 'assigned', text: agentId }
        : { kind: 'queued', text: queueId }
      const change = caseChange(context, before, after, context.now(), timelineEvent)
      return { result: 1, writes: [...writes, ...change.writes], ...change.event }
    }),
}

function applyEvent(
  caseFile: Case,
  { interactionId, agentId, queueId, ...event }: InteractionEventRecord,
) {
  const isCurrentTask = caseFile.taskId === interactionId && !hasEnded(caseFile)
  // An interaction that is assigned immediately emits two events; the second one is sufficient.
  const isFollowedByAssignment =
    event.type === 'channels.interaction.received' && event.status !== 'waiting'
  return isCurrentTask && !isFollowedByAssignment
    ? setRoutingResult(caseFile, agentId, queueId)
    : null
}

const eventTypeOf: Partial<Record<TimelineEvent['kind'], CaseEvent>> = {
  assigned: 'casework.case.assigned',
  queued: 'casework.case.queued',
  'not-routed': 'casework.case.not-routed',
}

function caseChange(
  context: Context,
  before: Case,
  updated: Case,
  now: Date,
  timelineEvent: TimelineEvent,
) {
  const { record, writes } = recordTimelineEvent(context, updated, now, [timelineEvent])
  const after = { ...record, version: before.version + 1, updatedAt: now }
  return {
    writes: [caseKind.update(before, after), ...writes],
    event: publicationOf(caseKind, after, eventTypeOf[timelineEvent.kind]!),
  }
}
