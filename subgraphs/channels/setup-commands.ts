import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { missingReference } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { changeRecord, createRecord, publish, versioned, type Made } from '../_kernel/records.ts'
import { changeAgent, newAgent, type Agent, type AgentContent } from './domain/agent.ts'
import { defaultQueueId, newDefaultQueue } from './domain/queue.ts'
import {
  changeProfile,
  newProfile,
  requireFreeName,
  requireNoCycle,
  type ProfileContent,
  type RoutingProfile,
} from './domain/routing-profile.ts'
import {
  agentKind,
  agentTable,
  holderOfName,
  holdProfile,
  managerVersion,
  missingIds,
  profileKind,
  profileTable,
  queueKind,
  queueTable,
  writeManager,
} from './store/setup.ts'

type ProfileAsked = ProfileContent & { routingProfileId?: string | null; status?: string | null }

/**
 * Creates a routing profile, and the default queue if the profile uses it and it does not exist.
 * Throws what `newProfile`, `requireFreeName` and `requireNoCycle` throw, RESOURCE_EXISTS, and
 * QUEUE_NOT_FOUND, AGENT_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND for unknown references.
 */
export function createProfile(context: Context, asked: ProfileAsked): Promise<RoutingProfile> {
  const { routingProfileId } = asked
  const make = async (made: Made) => {
    const profile = newProfile(asked, { ...versioned(made), routingProfileId: made.id })
    return { record: profile, ...(await effectsOf(context, profile)) }
  }
  return createRecord(context, profileKind, 'createRoutingProfile', asked, routingProfileId, make)
}

/**
 * Replaces the configuration of a profile. Throws as `createProfile`, and STATE_CONFLICT if it is
 * archived.
 */
export function updateProfile(
  context: Context,
  asked: ProfileContent & { routingProfileId: string },
): Promise<RoutingProfile> {
  const { routingProfileId } = asked
  const event = 'channels.routing-profile.updated'
  const operation = 'updateRoutingProfile'
  return changeRecord(
    context,
    profileKind,
    operation,
    asked,
    routingProfileId,
    event,
    async (p) => {
      const record = changeProfile(p, asked)
      return { record, ...(await effectsOf(context, record)) }
    },
  )
}

/**
 * What commits with a profile: the default queue, on its first use. If another command creates it
 * concurrently, the insert raises SQLSTATE 23505 and the command is decided again.
 */
async function effectsOf(context: Context, profile: RoutingProfile) {
  const missingQueues = await requireConsistent(context, profile)
  if (!missingQueues.includes(defaultQueueId)) return {}
  const now = context.now()
  const queue = newDefaultQueue({ contentHash: '', version: 1, createdAt: now, updatedAt: now })
  const { events } = publish(queueKind, queue, queueKind.created)
  return { writes: [queueTable.insert(queue)], events }
}

/** Checks the references of a profile. Returns the default queue if it is used and missing. */
async function requireConsistent(context: Context, profile: RoutingProfile): Promise<string[]> {
  const { queues, defaultOutboundQueueId, relationshipManagerIds, fallbackProfileId } = profile
  requireFreeName(profile, await holderOfName(context, profile.name))
  const queueIds = [...queues.map(({ queueId }) => queueId), defaultOutboundQueueId ?? []].flat()
  const missingQueues = await missingIds(context, queueTable, 'queueId', queueIds)
  const missingQueue = missingQueues.find((id) => id !== defaultQueueId)
  if (missingQueue !== undefined) {
    const at = queues.findIndex(({ queueId }) => queueId === missingQueue)
    const pointer = at < 0 ? '/defaultOutboundQueueId' : `/queues/${at}/queueId`
    throw missingReference('QUEUE_NOT_FOUND', missingQueue, pointer)
  }
  const [agent] = await missingIds(context, agentTable, 'agentId', relationshipManagerIds)
  if (agent !== undefined) {
    const pointer = `/relationshipManagerIds/${relationshipManagerIds.indexOf(agent)}`
    throw missingReference('AGENT_NOT_FOUND', agent, pointer)
  }
  if (fallbackProfileId === null) return missingQueues
  const others = await profileTable.findMany(context, {})
  const fallbacks = new Map(others.map((each) => [each.routingProfileId, each.fallbackProfileId]))
  const isItself = fallbackProfileId === profile.routingProfileId
  if (!isItself && !fallbacks.has(fallbackProfileId)) {
    throw missingReference('ROUTING_PROFILE_NOT_FOUND', fallbackProfileId, '/fallbackProfileId')
  }
  requireNoCycle(profile, (id) => fallbacks.get(id) ?? null)
  return missingQueues
}

type AgentAsked = AgentContent & { agentId?: string | null; status?: string | null }

/** Creates an agent. Throws INVALID_INITIAL_STATUS, RESOURCE_EXISTS, ROUTING_PROFILE_NOT_FOUND. */
export function createAgent(context: Context, asked: AgentAsked): Promise<Agent> {
  const make = async (made: Made) => {
    await requireProfile(context, asked)
    const record = newAgent(asked, { ...versioned(made), agentId: made.id })
    return { record, writes: [holdProfile(asked.routingProfileId)] }
  }
  return createRecord(context, agentKind, 'createAgent', asked, asked.agentId, make)
}

/** Replaces the content of an agent. Throws AGENT_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND. */
export function updateAgent(
  context: Context,
  asked: AgentContent & { agentId: string },
): Promise<Agent> {
  const event = 'channels.agent.updated'
  return changeRecord(context, agentKind, 'updateAgent', asked, asked.agentId, event, async (a) => {
    await requireProfile(context, asked)
    return { record: changeAgent(a, asked), writes: [holdProfile(asked.routingProfileId)] }
  })
}

/** Throws ROUTING_PROFILE_NOT_FOUND if the profile does not exist or is archived. */
async function requireProfile(context: Context, { routingProfileId }: AgentContent) {
  const profile = await profileTable.find(context, routingProfileId)
  if (profile && profile.status !== 'archived') return
  throw missingReference('ROUTING_PROFILE_NOT_FOUND', routingProfileId, '/routingProfileId')
}

/** Assigns a relationship manager to a party. Throws PARTY_NOT_FOUND, AGENT_NOT_FOUND. */
export function assignManager(
  context: Context,
  input: { partyId: string; agentId: string },
): Promise<Agent> {
  const { partyId, agentId } = input
  return command(context, 'assignRelationshipManager', input, async () => {
    const [party] = await readFacts(context, [`party/${partyId}`])
    if (!party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
    const agent = await agentTable.find(context, agentId)
    if (!agent) throw missingReference('AGENT_NOT_FOUND', agentId, '/agentId')
    const version = await managerVersion(context, partyId)
    return {
      result: agent,
      resourceId: partyId,
      writes: [writeManager(partyId, agentId, version, context.now())],
      events: [
        {
          type: 'channels.relationship.assigned',
          subject: `relationship/${partyId}`,
          version: version + 1,
          data: { partyId, agentId },
          parties: [partyId],
        },
      ],
    }
  })
}
