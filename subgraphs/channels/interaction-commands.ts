import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { maySee, requireBank } from '../_kernel/auth.ts'
import { missingReference } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { changeRecord, createRecord, publish, versioned } from '../_kernel/records.ts'
import type { Worker } from '../_kernel/worker.ts'
import type { Write } from '../_kernel/writes.ts'
import { putDown, takeOn } from './domain/agent.ts'
import {
  abandon,
  applyDecision,
  complete,
  newInteraction,
  pastInteraction,
  requeue,
  requireReachable,
  workOf,
  type Interaction,
  type NewInteraction,
  type PastInteraction,
} from './domain/interaction.ts'
import { decideRouting, routeAll, type Decision, type Staff } from './domain/routing.ts'
import { findWaiting, interactionKind, writeRouted } from './store/interaction.ts'
import { agentTable, channelTable, profileTable, readStaff, writeLoads } from './store/setup.ts'

interface Identified {
  interactionId?: string | null
}

/**
 * Records a contact that is over.
 * Throws PARTY_NOT_FOUND, CASE_NOT_FOUND, CHANNEL_NOT_FOUND, AGENT_NOT_FOUND for unknown
 * references, INVALID_DATE_RANGE, VALIDATION_FAILED, RESOURCE_EXISTS, NOT_FOR_DELEGATED_USERS.
 */
export function logInteraction(
  context: Context,
  asked: PastInteraction & Identified,
): Promise<Interaction> {
  requireBank(context)
  const kind = { ...interactionKind, created: 'channels.interaction.logged' as const }
  return createRecord(context, kind, 'logInteraction', asked, asked.interactionId, async (made) => {
    await requireReferences(context, asked)
    const { agentId } = asked
    if (agentId && !(await agentTable.find(context, agentId))) {
      throw missingReference('AGENT_NOT_FOUND', agentId, '/agentId')
    }
    return { record: pastInteraction(asked, { ...versioned(made), interactionId: made.id }) }
  })
}

/**
 * Accepts a contact or task and assigns it to the agent that routing selects; without one, it
 * waits. Repeating the request with the same id and content returns the interaction as it is now.
 * Throws PARTY_NOT_FOUND, CASE_NOT_FOUND, CHANNEL_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND for unknown
 * references, CHANNEL_CLOSED, RESOURCE_EXISTS, and NOT_FOR_DELEGATED_USERS if a delegated user
 * sends a task, an outbound contact, a routing profile, a segment or skills.
 */
export function routeInteraction(
  context: Context,
  asked: NewInteraction & Identified,
): Promise<Interaction> {
  if (!isForCustomers(asked)) requireBank(context)
  const operation = 'routeInteraction'
  return createRecord(
    context,
    interactionKind,
    operation,
    asked,
    asked.interactionId,
    async (made) => {
      const { channel } = await requireReferences(context, asked)
      if (channel) requireReachable(channel, asked.channel, made.now)
      const received = newInteraction(asked, { ...versioned(made), interactionId: made.id })
      const staff = await readStaff(context)
      const decision = decideRouting(workOf(received), staff, made.now)
      const record = applyDecision(received, decision)
      if (record.status !== 'assigned') return { record }
      const { events } = publish(interactionKind, record, 'channels.interaction.assigned')
      return { record, writes: [takeOnWrite(staff, record, made.now)], events }
    },
  )
}

/** Customers can contact the bank, but cannot influence how their contact is routed. */
function isForCustomers(asked: NewInteraction): boolean {
  const { routingProfileId, segment, skills } = asked
  return cameIn(asked) && !routingProfileId && !segment && !skills?.length
}

/** Whether a customer contacted the bank. Tasks and outbound contacts are the bank's own work. */
function cameIn({ channel, direction }: Pick<NewInteraction, 'channel' | 'direction'>): boolean {
  return channel !== 'task' && direction !== 'outbound'
}

/**
 * Decides how work would be routed if it arrived now, and stores nothing. Throws as
 * `routeInteraction` for unknown references.
 */
export async function previewRouting(context: Context, asked: NewInteraction): Promise<Decision> {
  await requireReferences(context, asked)
  const now = context.now()
  const head = { contentHash: '', version: 1, createdAt: now, updatedAt: now, interactionId: '' }
  return decideRouting(workOf(newInteraction(asked, head)), await readStaff(context), now)
}

async function requireReferences(context: Context, asked: NewInteraction) {
  const { partyId, caseId, channelId, routingProfileId } = asked
  const isOwn = maySee(context.caller, [partyId ?? null])
  if (!isOwn) throw missingReference('PARTY_NOT_FOUND', partyId ?? '', '/partyId')
  const subjects = [`party/${partyId}`, `case/${caseId}`]
  const [party, about] = await readFacts(context, subjects)
  if (partyId && !party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
  const owners = (about?.['visibleTo'] ?? []) as string[]
  if (caseId && !(about && maySee(context.caller, owners))) {
    throw missingReference('CASE_NOT_FOUND', caseId, '/caseId')
  }
  if (routingProfileId && !(await profileTable.find(context, routingProfileId))) {
    throw missingReference('ROUTING_PROFILE_NOT_FOUND', routingProfileId, '/routingProfileId')
  }
  const channel = channelId ? await channelTable.find(context, channelId) : null
  if (channelId && !channel) throw missingReference('CHANNEL_NOT_FOUND', channelId, '/channelId')
  return { channel }
}

function takeOnWrite(staff: Staff, { agentId, channel, direction }: Interaction, now: Date): Write {
  const before = staff.agents.find((agent) => agent.agentId === agentId)!
  return agentTable.update(before, takeOn(before, channel, direction === 'inbound', now))
}

/**
 * Returns an interaction to its queue. Throws INTERACTION_NOT_FOUND, INVALID_STATE_TRANSITION,
 * NOT_FOR_DELEGATED_USERS.
 */
export function requeueInteraction(context: Context, interactionId: string): Promise<Interaction> {
  requireBank(context)
  const event = 'channels.interaction.requeued'
  const input = { interactionId }
  const operation = 'requeueInteraction'
  return changeRecord(
    context,
    interactionKind,
    operation,
    input,
    interactionId,
    event,
    async (before, now) => ({
      record: requeue(before, now),
      writes: await putDownWrites(context, before, now),
    }),
  )
}

/**
 * Completes an interaction. Throws INTERACTION_NOT_FOUND, INVALID_STATE_TRANSITION,
 * NOT_FOR_DELEGATED_USERS.
 */
export function completeInteraction(
  context: Context,
  input: { interactionId: string; notes: string | null },
): Promise<Interaction> {
  requireBank(context)
  const { interactionId, notes } = input
  const event = 'channels.interaction.completed'
  return changeRecord(
    context,
    interactionKind,
    'completeInteraction',
    input,
    interactionId,
    event,
    async (before, now) => ({
      record: complete(before, notes, now),
      writes: await putDownWrites(context, before, now),
    }),
  )
}

async function putDownWrites(context: Context, before: Interaction, now: Date): Promise<Write[]> {
  const agent = before.agentId === null ? null : await agentTable.find(context, before.agentId)
  return agent ? [agentTable.update(agent, putDown(agent, before.channel, now))] : []
}

/**
 * Ends a waiting interaction. Delegated users can end their own inbound contacts.
 * Throws INTERACTION_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS.
 */
export function abandonInteraction(context: Context, interactionId: string): Promise<Interaction> {
  const event = 'channels.interaction.abandoned'
  const input = { interactionId }
  const operation = 'abandonInteraction'
  return changeRecord(
    context,
    interactionKind,
    operation,
    input,
    interactionId,
    event,
    (before, now) => {
      if (!cameIn(before)) requireBank(context)
      return { record: abandon(before, now) }
    },
  )
}

/**
 * Links an interaction to a case. Throws INTERACTION_NOT_FOUND, CASE_NOT_FOUND,
 * NOT_FOR_DELEGATED_USERS.
 */
export function linkToCase(
  context: Context,
  input: { interactionId: string; caseId: string },
): Promise<Interaction> {
  requireBank(context)
  const { interactionId, caseId } = input
  const event = 'channels.interaction.case-linked'
  const operation = 'linkInteractionToCase'
  return changeRecord(
    context,
    interactionKind,
    operation,
    input,
    interactionId,
    event,
    async (before) => {
      const [about] = await readFacts(context, [`case/${caseId}`])
      if (!about) throw missingReference('CASE_NOT_FOUND', caseId, '/caseId')
      return { record: before.caseId === caseId ? before : { ...before, caseId } }
    },
  )
}

/** The number of waiting interactions read at a time, longest waiting first. */
const batchSize = 200

/**
 * The assignments possible in the first batch that has any. Later batches are tried as well, so
 * that work no agent can take does not block the work behind it.
 */
async function firstGiven(context: Context, staff: Staff, now: Date) {
  for (let last: Interaction | null = null; ;) {
    const waiting: Interaction[] = await findWaiting(context, last, batchSize)
    const work = waiting.map((each) => ({ ...workOf(each), name: each }))
    const given = routeAll(work, staff, now)
    if (given.length > 0 || waiting.length < batchSize) return given
    last = waiting.at(-1)!
  }
}

/** Assigns waiting interactions to agents who became free or whose queue delay has passed. */
export const routeWaiting: Worker = {
  name: 'channels.route-waiting',
  purpose: 'Assigns waiting interactions to available agents.',
  everyMs: 1000,
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
      const staff = await readStaff(context)
      const given = await firstGiven(context, staff, now)
      if (given.length === 0) return { result: 0 }
      const moved = given.map(({ name: before, decision }) => ({
        ...applyDecision(before, decision),
        version: before.version + 1,
        updatedAt: now,
      }))
      const after = given.at(-1)!.agents
      const busier = after.filter((agent, at) => agent !== staff.agents[at])
      const writes = [writeRouted(moved), writeLoads(busier)]
      const events = moved.flatMap(
        (each) => publish(interactionKind, each, 'channels.interaction.assigned').events,
      )
      return { result: given.length, writes, events }
    }),
}
