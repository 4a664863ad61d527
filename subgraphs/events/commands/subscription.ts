import { fingerprint } from '../../../kernel/writing/answer.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import {
  mayReceiveType,
  requireReceivableTypes,
} from '../../../kernel/authorization/restricted-events.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { identityRecordEvent, requireKnownTypes } from '../../../kernel/domain/event-filter.ts'
import { Problem } from '../domain/problems.ts'
import { knownEvents } from '../../../kernel/events/events.ts'
import {
  transitionSubscription,
  maxSubscriptions,
  newSubscription,
  type NewSubscription,
  type Subscription,
} from '../domain/subscription.ts'
import { subscriptionEvent } from '../events.ts'
import { countOf } from '../store/client.ts'
import { readLogPositions } from '../store/log.ts'
import { findSubscription, insertSubscription, updateSubscription } from '../store/subscription.ts'

export interface SubscriptionRequest extends NewSubscription {
  subscriptionId?: string | null
}

/**
 * Subscribes the calling client to an event type, an area or all events, starting with the next
 * event. A repeated request with the same ID and content returns the existing subscription.
 * Throws NOT_FOR_DELEGATED_USERS, UNKNOWN_EVENT_TYPE, INVALID_INITIAL_STATUS, VALIDATION_FAILED,
 * SUBSCRIPTION_ALREADY_EXISTS, SUBSCRIPTION_LIMIT_REACHED, INSUFFICIENT_SCOPE.
 */
export function createSubscription(
  context: Context,
  request: SubscriptionRequest,
): Promise<Subscription> {
  requireBank(context)
  const contentHash = fingerprint('createEventSubscription', request)
  const { clientId } = context.caller
  return command(context, 'createEventSubscription', request, async () => {
    requireKnownTypes([request.eventType], knownEvents.keys(), () => '/eventType')
    requireReceivableTypes(context.caller, [request.eventType])
    const existing = request.subscriptionId
      ? await findSubscription(context, request.subscriptionId)
      : null
    if (existing) return existingResult(existing, clientId, contentHash)
    if ((await countOf(context, 'subscriptions', clientId)) >= maxSubscriptions) {
      const detail = `A client can have at most ${maxSubscriptions} subscriptions. Delete one first.`
      throw new Problem('SUBSCRIPTION_LIMIT_REACHED', { detail })
    }
    const subscriptionId = request.subscriptionId ?? context.newId('subscription')
    const { end } = await readLogPositions(context)
    const mayReceiveAudit = mayReceiveType(context.caller, identityRecordEvent)
    const now = context.now()
    const stamp = { subscriptionId, clientId, mayReceiveAudit, contentHash, end, now }
    const subscription = newSubscription(request, stamp)
    return {
      result: subscription,
      resourceId: subscriptionId,
      writes: insertSubscription(subscription),
      events: [subscriptionEvent('events.subscription.created', subscription)],
    }
  })
}

function existingResult(existing: Subscription, clientId: string, contentHash: string) {
  const { subscriptionId: resourceId } = existing
  if (existing.clientId === clientId && existing.contentHash === contentHash) {
    return { result: existing, resourceId }
  }
  throw new Problem('SUBSCRIPTION_ALREADY_EXISTS', { resourceId })
}

/** The event type of each command on a subscription. */
const eventTypeOf = {
  pause: 'events.subscription.paused',
  resume: 'events.subscription.resumed',
  delete: 'events.subscription.deleted',
} as const

/**
 * Pauses, resumes or deletes a subscription of the calling client.
 * Throws NOT_FOR_DELEGATED_USERS, SUBSCRIPTION_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export function changeSubscription(
  context: Context,
  action: keyof typeof eventTypeOf,
  subscriptionId: string,
): Promise<Subscription> {
  requireBank(context)
  return command(context, `${action}EventSubscription`, { subscriptionId }, async () => {
    const before = await findSubscription(context, subscriptionId)
    if (before?.clientId !== context.caller.clientId) {
      throw new Problem('SUBSCRIPTION_NOT_FOUND', { resourceId: subscriptionId })
    }
    const after = transitionSubscription(
      before,
      action,
      await readLogPositions(context),
      context.now(),
    )
    return {
      result: after,
      resourceId: subscriptionId,
      writes: updateSubscription(after),
      events: [subscriptionEvent(eventTypeOf[action], after)],
    }
  })
}
