import type { Interaction, NewInteraction } from '../model/interaction.ts'
import type { Decision } from '../model/routing-decision.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { maySee, requireBank } from '../../../kernel/authorization/auth.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
} from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import type { Change } from '../../../kernel/graph/transitions.ts'
import { releaseWork, takeWork } from '../domain/agent.ts'
import {
  applyDecision,
  newInteraction,
  pastInteraction,
  requireReachable,
  workOf,
  type PastInteraction,
} from '../domain/interaction.ts'
import { decideRouting, type Staff } from '../domain/routing.ts'
import type { InteractionEvent } from '../events.ts'
import { interactionKind } from '../store/interaction.ts'
import { agentTable, channelTable, profileTable, readStaff } from '../store/setup.ts'

interface WithInteractionId {
  interactionId?: string | null
}

/**
 * Records a past contact.
 * Throws PARTY_NOT_FOUND, CASE_NOT_FOUND, CHANNEL_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND,
 * AGENT_NOT_FOUND, INVALID_DATE_RANGE, VALIDATION_FAILED, RESOURCE_EXISTS.
 */
export function logInteraction(
  context: Context,
  request: PastInteraction & WithInteractionId,
): Promise<Interaction> {
  const kind = { ...interactionKind, created: 'channels.interaction.logged' as const }
  return createRecord(
    context,
    kind,
    'logInteraction',
    request,
    request.interactionId,
    async (stamp) => {
      await requireReferences(context, request)
      const { agentId } = request
      if (agentId && !(await agentTable.find(context, agentId))) {
        throw missingReference('AGENT_NOT_FOUND', agentId, '/agentId')
      }
      return { record: pastInteraction(request, { ...versioned(stamp), interactionId: stamp.id }) }
    },
  )
}

/**
 * Accepts a contact or task and routes it. If routing finds no agent, the interaction waits, in a
 * queue if a routing profile matches. A repeated request with the same ID and content returns the
 * interaction in its current state.
 * Throws PARTY_NOT_FOUND, CASE_NOT_FOUND, CHANNEL_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND,
 * CHANNEL_CLOSED, VALIDATION_FAILED, RESOURCE_EXISTS, and NOT_FOR_DELEGATED_USERS if a delegated
 * user sends a task, an outbound contact, a routing profile, a segment or skills.
 */
export function routeInteraction(
  context: Context,
  request: NewInteraction & WithInteractionId,
): Promise<Interaction> {
  if (!mayBeSentByCustomer(request)) requireBank(context)
  const operation = 'routeInteraction'
  return createRecord(
    context,
    interactionKind,
    operation,
    request,
    request.interactionId,
    async (stamp) => {
      const { channel } = await requireReferences(context, request)
      if (channel) requireReachable(channel, request.channel, stamp.now)
      const interaction = newInteraction(request, { ...versioned(stamp), interactionId: stamp.id })
      const work = workOf(interaction)
      const staff = await readStaff(context, [work])
      const decision = decideRouting(work, staff, stamp.now)
      const record = applyDecision(interaction, decision)
      if (record.status !== 'assigned') return { record }
      const { events } = publicationOf(interactionKind, record, 'channels.interaction.assigned')
      return { record, writes: [assignmentWrite(staff, record, stamp.now)], events }
    },
  )
}

/** Whether a customer may send the request: an inbound contact without routing settings. */
function mayBeSentByCustomer(request: NewInteraction): boolean {
  const { routingProfileId, segment, skills } = request
  return isInboundContact(request) && !routingProfileId && !segment && !skills?.length
}

/** Whether the request is an inbound contact, that is, neither a task nor an outbound contact. */
function isInboundContact({
  channel,
  direction,
}: Pick<NewInteraction, 'channel' | 'direction'>): boolean {
  return channel !== 'task' && direction !== 'outbound'
}

/**
 * Returns the routing decision for work that arrives now. Stores nothing. Throws PARTY_NOT_FOUND,
 * CASE_NOT_FOUND, CHANNEL_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND.
 */
export async function previewRouting(context: Context, request: NewInteraction): Promise<Decision> {
  await requireReferences(context, request)
  const now = context.now()
  const stamp = { contentHash: '', version: 1, createdAt: now, updatedAt: now, interactionId: '' }
  const work = workOf(newInteraction(request, stamp))
  return decideRouting(work, await readStaff(context, [work]), now)
}

async function requireReferences(context: Context, request: NewInteraction) {
  const { partyId, caseId, channelId, routingProfileId } = request
  const isVisible = maySee(context.caller, [partyId ?? null])
  if (!isVisible) throw missingReference('PARTY_NOT_FOUND', partyId ?? '', '/partyId')
  const subjects = [`party/${partyId}`, `case/${caseId}`]
  const [party, caseFact] = await readFacts(context, subjects)
  if (partyId && !party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
  const owners = (caseFact?.['visibleTo'] ?? []) as string[]
  if (caseId && !(caseFact && maySee(context.caller, owners))) {
    throw missingReference('CASE_NOT_FOUND', caseId, '/caseId')
  }
  if (routingProfileId && !(await profileTable.find(context, routingProfileId))) {
    throw missingReference('ROUTING_PROFILE_NOT_FOUND', routingProfileId, '/routingProfileId')
  }
  const channel = channelId ? await channelTable.find(context, channelId) : null
  if (channelId && !channel) throw missingReference('CHANNEL_NOT_FOUND', channelId, '/channelId')
  return { channel }
}

function assignmentWrite(
  staff: Staff,
  { agentId, channel, direction }: Interaction,
  now: Date,
): Write {
  const before = staff.agents.find((agent) => agent.agentId === agentId)!
  return agentTable.update(before, takeWork(before, channel, direction === 'inbound', now))
}

/**
 * Changes the state of an interaction. If it had an agent, it is removed from the agent's load.
 * Delegated users can change only inbound contacts. Throws INTERACTION_NOT_FOUND,
 * NOT_FOR_DELEGATED_USERS, and whatever `decide` throws.
 */
export const changeInteraction: Change<Interaction, InteractionEvent> = (
  context,
  operation,
  input,
  interactionId,
  event,
  decide,
) =>
  changeRecord(
    context,
    interactionKind,
    operation,
    input,
    interactionId,
    event,
    async (before, now) => {
      if (!isInboundContact(before)) requireBank(context)
      const record = await decide(before, now)
      return { record, writes: await releaseWorkWrites(context, before, now) }
    },
  )

async function releaseWorkWrites(
  context: Context,
  before: Interaction,
  now: Date,
): Promise<Write[]> {
  const agent = before.agentId === null ? null : await agentTable.find(context, before.agentId)
  return agent ? [agentTable.update(agent, releaseWork(agent, before.channel, now))] : []
}

/** Links an interaction to a case. Throws INTERACTION_NOT_FOUND, CASE_NOT_FOUND. */
export function linkToCase(
  context: Context,
  input: { interactionId: string; caseId: string },
): Promise<Interaction> {
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
      const [caseFact] = await readFacts(context, [`case/${caseId}`])
      if (!caseFact) throw missingReference('CASE_NOT_FOUND', caseId, '/caseId')
      return { record: before.caseId === caseId ? before : { ...before, caseId } }
    },
  )
}
