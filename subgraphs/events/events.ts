import {
  SubscriptionStatus,
  PayloadMode,
  EndpointStatus,
  DisableReason,
} from './model/enumerations.ts'
import { id, oneOf, orNull, record, text, integer } from '../../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import { type Endpoint } from './domain/endpoint.ts'
import { type Subscription } from './domain/subscription.ts'

const subscriptionData = record({
  subscriptionId: id,
  clientId: text,
  eventType: text,
  status: oneOf(SubscriptionStatus.values),
  payloadMode: oneOf(PayloadMode.values),
})

export const subscriptionEvents = declareEvents(
  {
    'events.subscription.created': 'An event subscription was created.',
    'events.subscription.paused': 'An event subscription was paused by its client.',
    'events.subscription.resumed': 'An event subscription was resumed by its client.',
    'events.subscription.disabled':
      'An event subscription was disabled, because its client has no active endpoint.',
    'events.subscription.deleted': 'An event subscription was deleted by its client.',
  },
  subscriptionData,
)

/**
 * The data of an endpoint event. It contains only the host of the URL, because the path may contain
 * a secret of the client.
 */
const endpointData = record({
  endpointId: id,
  clientId: text,
  host: text,
  status: oneOf(EndpointStatus.values),
  statusReason: orNull(oneOf(DisableReason.values)),
})

export const endpointEvents = declareEvents(
  {
    'events.endpoint.registered': 'A webhook endpoint was registered.',
    'events.endpoint.secret-rotated': 'The signing secret of a webhook endpoint was rotated.',
    'events.endpoint.tested': 'The client of a webhook endpoint requested a test event.',
    'events.endpoint.disabled':
      'A webhook endpoint was disabled, because it responded with 410 (Gone) or failed for five days.',
    'events.endpoint.enabled': 'A disabled webhook endpoint was enabled.',
    'events.endpoint.deleted': 'A webhook endpoint was deleted.',
  },
  endpointData,
)

export const deliveryEvents = declareEvents(
  {
    'events.delivery.dead-lettered':
      'All attempts to deliver an event to a webhook endpoint failed.',
  },
  record({
    deliveryId: text,
    endpointId: id,
    clientId: text,
    eventId: text,
    eventType: text,
    position: text,
    attempts: integer,
    lastStatusCode: orNull(integer),
  }),
)

export function subscriptionEvent(
  type: keyof typeof subscriptionEvents,
  subscription: Subscription,
): DomainEvent {
  const { subscriptionId, clientId, eventType, status, payloadMode, version } = subscription
  return {
    type,
    subject: `subscription/${subscriptionId}`,
    version,
    data: { subscriptionId, clientId, eventType, status, payloadMode },
    parties: [],
  }
}

export function endpointEvent(type: keyof typeof endpointEvents, endpoint: Endpoint): DomainEvent {
  const { endpointId, clientId, url, status, statusReason, version } = endpoint
  const { host } = new URL(url)
  return {
    type,
    subject: `endpoint/${endpointId}`,
    version,
    data: { endpointId, clientId, host, status, statusReason },
    parties: [],
  }
}

/** A delivery of which all attempts failed. */
export interface DeadLetter {
  deliveryId: string
  endpointId: string
  clientId: string
  eventId: string
  eventType: string
  position: bigint
  attempts: number
  lastStatusCode: number | null
}

export function deadLetterEvent(deadLetter: DeadLetter): DomainEvent {
  const type: keyof typeof deliveryEvents = 'events.delivery.dead-lettered'
  const subject = `delivery/${deadLetter.deliveryId}`
  return { type, subject, version: deadLetter.attempts, data: { ...deadLetter }, parties: [] }
}
