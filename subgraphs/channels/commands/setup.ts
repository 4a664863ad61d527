import type { ProfileContent } from '../model/profile-inputs.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
  type CreationStamp,
} from '../../../kernel/writing/records.ts'
import { changeAgent, newAgent, type AgentContent } from '../domain/agent.ts'
import { defaultQueueId, newDefaultQueue } from '../domain/queue.ts'
import {
  changeProfile,
  newProfile,
  requireFreeName,
  requireNoCycle,
} from '../domain/routing-profile.ts'
import type { Agent } from '../model/agent.ts'
import type { RoutingProfile } from '../model/profile.ts'
import {
  agentKind,
  agentTable,
  holderOfName,
  bumpProfileVersion,
  managerVersion,
  missingIds,
  profileKind,
  profileTable,
  queueKind,
  queueTable,
  writeManager,
} from '../store/setup.ts'

type ProfileRequest = ProfileContent & { routingProfileId?: string | null; status?: string | null }

/**
 * Creates a routing profile. Also creates the default queue if the profile uses it and it does not
 * exist. Throws RESOURCE_EXISTS, QUEUE_NOT_FOUND, AGENT_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND, and
 * whatever `newProfile`, `requireFreeName` and `requireNoCycle` throw.
 */
export function createProfile(context: Context, request: ProfileRequest): Promise<RoutingProfile> {
  const { routingProfileId } = request
  const make = async (stamp: CreationStamp) => {
    const profile = newProfile(request, { ...versioned(stamp), routingProfileId: stamp.id })
    return { record: profile, ...(await checkAndAddDefaultQueue(context, profile)) }
  }
  return createRecord(context, profileKind, 'createRoutingProfile', request, routingProfileId, make)
}

/**
 * Replaces the configuration of a routing profile. Throws QUEUE_NOT_FOUND, AGENT_NOT_FOUND,
 * ROUTING_PROFILE_NOT_FOUND, and whatever `changeProfile`, `requireFreeName` and `requireNoCycle`
 * throw.
 */
export function updateProfile(
  context: Context,
  request: ProfileContent & { routingProfileId: string },
): Promise<RoutingProfile> {
  const { routingProfileId } = request
  const event = 'channels.routing-profile.updated'
  const operation = 'updateRoutingProfile'
  return changeRecord(
    context,
    profileKind,
    operation,
    request,
    routingProfileId,
    event,
    async (before) => {
      const record = changeProfile(before, request)
      return { record, ...(await checkAndAddDefaultQueue(context, record)) }
    },
  )
}

/**
 * Checks a profile with `requireConsistent`. Returns the write and the event that create the
 * default queue if the profile uses it and it does not exist; otherwise an empty object. If another
 * command creates the queue concurrently, the insert raises SQLSTATE 23505 and this command is
 * decided again.
 */
async function checkAndAddDefaultQueue(context: Context, profile: RoutingProfile) {
  const missingQueueIds = await requireConsistent(context, profile)
  if (!missingQueueIds.includes(defaultQueueId)) return {}
  const now = context.now()
  const queue = newDefaultQueue({ contentHash: '', version: 1, createdAt: now, updatedAt: now })
  const { events } = publicationOf(queueKind, queue, queueKind.created)
  return { writes: [queueTable.insert(queue)], events }
}

/**
 * Checks the name and the references of a profile. Returns the IDs of the queues that do not exist;
 * only the default queue may be missing.
 */
async function requireConsistent(context: Context, profile: RoutingProfile): Promise<string[]> {
  const { queues, defaultOutboundQueueId, relationshipManagerIds, fallbackProfileId } = profile
  requireFreeName(profile, await holderOfName(context, profile.name))
  const queueIds = [...queues.map(({ queueId }) => queueId), defaultOutboundQueueId ?? []].flat()
  const missingQueueIds = await missingIds(context, queueTable, 'queueId', queueIds)
  const invalidQueueId = missingQueueIds.find((id) => id !== defaultQueueId)
  if (invalidQueueId !== undefined) {
    const index = queues.findIndex(({ queueId }) => queueId === invalidQueueId)
    const pointer = index < 0 ? '/defaultOutboundQueueId' : `/queues/${index}/queueId`
    throw missingReference('QUEUE_NOT_FOUND', invalidQueueId, pointer)
  }
  const [missingAgentId] = await missingIds(context, agentTable, 'agentId', relationshipManagerIds)
  if (missingAgentId !== undefined) {
    const pointer = `/relationshipManagerIds/${relationshipManagerIds.indexOf(missingAgentId)}`
    throw missingReference('AGENT_NOT_FOUND', missingAgentId, pointer)
  }
  if (fallbackProfileId === null) return missingQueueIds
  const profiles = await profileTable.findMany(context, {})
  const fallbacks = new Map(profiles.map((each) => [each.routingProfileId, each.fallbackProfileId]))
  const isOwnFallback = fallbackProfileId === profile.routingProfileId
  if (!isOwnFallback && !fallbacks.has(fallbackProfileId)) {
    throw missingReference('ROUTING_PROFILE_NOT_FOUND', fallbackProfileId, '/fallbackProfileId')
  }
  requireNoCycle(profile, (id) => fallbacks.get(id) ?? null)
  return missingQueueIds
}

type AgentRequest = AgentContent & { agentId?: string | null; status?: string | null }

/** Creates an agent. Throws INVALID_INITIAL_STATUS, RESOURCE_EXISTS, ROUTING_PROFILE_NOT_FOUND. */
export function createAgent(context: Context, request: AgentRequest): Promise<Agent> {
  const make = async (stamp: CreationStamp) => {
    await requireProfile(context, request)
    const record = newAgent(request, { ...versioned(stamp), agentId: stamp.id })
    return { record, writes: [bumpProfileVersion(request.routingProfileId)] }
  }
  return createRecord(context, agentKind, 'createAgent', request, request.agentId, make)
}

/** Replaces the content of an agent. Throws AGENT_NOT_FOUND, ROUTING_PROFILE_NOT_FOUND. */
export function updateAgent(
  context: Context,
  request: AgentContent & { agentId: string },
): Promise<Agent> {
  const event = 'channels.agent.updated'
  return changeRecord(
    context,
    agentKind,
    'updateAgent',
    request,
    request.agentId,
    event,
    async (before) => {
      await requireProfile(context, request)
      return {
        record: changeAgent(before, request),
        writes: [bumpProfileVersion(request.routingProfileId)],
      }
    },
  )
}

/** Checks that the profile exists and is not archived. Throws ROUTING_PROFILE_NOT_FOUND. */
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
