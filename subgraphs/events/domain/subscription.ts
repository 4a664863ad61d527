import type { SubscriptionFilter } from '../model/subscription.ts'
import type { SubscriptionStatus, PayloadMode } from '../model/enumerations.ts'
import { filterSubject } from '../../../kernel/domain/filter-value.ts'
import { initialState, assertTransition, type Transitions } from '../../../kernel/domain/states.ts'

export const subscriptionTransitions: Transitions<SubscriptionStatus> = {
  active: ['paused', 'disabled', 'deleted'],
  paused: ['active'],
  disabled: ['active'],
  deleted: [],
}

/**
 * The resulting status of each command on a subscription. Only the bank disables subscriptions; the
 * other commands come from the client.
 */
export const subscriptionActions = {
  pause: 'paused',
  resume: 'active',
  disable: 'disabled',
  delete: 'deleted',
} as const satisfies Record<string, SubscriptionStatus>
export type SubscriptionAction = keyof typeof subscriptionActions

export const maxSubscriptions = 100

/** A subscription of an OAuth client to events. */
export interface Subscription extends SubscriptionFilter {
  subscriptionId: string
  clientId: string
  /** An event type, `<area>.*` for all events of an area, or `*` for all events. */
  eventType: string
  status: SubscriptionStatus
  payloadMode: PayloadMode
  description: string | null
  /** Whether its client had the scope `audit:read` when it subscribed. */
  mayReceiveAudit: boolean
  /** The position after which events match: the end of the log when matching last started. */
  afterPosition: bigint
  /** The end of the event log when the subscription became inactive; null while it is active. */
  untilPosition: bigint | null
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface NewSubscription {
  eventType: string
  status?: string | null
  filter?: Partial<SubscriptionFilter> | null
  payloadMode?: PayloadMode | null
  description?: string | null
}

export interface SubscriptionCreation {
  subscriptionId: string
  clientId: string
  mayReceiveAudit: boolean
  contentHash: string
  end: bigint
  now: Date
}

/** The end of the event log, and the position up to which deliveries are planned. */
export interface LogPositions {
  end: bigint
  planned: bigint
}

/**
 * Creates an active or paused subscription. Throws INVALID_INITIAL_STATUS, and VALIDATION_FAILED
 * for an invalid subject.
 */
export function newSubscription(
  request: NewSubscription,
  stamp: SubscriptionCreation,
): Subscription {
  const { end, now, ...identity } = stamp
  const status = initialState(request.status, ['active', 'paused'] as const, 'active')
  return {
    ...identity,
    eventType: request.eventType,
    status,
    partyId: request.filter?.partyId ?? null,
    customerId: request.filter?.customerId ?? null,
    subject: filterSubject(request.filter?.subject, '/filter/subject'),
    payloadMode: request.payloadMode ?? 'full',
    description: request.description ?? null,
    afterPosition: end,
    untilPosition: status === 'active' ? null : end,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Applies a command to a subscription. A resumed subscription matches later events; events during
 * the pause can be replayed from the event log. Throws INVALID_STATE_TRANSITION.
 */
export function transitionSubscription(
  subscription: Subscription,
  action: SubscriptionAction,
  positions: LogPositions,
  now: Date,
): Subscription {
  const status = subscriptionActions[action]
  assertTransition(
    subscriptionTransitions,
    subscription.status,
    status,
    subscription.subscriptionId,
  )
  const version = subscription.version + 1
  return {
    ...subscription,
    ...activeRange(subscription, status, positions),
    status,
    version,
    updatedAt: now,
  }
}

/**
 * Returns the range of positions whose events match after a change of the status. A pause ends the
 * range, and a resumption starts a new one. If the deliveries of the old range are not all planned
 * yet, the resumption continues the old range instead, so that no event is lost. Events during the
 * pause then also match.
 */
function activeRange(
  { status: statusBefore, afterPosition, untilPosition }: Subscription,
  status: SubscriptionStatus,
  { end, planned }: LogPositions,
) {
  if (status !== 'active') return { untilPosition: statusBefore === 'active' ? end : untilPosition }
  const isAllPlanned = untilPosition === null || planned >= untilPosition
  return { afterPosition: isAllPlanned ? end : afterPosition, untilPosition: null }
}
