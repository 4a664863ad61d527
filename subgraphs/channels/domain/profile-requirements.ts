import type { RoutingProfile } from './routing-profile.ts'

export const profileRequirements = ['activation', 'queue', 'agent'] as const
/** What a routing profile can lack before work is routed to agents through it. */
export type ProfileRequirement = (typeof profileRequirements)[number]

/**
 * What must be supplied before a routing profile works; empty when nothing is, and when it is
 * archived. `others` are the profiles of the bank; `staffed` are the ids of those that have agents.
 */
export function missingFrom(
  profile: RoutingProfile,
  others: readonly RoutingProfile[],
  staffed: ReadonlySet<string>,
): ProfileRequirement[] {
  const { routingProfileId, status, queues, defaultOutboundQueueId } = profile
  if (status === 'archived') return []
  const hasQueue = queues.length > 0 || defaultOutboundQueueId !== null
  const isStaffed =
    staffed.has(routingProfileId) ||
    others.some(
      (other) =>
        other.status === 'active' &&
        staffed.has(other.routingProfileId) &&
        sharesQueue(profile, other),
    )
  const isLacking: Record<ProfileRequirement, boolean> = {
    activation: status !== 'active',
    queue: !hasQueue,
    agent: !isStaffed,
  }
  return profileRequirements.filter((each) => isLacking[each])
}

/** Whether the agents of another profile receive work that enters a queue of this one. */
function sharesQueue(profile: RoutingProfile, other: RoutingProfile): boolean {
  const { defaultOutboundQueueId: outbound } = profile
  if (outbound !== null && other.defaultOutboundQueueId === outbound) return true
  return other.queues.some(
    ({ queueId, channel }) =>
      queueId === outbound ||
      profile.queues.some((each) => each.queueId === queueId && each.channel === channel),
  )
}
