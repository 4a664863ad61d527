import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { BigIntScalar, DateTimeScalar, TextScalar } from '../../_kernel/scalars.ts'
import { deliveryStatuses, type DeliveryStatus } from '../domain/delivery.ts'
import {
  disableReasons,
  endpointStatuses,
  type DisableReason,
  type EndpointStatus,
} from '../domain/endpoint.ts'
import type { EndpointAsked } from '../endpoint-commands.ts'
import type { Replay, ReplayInput } from '../replay.ts'
import type { Attempt } from '../store/delivery.ts'

const EndpointStatusEnum = wireEnum(
  'WebhookEndpointStatus',
  endpointStatuses,
  'Whether an endpoint is called.',
)
const DisableReasonEnum = wireEnum(
  'WebhookDisableReason',
  disableReasons,
  'Why the bank stopped calling: the endpoint answered 410, or failed for five days.',
)
export const DeliveryStatusEnum = wireEnum(
  'WebhookDeliveryStatus',
  deliveryStatuses,
  'How far an event is on its way to an endpoint.',
)

@ObjectType({
  description: 'An address of an OAuth client that its subscriptions are delivered to.',
})
@Directive('@key(fields: "endpointId")')
export class WebhookEndpoint {
  @Field(() => ID)
  endpointId: string

  @Field(() => String)
  url: string

  @Field(() => String, { nullable: true })
  description: string | null

  @Field(() => EndpointStatusEnum)
  status: EndpointStatus

  @Field(() => DisableReasonEnum, { nullable: true })
  statusReason: DisableReason | null

  @Field(() => Int, { description: 'How many secrets sign now: two while one replaces the other.' })
  liveSecrets: number

  @Field(() => Int, { description: 'Failed attempts in a row.' })
  failures: number

  @Field(() => DateTimeScalar, { nullable: true, description: 'Nothing but failures since then.' })
  failingSince: Date | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'It is left alone until then.' })
  heldUntil: Date | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const WebhookEndpointConnection = connectionOf('WebhookEndpoint', () => WebhookEndpoint)

@ObjectType({
  description: 'An endpoint with its signing secret, which is shown here and never again.',
})
export class WebhookEndpointSecret {
  @Field(() => WebhookEndpoint)
  endpoint: WebhookEndpoint

  @Field(() => String, {
    nullable: true,
    description: 'Standard Webhooks: `whsec_…`. Null for an endpoint that was there already.',
  })
  secret: string | null
}

@ObjectType({ description: 'One try of a delivery.' })
export class WebhookAttempt implements Omit<Attempt, 'deliveryId'> {
  @Field(() => Int)
  number: number

  @Field(() => DateTimeScalar)
  at: Date

  @Field(() => Int)
  durationMs: number

  @Field(() => Int, { nullable: true, description: 'What was answered; null when nothing was.' })
  statusCode: number | null

  @Field(() => String, { nullable: true, description: 'Why nothing was answered.' })
  error: string | null

  @Field(() => String, { nullable: true, description: 'The first kilobyte of the answer.' })
  response: string | null
}

@ObjectType({ description: 'One event on its way to one endpoint.' })
@Directive('@key(fields: "deliveryId")')
export class WebhookDelivery {
  @Field(() => ID)
  deliveryId: string

  @Field(() => DeliveryStatusEnum)
  status: DeliveryStatus

  @Field(() => String)
  eventType: string

  @Field(() => BigIntScalar, { description: 'Of the event in the log.' })
  position: bigint

  @Field(() => [ID], { description: 'The subscriptions that wanted it.' })
  subscriptionIds: string[]

  @Field(() => ID, { nullable: true, description: 'The delivery that this one repeats.' })
  replayOf: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it is tried next.' })
  nextAt: Date | null

  @Field(() => DateTimeScalar, { nullable: true })
  deliveredAt: Date | null

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const WebhookDeliveryConnection = connectionOf('WebhookDelivery', () => WebhookDelivery)

@InputType()
export class RegisterWebhookEndpointInput implements EndpointAsked {
  @Field(() => ID, { nullable: true, description: 'Ours when absent.' })
  endpointId?: string | null

  @Field(() => TextScalar, { description: 'A public https address; the sandbox takes http too.' })
  url: string

  @Field(() => TextScalar, { nullable: true })
  description?: string | null
}

@InputType()
export class RotateWebhookSecretInput {
  @Field(() => ID)
  endpointId: string

  @Field(() => Int, {
    nullable: true,
    description: 'How long the former secret signs beside the new one: 0 to 168, 24 when absent.',
  })
  overlapHours?: number | null
}

@InputType({ description: 'Positions of the log.' })
export class PositionRangeInput {
  @Field(() => BigIntScalar, { description: 'Begins with the event after this one.' })
  after: bigint

  @Field(() => BigIntScalar, {
    nullable: true,
    description: 'Ends with this one; or the log does.',
  })
  upTo?: bigint | null
}

@InputType({ description: 'Exactly one of `eventIds`, `range` and `allFailed`.' })
export class ReplayWebhookDeliveriesInput implements ReplayInput {
  @Field(() => ID)
  endpointId: string

  @Field(() => [ID], { nullable: true, description: 'At most 1,000.' })
  eventIds?: string[] | null

  @Field(() => PositionRangeInput, { nullable: true })
  range?: PositionRangeInput | null

  @Field(() => Boolean, { nullable: true, description: 'Every dead letter of the endpoint.' })
  allFailed?: boolean | null
}

@ObjectType({ description: 'What a replay planned.' })
export class WebhookReplay implements Omit<Replay, 'endpointId'> {
  @Field(() => WebhookEndpoint, { nullable: true })
  endpoint?: WebhookEndpoint

  @Field(() => Int, { description: 'Deliveries; 1,000 at a time.' })
  planned: number

  @Field(() => BigIntScalar, {
    nullable: true,
    description: 'There is more: `range.after` of the next replay.',
  })
  nextPosition: bigint | null
}
