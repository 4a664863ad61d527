import { id, oneOf, orNull, record, text, whole } from '../_kernel/event-data.ts'
import { declareEvents, type Told } from '../_kernel/events.ts'
import { disableReasons, endpointStatuses, type Endpoint } from './domain/endpoint.ts'
import { payloadModes, subscriptionStatuses, type Subscription } from './domain/subscription.ts'

const subscriptionData = record({
  subscriptionId: id,
  clientId: text,
  eventType: text,
  status: oneOf(subscriptionStatuses),
  payloadMode: oneOf(payloadModes),
})

export const subscriptionEvents = declareEvents(
  {
    'events.subscription.created': 'A client asked to hear of events.',
    'events.subscription.paused': 'A client wants to hear nothing for a while.',
    'events.subscription.resumed': 'A client wants to hear of events again.',
    'events.subscription.disabled': 'The bank stopped telling a client whom it cannot reach.',
    'events.subscription.deleted': 'A client wants to hear of those events no more.',
  },
  subscriptionData,
)

/** The address itself is left out: its path may be a secret of the client. */
const endpointData = record({
  endpointId: id,
  clientId: text,
  host: text,
  status: oneOf(endpointStatuses),
  statusReason: orNull(oneOf(disableReasons)),
})

export const endpointEvents = declareEvents(
  {
    'events.endpoint.registered': 'A client has a new address that events are sent to.',
    'events.endpoint.secret-rotated': 'What is sent to an address is signed with another secret.',
    'events.endpoint.tested': 'A client asked for an event to try its address with.',
    'events.endpoint.disabled': 'The bank gave up an address: it is gone, or fails for days.',
    'events.endpoint.enabled': 'Events are sent to an address again.',
    'events.endpoint.deleted': 'Events are no longer sent to an address.',
  },
  endpointData,
)

export const deliveryEvents = declareEvents(
  { 'events.delivery.dead-lettered': 'An event could not be delivered in all its attempts.' },
  record({
    deliveryId: text,
    endpointId: id,
    clientId: text,
    eventId: text,
    eventType: text,
    position: text,
    attempts: whole,
    lastStatusCode: orNull(whole),
  }),
)

export function tellSubscription(
  type: keyof typeof subscriptionEvents,
  subscription: Subscription,
): Told {
  const { subscriptionId, clientId, eventType, status, payloadMode, version } = subscription
  return {
    type,
    subject: `subscription/${subscriptionId}`,
    version,
    data: { subscriptionId, clientId, eventType, status, payloadMode },
    parties: [],
  }
}

export function tellEndpoint(type: keyof typeof endpointEvents, endpoint: Endpoint): Told {
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

/** A delivery that was given up. */
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

export function tellDeadLetter(letter: DeadLetter): Told {
  const type: keyof typeof deliveryEvents = 'events.delivery.dead-lettered'
  const subject = `delivery/${letter.deliveryId}`
  return { type, subject, version: letter.attempts, data: { ...letter }, parties: [] }
}
