import type { Agent } from '../../../subgraphs/channels/model/agent.ts'
import type { RoutingProfile } from '../../../subgraphs/channels/model/profile.ts'
import type { Staff, Work } from '../../../subgraphs/channels/domain/routing.ts'

/** A Monday at 09:00 UTC. */
export const now = new Date('2026-03-02T09:00:00Z')
export const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

const head = { contentHash: '', version: 1, createdAt: now, updatedAt: now }

export const aProfile = (id: string, more: Partial<RoutingProfile> = {}): RoutingProfile => ({
  ...head,
  routingProfileId: id,
  name: id,
  kind: 'contact-center',
  status: 'active',
  queues: [
    { queueId: 'general', channel: 'voice', priority: 1, delaySeconds: 0 },
    { queueId: 'general', channel: 'chat', priority: 1, delaySeconds: 0 },
  ],
  mediaConcurrencies: [
    { channel: 'voice', concurrency: 1, crossChannelBehavior: 'route-current-channel-only' },
    { channel: 'chat', concurrency: 2, crossChannelBehavior: 'route-any-channel' },
  ],
  defaultOutboundQueueId: null,
  agentAvailabilityTimer: 'time-since-last-activity',
  skills: [],
  languages: [],
  segments: [],
  relationshipManagerIds: [],
  fallbackProfileId: null,
  hours: null,
  ...more,
})

export const anAgent = (id: string, more: Partial<Agent> = {}): Agent => ({
  ...head,
  agentId: id,
  name: id,
  routingProfileId: 'retail',
  skills: [],
  languages: [],
  status: 'available',
  load: {},
  lastActivityAt: ago(60),
  lastInboundAt: ago(60),
  ...more,
})

export const aCall = (more: Partial<Work> = {}): Work => ({
  channel: 'voice',
  direction: 'inbound',
  partyId: null,
  routingProfileId: null,
  language: null,
  segment: null,
  skills: [],
  waitingSince: now,
  ...more,
})

export const staffOf = (
  profiles: RoutingProfile[],
  agents: Agent[],
  managers: Record<string, string> = {},
): Staff => ({ profiles, agents, managerOf: new Map(Object.entries(managers)) })
