import { EndpointStatus, DisableReason, DeliveryStatus } from './enumerations.ts'
import {
  bigInt,
  connectionOf,
  entity,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const WebhookEndpoint = entity(
  'WebhookEndpoint',
  'endpointId',
  "A URL to which the events of an OAuth client's subscriptions are delivered.",
  {
    endpointId: id('The ID of the endpoint.'),
    clientId: id('The OAuth client that registered the endpoint.'),
    url: string('The URL to which events are sent.'),
    description: string('A description of the endpoint; null if none was given.').orNull(),
    status: oneOf(EndpointStatus, 'The current lifecycle state of the endpoint.'),
    statusReason: oneOf(
      DisableReason,
      'The reason why the bank disabled the endpoint; null unless it is disabled.',
    ).orNull(),
    liveSecrets: integer(
      'The number of secrets that currently sign messages: 1, or 2 while a rotated secret ' +
        'overlaps its successor.',
    ),
    failures: integer('The number of consecutive failed attempts to deliver to the endpoint.'),
    failingSince: instant(
      'When the first of the consecutive failed attempts was made, in UTC; null if no attempt ' +
        'has failed since the latest success.',
    ).orNull(),
    heldUntil: instant(
      'When deliveries to the failing endpoint resume, in UTC; null if deliveries are not paused.',
    ).orNull(),
    createdAt: instant('When the endpoint was registered, in UTC.'),
    updatedAt: instant('When the endpoint last changed, in UTC.'),
  },
)
export type WebhookEndpoint = TypeOf<typeof WebhookEndpoint>

export const WebhookEndpointSecret = shape(
  'WebhookEndpointSecret',
  'A webhook endpoint with its signing secret. The secret is returned only once.',
  {
    endpoint: object(WebhookEndpoint, 'The webhook endpoint.'),
    secret: string(
      'The signing secret in the format of Standard Webhooks, `whsec_…`; null if a repeated ' +
        'registration returned an existing endpoint.',
    ).orNull(),
  },
)

export const WebhookAttempt = shape(
  'WebhookAttempt',
  'An attempt to deliver an event to a webhook endpoint.',
  {
    number: integer('The sequence number of the attempt, starting at 1.'),
    at: instant('When the attempt was made, in UTC.'),
    durationMs: integer('The duration of the attempt, in milliseconds.'),
    statusCode: integer(
      'The HTTP status code of the response; null if there was no response.',
    ).orNull(),
    error: string('The reason why there was no response; null if there was a response.').orNull(),
    response: string(
      'The first kilobyte of the response body; null if there was no response.',
    ).orNull(),
  },
)

export const WebhookDelivery = entity(
  'WebhookDelivery',
  'deliveryId',
  'The delivery of one event to one webhook endpoint.',
  {
    deliveryId: id('The ID of the delivery.'),
    status: oneOf(DeliveryStatus, 'The current state of the delivery.'),
    eventType: string('The type of the delivered event, such as `parties.party.created`.'),
    position: bigInt('The position of the event in the event log.'),
    subscriptionIds: list(id(), 'The IDs of the subscriptions that match the event.'),
    replayOf: id(
      'The ID of the delivery that this delivery repeats; null if it repeats none.',
    ).orNull(),
    nextAt: instant(
      'When the next attempt will be made, in UTC; null if no attempt is planned.',
    ).orNull(),
    deliveredAt: instant(
      'When the endpoint acknowledged the event, in UTC; null until then.',
    ).orNull(),
    createdAt: instant('When the delivery was created, in UTC.'),
  },
)

export const WebhookDeliveryConnection = connectionOf(WebhookDelivery)

export const WebhookReplay = shape('WebhookReplay', 'The result of a replay request.', {
  endpoint: object(WebhookEndpoint, 'The webhook endpoint to which the events are sent.').orNull(),
  planned: integer('The number of deliveries that the replay scheduled, at most 1,000.'),
  nextPosition: bigInt(
    'The position to pass as `range.after` of the next replay request; null if no events remain.',
  ).orNull(),
})
