import type { AgentStatus, Medium, AvailabilityTimer } from '../model/enumerations.ts'
import { initialState, assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import type { Agent } from '../model/agent.ts'
import type { RoutingProfile } from '../model/profile.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'

export const agentTransitions: Transitions<AgentStatus> = {
  offline: ['available'],
  available: ['away', 'offline'],
  away: ['available', 'offline'],
}

export interface AgentContent {
  name: string
  routingProfileId: string
  skills?: readonly string[] | null
  languages?: readonly string[] | null
}

/** Creates an agent. Throws INVALID_INITIAL_STATUS. */
export function newAgent(
  request: AgentContent & { status?: string | null },
  stamp: Versioned & { agentId: string },
): Agent {
  return {
    ...stamp,
    ...contentOf(request),
    status: initialState(request.status, ['offline', 'available'], 'offline'),
    load: {},
    lastActivityAt: stamp.createdAt,
    lastInboundAt: stamp.createdAt,
  }
}

/** Replaces an agent's name, routing profile, skills and languages. */
export function changeAgent(agent: Agent, request: AgentContent): Agent {
  return { ...agent, ...contentOf(request) }
}

function contentOf({ name, routingProfileId, skills, languages }: AgentContent) {
  const abilities = { skills: [...new Set(skills)], languages: [...new Set(languages)] }
  return { name, routingProfileId, ...abilities }
}

/** Changes the status of an agent. Throws INVALID_STATE_TRANSITION. */
export function transitionAgent(agent: Agent, to: AgentStatus, now: Date): Agent {
  assertTransition(agentTransitions, agent.status, to, agent.agentId)
  return { ...agent, status: to, lastActivityAt: now }
}

/** Adds one interaction of a medium to an agent's load. */
export function takeWork(agent: Agent, medium: Medium, isInbound: boolean, now: Date): Agent {
  return {
    ...agent,
    load: { ...agent.load, [medium]: (agent.load[medium] ?? 0) + 1 },
    lastActivityAt: now,
    lastInboundAt: isInbound ? now : agent.lastInboundAt,
  }
}

/** Removes one interaction of a medium from an agent's load, but not below zero. */
export function releaseWork(agent: Agent, medium: Medium, now: Date): Agent {
  const remaining = Math.max(0, (agent.load[medium] ?? 0) - 1)
  return { ...agent, load: { ...agent.load, [medium]: remaining }, lastActivityAt: now }
}

/** Why an agent cannot receive another interaction of a medium. */
export type CapacityFault = 'medium-not-handled' | 'at-capacity' | 'busy-elsewhere'

/**
 * Returns why an agent cannot receive another interaction of a medium; null if the agent can. The
 * agent's routing profile limits the number of concurrent interactions per medium. In addition,
 * while an agent handles a medium with `route-current-channel-only`, the agent receives no work of
 * other media.
 */
export function capacityFault(
  { load }: Agent,
  { mediaConcurrencies }: RoutingProfile,
  medium: Medium,
): CapacityFault | null {
  const limit = mediaConcurrencies.find(({ channel }) => channel === medium)
  if (!limit) return 'medium-not-handled'
  if ((load[medium] ?? 0) >= limit.concurrency) return 'at-capacity'
  const isExclusive = mediaConcurrencies.some(
    ({ channel, crossChannelBehavior }) =>
      channel !== medium &&
      (load[channel] ?? 0) > 0 &&
      crossChannelBehavior === 'route-current-channel-only',
  )
  return isExclusive ? 'busy-elsewhere' : null
}

/** Returns the start of an agent's idle time. */
export function idleSince(agent: Agent, timer: AvailabilityTimer): Date {
  return timer === 'time-since-last-inbound' ? agent.lastInboundAt : agent.lastActivityAt
}
