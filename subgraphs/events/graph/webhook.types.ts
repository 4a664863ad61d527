import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { BigIntScalar, DateTimeScalar } from '../../../kernel/graph/scalars.ts'
import { deliveryStatuses, type DeliveryStatus } from '../domain/delivery.ts'
import {
  disableReasons,
  endpointStatuses,
  type DisableReason,
  type EndpointStatus,
} from '../domain/endpoint.ts'
import type { Replay } from '../commands/replay.ts'
import type { Attempt } from '../store/delivery.ts'

const EndpointStatusEnum = wireEnum(
  'WebhookEndpointStatus',
  endpointStatuses,
  'The lifecycle state of a webhook endpoint.',
  {
    active: 'Events are delivered to the endpoint.',
    disabled:
      'The bank has stopped delivering to the endpoint; `statusReason` contains the reason. ' +
      'Pending deliveries wait until the endpoint is enabled.',
    deleted: 'The endpoint was deleted by its client. This state is final.',
  },
)
const DisableReasonEnum = wireEnum(
  'WebhookDisableReason',
  disableReasons,
  'The reason why the bank disabled a webhook endpoint.',
  {
    gone: 'The endpoint responded with HTTP status 410 (Gone).',
    failing: 'All attempts to deliver to the endpoint failed for five days.',
  },
)
export const DeliveryStatusEnum = wireEnum(
  'WebhookDeliveryStatus',
  deliveryStatuses,
  'The state of the delivery of an event to a webhook endpoint.',
  {
    pending: 'The delivery has not been attempted since it was created or replayed.',
    retrying: 'The latest attempt failed and the delivery will be retried.',
    delivered: 'The endpoint acknowledged the event with a 2xx status.',
    'dead-lettered': 'All attempts failed. The event is not delivered unless it is replayed.',
  },
)

@ObjectType({
  description: "A URL to which the events of an OAuth client's subscriptions are delivered.",
})
@Directive('@key(fields: "endpointId")')
export class WebhookEndpoint {
  @Field(() => ID, { description: 'The ID of the endpoint.' })
  endpointId: string

  @Field(() => String, { description: 'The URL to which events are sent.' })
  url: string

  @Field(() => String, {
    nullable: true,
    description: 'A description of the endpoint; null if none was given.',
  })
  description: string | null

  @Field(() => EndpointStatusEnum, { description: 'The current lifecycle state of the endpoint.' })
  status: EndpointStatus

  @Field(() => DisableReasonEnum, {
    nullable: true,
    description: 'The reason why the bank disabled the endpoint; null unless it is disabled.',
  })
  statusReason: DisableReason | null

  @Field(() => Int, {
    description:
      'The number of secrets that currently sign messages: 1, or 2 while a rotated secret ' +
      'overlaps its successor.',
  })
  liveSecrets: number

  @Field(() => Int, {
    description: 'The number of consecutive failed attempts to deliver to the endpoint.',
  })
  failures: number

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the first of the consecutive failed attempts was made, in UTC; null if no attempt ' +
      'has failed since the latest success.',
  })
  failingSince: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When deliveries to the failing endpoint resume, in UTC; null if deliveries are not paused.',
  })
  heldUntil: Date | null

  @Field(() => DateTimeScalar, { description: 'When the endpoint was registered, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the endpoint last changed, in UTC.' })
  updatedAt: Date
}

export const WebhookEndpointConnection = connectionOf('WebhookEndpoint', () => WebhookEndpoint)

@ObjectType({
  description: 'A webhook endpoint with its signing secret. The secret is returned only once.',
})
export class WebhookEndpointSecret {
  @Field(() => WebhookEndpoint, { description: 'The webhook endpoint.' })
  endpoint: WebhookEndpoint

  @Field(() => String, {
    nullable: true,
    description:
      'The signing secret in the format of Standard Webhooks, `whsec_…`; null if a repeated ' +
      'registration returned an existing endpoint.',
  })
  secret: string | null
}

@ObjectType({ description: 'An attempt to deliver an event to a webhook endpoint.' })
export class WebhookAttempt implements Omit<Attempt, 'deliveryId'> {
  @Field(() => Int, { description: 'The sequence number of the attempt, starting at 1.' })
  number: number

  @Field(() => DateTimeScalar, { description: 'When the attempt was made, in UTC.' })
  at: Date

  @Field(() => Int, { description: 'The duration of the attempt, in milliseconds.' })
  durationMs: number

  @Field(() => Int, {
    nullable: true,
    description: 'The HTTP status code of the response; null if there was no response.',
  })
  statusCode: number | null

  @Field(() => String, {
    nullable: true,
    description: 'The reason why there was no response; null if there was a response.',
  })
  error: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The first kilobyte of the response body; null if there was no response.',
  })
  response: string | null
}

@ObjectType({ description: 'The delivery of one event to one webhook endpoint.' })
@Directive('@key(fields: "deliveryId")')
export class WebhookDelivery {
  @Field(() => ID, { description: 'The ID of the delivery.' })
  deliveryId: string

  @Field(() => DeliveryStatusEnum, { description: 'The current state of the delivery.' })
  status: DeliveryStatus

  @Field(() => String, {
    description: 'The type of the delivered event, such as `parties.party.created`.',
  })
  eventType: string

  @Field(() => BigIntScalar, { description: 'The position of the event in the event log.' })
  position: bigint

  @Field(() => [ID], { description: 'The IDs of the subscriptions that match the event.' })
  subscriptionIds: string[]

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the delivery that this delivery repeats; null if it repeats none.',
  })
  replayOf: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the next attempt will be made, in UTC; null if no attempt is planned.',
  })
  nextAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the endpoint acknowledged the event, in UTC; null until then.',
  })
  deliveredAt: Date | null

  @Field(() => DateTimeScalar, { description: 'When the delivery was created, in UTC.' })
  createdAt: Date
}

export const WebhookDeliveryConnection = connectionOf('WebhookDelivery', () => WebhookDelivery)

@ObjectType({ description: 'The result of a replay request.' })
export class WebhookReplay implements Omit<Replay, 'endpointId'> {
  @Field(() => WebhookEndpoint, {
    nullable: true,
    description: 'The webhook endpoint to which the events are sent.',
  })
  endpoint?: WebhookEndpoint

  @Field(() => Int, {
    description: 'The number of deliveries that the replay scheduled, at most 1,000.',
  })
  planned: number

  @Field(() => BigIntScalar, {
    nullable: true,
    description:
      'The position to pass as `range.after` of the next replay request; null if no events remain.',
  })
  nextPosition: bigint | null
}
