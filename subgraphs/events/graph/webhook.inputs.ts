import { Field, ID, InputType, Int } from 'type-graphql'
import { BigIntScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import type { EndpointRequest } from '../commands/endpoint.ts'
import type { ReplayInput } from '../commands/replay.ts'

@InputType({ description: 'The webhook endpoint to register.' })
export class RegisterWebhookEndpointInput implements EndpointRequest {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new endpoint; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing endpoint without its secret.',
  })
  endpointId?: string | null

  @Field(() => TextScalar, {
    description:
      'The public HTTPS URL to which events are sent, at most 2,000 characters. The sandbox ' +
      'also accepts HTTP.',
  })
  url: string

  @Field(() => TextScalar, { nullable: true, description: 'A description of the endpoint.' })
  description?: string | null
}

@InputType({ description: 'The rotation of the signing secret of a webhook endpoint.' })
export class RotateWebhookSecretInput {
  @Field(() => ID, { description: 'The ID of the endpoint.' })
  endpointId: string

  @Field(() => Int, {
    nullable: true,
    description:
      'How long the previous secret continues to sign messages alongside the new one, in hours, ' +
      'from 0 to 168. Defaults to 24.',
  })
  overlapHours?: number | null
}

@InputType({ description: 'A range of positions in the event log.' })
export class PositionRangeInput {
  @Field(() => BigIntScalar, { description: 'The position after which the range starts.' })
  after: bigint

  @Field(() => BigIntScalar, {
    nullable: true,
    description: 'The position of the last event of the range. Defaults to the end of the log.',
  })
  upTo?: bigint | null
}

@InputType({
  description:
    'The events to replay, selected by exactly one of `eventIds`, `range` and `allFailed`.',
})
export class ReplayWebhookDeliveriesInput implements ReplayInput {
  @Field(() => ID, {
    description: 'The ID of the active endpoint to which the events are sent.',
  })
  endpointId: string

  @Field(() => [ID], {
    nullable: true,
    description: 'The IDs of the events to replay, from 1 to 1,000.',
  })
  eventIds?: string[] | null

  @Field(() => PositionRangeInput, {
    nullable: true,
    description: 'The range of the event log to replay.',
  })
  range?: PositionRangeInput | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to replay all dead-lettered deliveries of the endpoint.',
  })
  allFailed?: boolean | null
}
