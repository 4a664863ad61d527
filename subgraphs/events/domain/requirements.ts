import type { SubscriptionRequirement } from '../model/enumerations.ts'
import type { Subscription } from './subscription.ts'

/**
 * Returns the requirements that a subscription does not meet; always empty for a deleted
 * subscription.
 */
export function unmetRequirements(
  { status }: Subscription,
  hasActiveEndpoint: boolean,
): SubscriptionRequirement[] {
  return status === 'deleted' || hasActiveEndpoint ? [] : ['endpoint']
}
