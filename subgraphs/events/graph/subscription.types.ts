import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { subscriptionRequirements } from '../domain/requirements.ts'
import {
  payloadModes,
  subscriptionStatuses,
  type NewSubscription,
  type PayloadMode,
  type SubscriptionFilter,
  type SubscriptionStatus,
} from '../domain/subscription.ts'

export const SubscriptionStatusEnum = wireEnum(
  'EventSubscriptionStatus',
  subscriptionStatuses,
  'The lifecycle state of an event subscription.',
  {
    active: 'Events are delivered to the webhook endpoints of the client.',
    paused: 'The client paused the subscription. New events are not delivered.',
    disabled:
      'The bank disabled the subscription when it disabled the last active endpoint of the ' +
      'client. New events are not delivered.',
    deleted: 'The client deleted the subscription. This state is final.',
  },
)
const PayloadModeEnum = wireEnum(
  'EventPayloadMode',
  payloadModes,
  'The content of the webhook messages of a subscription.',
  {
    full: 'Messages include the data of the event.',
    thin: 'Messages identify the event but omit its data.',
  },
)

export const SubscriptionRequirementEnum = wireEnum(
  'EventSubscriptionRequirement',
  subscriptionRequirements,
  'Something that must be supplied before the events of a subscription are delivered.',
  {
    endpoint:
      'An active webhook endpoint of the client. Register one with `registerWebhookEndpoint`, or ' +
      'enable a disabled one with `enableWebhookEndpoint`.',
  },
)

@ObjectType({
  description: 'The filter of an event subscription. An event must match all fields that are set.',
})
export class EventSubscriptionFilter implements SubscriptionFilter {
  @Field(() => ID, {
    nullable: true,
    description: 'The party that events must concern; null if events of all parties match.',
  })
  partyId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The customer that events must concern; null if events of all customers match.',
  })
  customerId: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'The record that events must be about, as `<entity>/<id>`; null if events about all ' +
      'records match.',
  })
  subject: string | null
}

@ObjectType({
  description:
    'A subscription of an OAuth client to business events of one type, of one area or of all ' +
    "types. The events are delivered to the client's webhook endpoints.",
})
@Directive('@key(fields: "subscriptionId")')
export class EventSubscription {
  @Field(() => ID, { description: 'The ID of the subscription.' })
  subscriptionId: string

  @Field(() => String, {
    description: 'The subscribed event type: an exact type, `<area>.*`, or `*` for all types.',
  })
  eventType: string

  @Field(() => SubscriptionStatusEnum, {
    description: 'The current lifecycle state of the subscription.',
  })
  status: SubscriptionStatus

  @Field(() => EventSubscriptionFilter, { description: 'The filter that events must match.' })
  filter: EventSubscriptionFilter

  @Field(() => PayloadModeEnum, {
    description: 'Whether webhook messages include the data of the event.',
  })
  payloadMode: PayloadMode

  @Field(() => String, {
    nullable: true,
    description: 'A description of the subscription; null if none was given.',
  })
  description: string | null

  @Field(() => DateTimeScalar, { description: 'When the subscription was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the subscription last changed, in UTC.' })
  updatedAt: Date
}

export const EventSubscriptionConnection = connectionOf(
  'EventSubscription',
  () => EventSubscription,
)

@InputType({
  description:
    'The filter of an event subscription. An event must match all fields that are given.',
})
export class EventSubscriptionFilterInput implements Partial<SubscriptionFilter> {
  @Field(() => ID, {
    nullable: true,
    description: 'The party that events must concern. If omitted, events of all parties match.',
  })
  partyId?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The customer that events must concern. If omitted, events of all customers match.',
  })
  customerId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The record that events must be about, as `<entity>/<id>`. If omitted, events about all ' +
      'records match.',
  })
  subject?: string | null
}

@InputType({ description: 'The event subscription to create.' })
export class CreateEventSubscriptionInput implements NewSubscription {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new subscription; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing subscription.',
  })
  subscriptionId?: string | null

  @Field(() => LabelScalar, {
    description: 'The event type to subscribe to: an exact type, `<area>.*`, or `*` for all types.',
  })
  eventType: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The initial state, in any letter case: `active`, which is the default, or `paused`.',
  })
  status?: string | null

  @Field(() => EventSubscriptionFilterInput, {
    nullable: true,
    description: 'The filter that events must match. If omitted, all events of the type match.',
  })
  filter?: EventSubscriptionFilterInput | null

  @Field(() => PayloadModeEnum, {
    nullable: true,
    description: 'Whether webhook messages include the data of the event. Defaults to `FULL`.',
  })
  payloadMode?: PayloadMode | null

  @Field(() => TextScalar, { nullable: true, description: 'A description of the subscription.' })
  description?: string | null
}
