import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Medium } from './medium.ts'
import type { AvailabilityTimer, RoutingProfile } from './routing-profile.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'

export const agentStatuses = ['offline', 'available', 'away'] as const
export type AgentStatus = (typeof agentStatuses)[number]

export const agentMoves: Transitions<AgentStatus> = {
  offline: ['available'],
  available: ['away', 'offline'],
  away: ['available', 'offline'],
}

/** A contact-center agent who handles interactions. */
export interface Agent extends Versioned {
  agentId: string
  name: string
  routingProfileId: string
  skills: readonly string[]
  languages: readonly string[]
  status: AgentStatus
  /** The number of interactions the agent is handling, per medium. */
  load: Readonly<Partial<Record<Medium, number>>>
  lastActivityAt: Date
  lastInboundAt: Date
}

export interface AgentContent {
  name: string
  routingProfileId: string
  skills?: readonly string[] | null
  languages?: readonly string[] | null
}

/** Creates an agent. Throws INVALID_INITIAL_STATUS. */
export function newAgent(
  asked: AgentContent & { status?: string | null },
  made: Versioned & { agentId: string },
): Agent {
  return {
    ...made,
    ...contentOf(asked),
    status: initialState(asked.status, ['offline', 'available'], 'offline'),
    load: {},
    lastActivityAt: made.createdAt,
    lastInboundAt: made.createdAt,
  }
}

/** Replaces an agent's name, routing profile, skills and languages. */
export function changeAgent(agent: Agent, asked: AgentContent): Agent {
  return { ...agent, ...contentOf(asked) }
}

function contentOf({ name, routingProfileId, skills, languages }: AgentContent) {
  const own = { skills: [...new Set(skills)], languages: [...new Set(languages)] }
  return { name, routingProfileId, ...own }
}

/** Throws INVALID_STATE_TRANSITION. */
export function moveAgent(agent: Agent, to: AgentStatus, now: Date): Agent {
  requireMove(agentMoves, agent.status, to, agent.agentId)
  return { ...agent, status: to, lastActivityAt: now }
}

/** Adds one interaction of a medium to an agent's load. */
export function takeOn(agent: Agent, medium: Medium, isInbound: boolean, now: Date): Agent {
  return {
    ...agent,
    load: { ...agent.load, [medium]: (agent.load[medium] ?? 0) + 1 },
    lastActivityAt: now,
    lastInboundAt: isInbound ? now : agent.lastInboundAt,
  }
}

/** Removes one interaction of a medium from an agent's load, which never drops below zero. */
export function putDown(agent: Agent, medium: Medium, now: Date): Agent {
  const left = Math.max(0, (agent.load[medium] ?? 0) - 1)
  return { ...agent, load: { ...agent.load, [medium]: left }, lastActivityAt: now }
}

/** Why an agent cannot receive another interaction of a medium. */
export type CapacityFault = 'medium-not-handled' | 'at-capacity' | 'busy-elsewhere'

/**
 * Checks the limits of the agent's routing profile: the concurrency per medium, and the exclusion
 * of other media while the agent handles one that is `route-current-channel-only`. Returns null if
 * the agent can receive another interaction of the medium.
 */
export function capacityFault(
  { load }: Agent,
  { mediaConcurrencies }: RoutingProfile,
  medium: Medium,
): CapacityFault | null {
  const own = mediaConcurrencies.find(({ channel }) => channel === medium)
  if (!own) return 'medium-not-handled'
  if ((load[medium] ?? 0) >= own.concurrency) return 'at-capacity'
  const holdsOther = mediaConcurrencies.some(
    ({ channel, crossChannelBehavior }) =>
      channel !== medium &&
      (load[channel] ?? 0) > 0 &&
      crossChannelBehavior === 'route-current-channel-only',
  )
  return holdsOther ? 'busy-elsewhere' : null
}

/** The start of an agent's idle time. */
export function idleSince(agent: Agent, timer: AvailabilityTimer): Date {
  return timer === 'time-since-last-inbound' ? agent.lastInboundAt : agent.lastActivityAt
}
