import { filterSubject } from '../../_kernel/domain/filter-value.ts'
import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'

export const subscriptionStatuses = ['active', 'paused', 'disabled', 'deleted'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

export const subscriptionMoves: Transitions<SubscriptionStatus> = {
  active: ['paused', 'disabled', 'deleted'],
  paused: ['active'],
  disabled: ['active'],
  deleted: [],
}

/**
 * The state that each command on a subscription leads to. The bank disables; the client does
 * everything else.
 */
export const subscriptionActs = {
  pause: 'paused',
  resume: 'active',
  disable: 'disabled',
  delete: 'deleted',
} as const satisfies Record<string, SubscriptionStatus>
export type SubscriptionAct = keyof typeof subscriptionActs

export const payloadModes = ['full', 'thin'] as const
export type PayloadMode = (typeof payloadModes)[number]

export const mostSubscriptions = 100

/** The filter of a subscription; null matches everything. */
export interface SubscriptionFilter {
  partyId: string | null
  customerId: string | null
  /** `<entity>/<id>`. */
  subject: string | null
}

/** A subscription of an OAuth client to a type of event. */
export interface Subscription extends SubscriptionFilter {
  subscriptionId: string
  clientId: string
  /** A type, `<area>.*` or `*`. */
  eventType: string
  status: SubscriptionStatus
  payloadMode: PayloadMode
  description: string | null
  /** The end of the log at creation or resumption: later events match. */
  afterPosition: bigint
  /** The end of the log when the subscription stopped being active; null while it is active. */
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

export interface MadeSubscription {
  subscriptionId: string
  clientId: string
  contentHash: string
  end: bigint
  now: Date
}

/** The end of the log, and the position up to which deliveries are planned. */
export interface LogPlaces {
  end: bigint
  planned: bigint
}

/** A new subscription, active or paused. Rejects with INVALID_INITIAL_STATUS, VALIDATION_FAILED (subject). */
export function newSubscription(asked: NewSubscription, made: MadeSubscription): Subscription {
  const { end, now, ...rest } = made
  const status = initialState(asked.status, ['active', 'paused'] as const, 'active')
  return {
    ...rest,
    eventType: asked.eventType,
    status,
    partyId: asked.filter?.partyId ?? null,
    customerId: asked.filter?.customerId ?? null,
    subject: filterSubject(asked.filter?.subject, '/filter/subject'),
    payloadMode: asked.payloadMode ?? 'full',
    description: asked.description ?? null,
    afterPosition: end,
    untilPosition: status === 'active' ? null : end,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Applies a command to a subscription. A resumed subscription matches events from then on; earlier
 * ones are in the log and can be replayed.
 * Rejects with INVALID_STATE_TRANSITION.
 */
export function moveSubscription(
  subscription: Subscription,
  act: SubscriptionAct,
  places: LogPlaces,
  now: Date,
): Subscription {
  const status = subscriptionActs[act]
  requireMove(subscriptionMoves, subscription.status, status, subscription.subscriptionId)
  const version = subscription.version + 1
  return {
    ...subscription,
    ...heard(subscription, status, places),
    status,
    version,
    updatedAt: now,
  }
}

/**
 * Keeps the range of positions in which the subscription was active, for events that are not
 * planned yet.
 */
function heard(
  { status: before, afterPosition, untilPosition }: Subscription,
  status: SubscriptionStatus,
  { end, planned }: LogPlaces,
) {
  if (status !== 'active') return { untilPosition: before === 'active' ? end : untilPosition }
  const isAllPlanned = untilPosition === null || planned >= untilPosition
  return { afterPosition: isAllPlanned ? end : afterPosition, untilPosition: null }
}
