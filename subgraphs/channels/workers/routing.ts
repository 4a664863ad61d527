import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { command } from '../../../kernel/writing/command.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import { applyDecision, workOf } from '../domain/interaction.ts'
import { routeAll, type Staff } from '../domain/routing.ts'
import type { Interaction } from '../model/interaction.ts'
import {
  areInteractionsWaitingSql,
  findWaiting,
  interactionKind,
  writeRouted,
} from '../store/interaction.ts'
import { readManagers, readStaff, writeLoads } from '../store/setup.ts'

/** The number of waiting interactions per batch, longest waiting first. */
const batchSize = 200

/**
 * Returns the assignments from the first batch of waiting interactions that yields any. Later
 * batches are tried, too, so that interactions that no agent can take do not block those behind
 * them.
 */
async function firstAssignments(context: Context, common: Staff, now: Date) {
  for (let last: Interaction | null = null; ;) {
    const interactions: Interaction[] = await findWaiting(context, last, batchSize)
    const work = interactions.map((each) => ({ ...workOf(each), reference: each }))
    const staff = { ...common, managerOf: await readManagers(context, work) }
    const assignments = routeAll(work, staff, now)
    if (assignments.length > 0 || interactions.length < batchSize) return assignments
    last = interactions.at(-1)!
  }
}

/** Assigns waiting interactions to available agents, also after a queue delay has ended. */
export const routeWaiting: Worker = {
  name: 'channels.route-waiting',
  purpose: 'Assigns waiting interactions to available agents.',
  everyMs: dueFallbackMs,
  isDueSql: areInteractionsWaitingSql,
  wakeOn: [
    'channels.agent.available',
    'channels.agent.updated',
    'channels.interaction.completed',
    'channels.interaction.requeued',
    'channels.routing-profile.activated',
    'channels.routing-profile.updated',
  ],
  run: (context) =>
    command(context, 'channels.route-waiting', {}, async () => {
      const now = context.now()
      const staff = await readStaff(context, [])
      const assignments = await firstAssignments(context, staff, now)
      if (assignments.length === 0) return { result: 0 }
      const assignedInteractions = assignments.map(({ reference: before, decision }) => ({
        ...applyDecision(before, decision),
        version: before.version + 1,
        updatedAt: now,
      }))
      const agentsAfter = assignments.at(-1)!.agents
      const changedAgents = agentsAfter.filter((agent, index) => agent !== staff.agents[index])
      const writes = [writeRouted(assignedInteractions), writeLoads(changedAgents)]
      const events = assignedInteractions.flatMap(
        (each) => publicationOf(interactionKind, each, 'channels.interaction.assigned').events,
      )
      return { result: assignments.length, writes, events }
    }),
}
