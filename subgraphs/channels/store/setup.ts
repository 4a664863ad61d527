import type { ProfileRequirement } from '../model/enumerations.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { insert, update, updateMany, type Write } from '../../../kernel/writing/writes.ts'
import type { Agent } from '../model/agent.ts'
import { missingFrom } from '../domain/profile-requirements.ts'
import type { Channel, RoutingQueue } from '../model/setup.ts'
import type { RoutingProfile } from '../model/profile.ts'
import type { Staff, Work } from '../domain/routing.ts'
import {
  agentEvents,
  channelEvents,
  profileEvents,
  queueEvents,
  type AgentEvent,
  type ChannelEvent,
  type ProfileEvent,
  type QueueEvent,
} from '../events.ts'
import { tableOf } from '../../../kernel/writing/table.ts'

const noOwners = () => []

export const channelTable = tableOf<Channel>(
  'channels.channel',
  'channelId',
  ({ db }) => db.channel,
)

export const channelKind: RecordKind<Channel, ChannelEvent> = {
  ...channelTable,
  ...channelEvents,
  id: 'channel',
  notFound: 'CHANNEL_NOT_FOUND',
  created: 'channels.channel.created',
  ownersOf: noOwners,
  isPublished: false,
}

export const queueTable = tableOf<RoutingQueue>(
  'channels.queue',
  'queueId',
  ({ db }) => db.routingQueue,
)

export const queueKind: RecordKind<RoutingQueue, QueueEvent> = {
  ...queueTable,
  ...queueEvents,
  id: 'queue',
  notFound: 'QUEUE_NOT_FOUND',
  created: 'channels.queue.created',
  ownersOf: noOwners,
  isPublished: false,
}

export const profileTable = tableOf<RoutingProfile>(
  'channels.routing_profile',
  'routingProfileId',
  ({ db }) => db.routingProfile,
)

export const profileKind: RecordKind<RoutingProfile, ProfileEvent> = {
  ...profileTable,
  ...profileEvents,
  id: 'routingProfile',
  notFound: 'ROUTING_PROFILE_NOT_FOUND',
  created: 'channels.routing-profile.created',
  ownersOf: noOwners,
  isPublished: true,
}

export const agentTable = tableOf<Agent>('channels.agent', 'agentId', ({ db }) => db.agent)

export const agentKind: RecordKind<Agent, AgentEvent> = {
  ...agentTable,
  ...agentEvents,
  id: 'agent',
  notFound: 'AGENT_NOT_FOUND',
  created: 'channels.agent.created',
  ownersOf: noOwners,
  isPublished: true,
}

const holderSql = `select routing_profile_id as id from channels.routing_profile
  where lower(name) = lower($1) and status <> 'archived'`

/**
 * Returns the ID of the profile that has a name, regardless of case; null if there is none.
 * Archived profiles are ignored.
 */
export async function holderOfName({ bank }: Context, name: string): Promise<string | null> {
  const [row] = await readRows<{ id: string }>(bank, holderSql, [name])
  return row?.id ?? null
}

/** Returns the IDs in `ids` that do not exist, in the same order. */
export async function missingIds<Entity>(
  context: Context,
  table: { findMany(context: Context, query: object): Promise<Entity[]>; idOf(r: Entity): string },
  key: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const found = await table.findMany(context, { where: { [key]: { in: [...ids] } } })
  const existing = new Set(found.map(table.idOf))
  return ids.filter((id) => !existing.has(id))
}

/**
 * Returns the number of agents of a profile, and the IDs of the profiles that fall back to it and
 * are not archived.
 */
export async function usersOf({ db }: Context, routingProfileId: string) {
  const [agents, fallbacks] = await Promise.all([
    db.agent.count({ where: { routingProfileId } }),
    db.routingProfile.findMany({
      where: { fallbackProfileId: routingProfileId, status: { not: 'archived' } },
      select: { routingProfileId: true },
    }),
  ])
  return { agents, fallbackOf: fallbacks.map((each) => each.routingProfileId) }
}

/** Loads the unmet requirements of profiles. Reads the active profiles once per batch. */
export const loadMissing = loader<RoutingProfile, ProfileRequirement[]>(
  async (context, profiles) => {
    const [activeProfiles, agentProfiles] = await Promise.all([
      profileTable.findMany(context, { where: { status: 'active' } }),
      context.db.agent.findMany({
        distinct: ['routingProfileId'],
        select: { routingProfileId: true },
      }),
    ])
    const staffedProfileIds = new Set(agentProfiles.map(({ routingProfileId }) => routingProfileId))
    return profiles.map((profile) => missingFrom(profile, activeProfiles, staffedProfileIds))
  },
)

/**
 * Reads the inputs of routing: profiles, available agents, and the relationship managers of the
 * parties of the work.
 */
export async function readStaff(
  context: Context,
  work: readonly Pick<Work, 'partyId'>[],
): Promise<Staff> {
  const [profiles, agents, managerOf] = await Promise.all([
    profileTable.findMany(context, { where: { status: { not: 'archived' } } }),
    agentTable.findMany(context, { where: { status: 'available' }, orderBy: { agentId: 'asc' } }),
    readManagers(context, work),
  ])
  return { profiles, agents, managerOf }
}

/** Reads the relationship managers of the parties of work. */
export async function readManagers(
  { db }: Context,
  work: readonly Pick<Work, 'partyId'>[],
): Promise<Staff['managerOf']> {
  const partyIds = work.flatMap(({ partyId }) => (partyId === null ? [] : [partyId]))
  if (partyIds.length === 0) return new Map()
  const relationships = await db.relationship.findMany({
    where: { partyId: { in: [...new Set(partyIds)] } },
    select: { partyId: true, agentId: true },
  })
  return new Map(relationships.map(({ partyId, agentId }) => [partyId, agentId]))
}

/** Returns the relationship manager of a party; null if there is none. */
export async function findManager(context: Context, partyId: string): Promise<Agent | null> {
  const row = await context.db.relationship.findUnique({ where: { partyId } })
  return row && agentTable.load(context, row.agentId)
}

/** Returns the version of a party's relationship manager assignment; 0 if there is none. */
export async function managerVersion(context: Context, partyId: string): Promise<number> {
  const row = await context.db.relationship.findUnique({ where: { partyId } })
  return row?.version ?? 0
}

/**
 * Returns the write that saves a party's relationship manager if the assignment still has the
 * version `version`, where 0 means that there is no assignment yet.
 */
export function writeManager(
  partyId: string,
  agentId: string,
  version: number,
  assignedAt: Date,
): Write {
  const row = { party_id: partyId, agent_id: agentId, assigned_at: assignedAt }
  if (version === 0) return insert('channels.relationship', { ...row, version: 1 })
  const { party_id, ...changes } = row
  return update('channels.relationship', { party_id }, version, changes)
}

/**
 * Returns the write that saves the load of agents. Each agent has the version on which the decision
 * was based.
 */
export function writeLoads(agents: readonly Agent[]): Write {
  return updateMany(
    'channels.agent',
    'agent_id',
    agents.map((agent) => ({
      agent_id: agent.agentId,
      version: agent.version,
      load: agent.load,
      last_activity_at: agent.lastActivityAt,
      last_inbound_at: agent.lastInboundAt,
    })),
  )
}

/**
 * Returns the write that increments the version of a profile that is about to be used, so that a
 * concurrent command that archives the profile conflicts and is decided again. It changes no row,
 * and the commit fails, if the profile is archived.
 */
export function bumpProfileVersion(routingProfileId: string): Write {
  return {
    sql:
      'update channels.routing_profile t set version = t.version + 1 from claim ' +
      "where t.routing_profile_id = $1 and t.status <> 'archived' returning 1",
    values: [routingProfileId],
    rows: 1,
  }
}
