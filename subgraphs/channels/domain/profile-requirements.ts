import { ProfileRequirement } from '../model/enumerations.ts'
import type { RoutingProfile } from '../model/profile.ts'

/**
 * Returns the requirements that a routing profile does not meet; always empty for an archived
 * profile. `profiles` are the profiles of the bank, and `staffedProfileIds` are the IDs of
 * the profiles with agents.
 */
export function missingFrom(
  profile: RoutingProfile,
  profiles: readonly RoutingProfile[],
  staffedProfileIds: ReadonlySet<string>,
): ProfileRequirement[] {
  const { routingProfileId, status, queues, defaultOutboundQueueId } = profile
  if (status === 'archived') return []
  const hasQueue = queues.length > 0 || defaultOutboundQueueId !== null
  const isStaffed =
    staffedProfileIds.has(routingProfileId) ||
    profiles.some(
      (other) =>
        other.status === 'active' &&
        staffedProfileIds.has(other.routingProfileId) &&
        sharesQueue(profile, other),
    )
  const isMissing: Record<ProfileRequirement, boolean> = {
    activation: status !== 'active',
    queue: !hasQueue,
    agent: !isStaffed,
  }
  return ProfileRequirement.values.filter((each) => isMissing[each])
}

/** Whether work in the queues of `profile` also reaches the agents of `other`. */
function sharesQueue(profile: RoutingProfile, other: RoutingProfile): boolean {
  const { defaultOutboundQueueId: outboundQueueId } = profile
  if (outboundQueueId !== null && other.defaultOutboundQueueId === outboundQueueId) return true
  return other.queues.some(
    ({ queueId, channel }) =>
      queueId === outboundQueueId ||
      profile.queues.some((each) => each.queueId === queueId && each.channel === channel),
  )
}
