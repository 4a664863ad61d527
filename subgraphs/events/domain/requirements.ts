import type { Subscription } from './subscription.ts'

export const subscriptionRequirements = ['endpoint'] as const
/** A requirement for the delivery of the events of a subscription. */
export type SubscriptionRequirement = (typeof subscriptionRequirements)[number]

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
