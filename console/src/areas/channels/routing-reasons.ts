import type {
  AgentPartsFragment,
  DecisionPartsFragment,
  RoutingReasonCode,
} from './queries.generated.ts'

/** What each finding means. `names` are the profiles, queues or agents that it is about. */
const sentences: Readonly<Record<RoutingReasonCode, (names: string) => string>> = {
  PROFILE_ASKED_FOR: (names) => `The contact asks for the profile ${names}.`,
  PROFILE_FITS: (names) => `The profile ${names} fits best: manager, segment, language, own queue.`,
  NO_PROFILE_FITS: () => 'No active profile serves this medium and segment.',
  PROFILE_NOT_ACTIVE: (names) => `The profile ${names} is not active.`,
  OUTSIDE_HOURS: (names) => `The profile ${names} is closed now.`,
  CHANNEL_NOT_SERVED: (names) => `The profile ${names} has no queue for this medium.`,
  NOBODY_STAFFED: (names) => `No available agent serves the queue ${names}.`,
  FALLS_BACK: (names) => `The fallback profile ${names} is tried.`,
  WAITS_IN_FIRST_PROFILE: (names) =>
    `No fallback helps: the contact waits in the profile ${names}.`,
  QUEUE_CHOSEN: (names) => `The contact enters the queue ${names}.`,
  NOT_BEFORE_DELAY: (names) => `Too early for ${names}: the delay of their queue has not passed.`,
  LACKS_SKILL: (names) => `A required skill is missing: ${names}.`,
  LACKS_LANGUAGE: (names) => `The language is missing: ${names}.`,
  MEDIUM_NOT_HANDLED: (names) =>
    `The profile of these agents does not handle the medium: ${names}.`,
  AT_CAPACITY: (names) => `Busy up to their limit: ${names}.`,
  BUSY_ELSEWHERE: (names) => `Busy with a medium that excludes others: ${names}.`,
  RELATIONSHIP_MANAGER: (names) => `${names} is the customer’s relationship manager.`,
  DEPUTY_RELATIONSHIP_MANAGER: (names) => `${names} is a relationship manager of the profile.`,
  FIRST_PRIORITY: (names) => `${names} serves the queue with the highest priority.`,
  LONGEST_IDLE: (names) => `${names} has been idle longest.`,
  NOBODY_FREE: (names) => `No agent of the queue ${names} can take the contact now.`,
}

/** The findings about agents who were skipped, as the reason of one agent. */
const skipReasons: Readonly<Partial<Record<RoutingReasonCode, string>>> = {
  NOT_BEFORE_DELAY: 'Not yet: the delay of the queue has not passed',
  LACKS_SKILL: 'Lacks a required skill',
  LACKS_LANGUAGE: 'Does not speak the language',
  MEDIUM_NOT_HANDLED: 'The profile does not handle the medium',
  AT_CAPACITY: 'Busy up to the limit',
  BUSY_ELSEWHERE: 'Busy with a medium that excludes others',
}

export const sentenceOf = (code: RoutingReasonCode, names: readonly string[]): string =>
  sentences[code](names.join(', '))

/** What the decision says about an agent. */
export interface Verdict {
  agent: AgentPartsFragment
  outcome: 'chosen' | 'qualified' | 'skipped' | 'not considered'
  reason: string
}

/** The findings name at most this many agents each. */
const maxSubjects = 20

/**
 * Returns who got the contact, who could have, and who could not, with the reason. The graph states
 * the reasons of those who were considered; the others are those who are not available or do not
 * serve the queue.
 */
export function verdictsOf(
  { agentId, queueId, reasons }: DecisionPartsFragment,
  agents: readonly AgentPartsFragment[],
  channel: string | undefined,
): Verdict[] {
  const skips = reasons.filter(({ code }) => skipReasons[code] !== undefined)
  const isCut = skips.some(({ subjects }) => subjects.length >= maxSubjects)
  const verdictOf = (agent: AgentPartsFragment): Verdict => {
    if (agent.agentId === agentId) {
      return { agent, outcome: 'chosen', reason: 'Gets the contact' }
    }
    const skip = skips.find(({ subjects }) => subjects.includes(agent.agentId))
    if (skip) return { agent, outcome: 'skipped', reason: skipReasons[skip.code]! }
    const reason = absenceOf(agent, queueId, channel)
    if (reason) return { agent, outcome: 'not considered', reason }
    if (isCut || agent.routingProfile?.hours) {
      return { agent, outcome: 'not considered', reason: 'The decision does not say' }
    }
    return agentId
      ? { agent, outcome: 'qualified', reason: 'Could take it, but comes after the chosen one' }
      : { agent, outcome: 'not considered', reason: 'Was not there when it was decided' }
  }
  const order: readonly Verdict['outcome'][] = ['chosen', 'qualified', 'skipped', 'not considered']
  return agents
    .map(verdictOf)
    .toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
}

function absenceOf(
  { status, routingProfile }: AgentPartsFragment,
  queueId: string | null | undefined,
  channel: string | undefined,
): string | null {
  if (status === 'OFFLINE') return 'Offline'
  if (status === 'AWAY') return 'Away'
  if (routingProfile?.status !== 'ACTIVE') return 'The profile of the agent is not active'
  const serves = routingProfile.queues.some(
    (entry) => entry.queueId === queueId && (!channel || entry.channel === channel),
  )
  return serves ? null : 'Does not serve the queue for this medium'
}
