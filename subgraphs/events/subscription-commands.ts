import { fingerprint } from '../_kernel/answer.ts'
import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { requireKnownTypes } from '../_kernel/domain/event-filter.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { knownEvents } from '../_kernel/events.ts'
import {
  moveSubscription,
  mostSubscriptions,
  newSubscription,
  type NewSubscription,
  type Subscription,
} from './domain/subscription.ts'
import { tellSubscription } from './events.ts'
import { countOf } from './store/client.ts'
import { readPlaces } from './store/log.ts'
import { findSubscription, insertSubscription, updateSubscription } from './store/subscription.ts'

export interface SubscriptionAsked extends NewSubscription {
  subscriptionId?: string | null
}

/**
 * Subscribes the calling client to an event type, an area or all events, starting with the next
 * event. Repeating the same id and content returns the existing subscription.
 * Rejects with NOT_FOR_DELEGATED_USERS, UNKNOWN_EVENT_TYPE, INVALID_INITIAL_STATUS,
 * SUBSCRIPTION_ALREADY_EXISTS and SUBSCRIPTION_LIMIT_REACHED.
 */
export function createSubscription(
  context: Context,
  asked: SubscriptionAsked,
): Promise<Subscription> {
  requireBank(context)
  const contentHash = fingerprint('createEventSubscription', asked)
  const { clientId } = context.caller
  return command(context, 'createEventSubscription', asked, async () => {
    requireKnownTypes([asked.eventType], knownEvents.keys(), () => '/eventType')
    const existing = asked.subscriptionId
      ? await findSubscription(context, asked.subscriptionId)
      : null
    if (existing) return answerAgain(existing, clientId, contentHash)
    if ((await countOf(context, 'subscriptions', clientId)) >= mostSubscriptions) {
      const detail = `A client can have at most ${mostSubscriptions} subscriptions. Delete one first.`
      throw new Problem('SUBSCRIPTION_LIMIT_REACHED', { detail })
    }
    const subscriptionId = asked.subscriptionId ?? context.newId('subscription')
    const { end } = await readPlaces(context)
    const made = { subscriptionId, clientId, contentHash, end, now: context.now() }
    const subscription = newSubscription(asked, made)
    return {
      result: subscription,
      resourceId: subscriptionId,
      writes: insertSubscription(subscription),
      events: [tellSubscription('events.subscription.created', subscription)],
    }
  })
}

function answerAgain(existing: Subscription, clientId: string, contentHash: string) {
  const { subscriptionId: resourceId } = existing
  if (existing.clientId === clientId && existing.contentHash === contentHash) {
    return { result: existing, resourceId }
  }
  throw new Problem('SUBSCRIPTION_ALREADY_EXISTS', { resourceId })
}

/** The event of each command on a subscription. */
const toldAs = {
  pause: 'events.subscription.paused',
  resume: 'events.subscription.resumed',
  delete: 'events.subscription.deleted',
} as const

/**
 * Pauses, resumes or deletes a subscription of the calling client.
 * Rejects with NOT_FOR_DELEGATED_USERS, SUBSCRIPTION_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export function changeSubscription(
  context: Context,
  act: keyof typeof toldAs,
  subscriptionId: string,
): Promise<Subscription> {
  requireBank(context)
  return command(context, `${act}EventSubscription`, { subscriptionId }, async () => {
    const before = await findSubscription(context, subscriptionId)
    if (before?.clientId !== context.caller.clientId) {
      throw new Problem('SUBSCRIPTION_NOT_FOUND', { resourceId: subscriptionId })
    }
    const after = moveSubscription(before, act, await readPlaces(context), context.now())
    return {
      result: after,
      resourceId: subscriptionId,
      writes: updateSubscription(after),
      events: [tellSubscription(toldAs[act], after)],
    }
  })
}
