import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
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
      'The bank disabled the subscription together with the last active endpoint of the ' +
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

@ObjectType({
  description: 'The filter of an event subscription. An event must match all fields that are set.',
})
export class EventSubscriptionFilter implements SubscriptionFilter {
  @Field(() => ID, {
    nullable: true,
    description: 'Only events that concern this party; null for events of all parties.',
  })
  partyId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'Only events that concern this customer; null for events of all customers.',
  })
  customerId: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'Only events about this record, as `<entity>/<id>`; null for events about all records.',
  })
  subject: string | null
}

@ObjectType({
  description:
    'A subscription of an OAuth client to a type of business event, delivered to the ' +
    "client's webhook endpoints.",
})
@Directive('@key(fields: "subscriptionId")')
export class EventSubscription {
  @Field(() => ID, { description: 'The unique identifier of the subscription.' })
  subscriptionId: string

  @Field(() => String, {
    description: 'The subscribed event type: an exact type, `<area>.*`, or `*` for all.',
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
    description: 'A description of the subscription; null when none was given.',
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
  @Field(() => ID, { nullable: true, description: 'Only events that concern this party.' })
  partyId?: string | null

  @Field(() => ID, { nullable: true, description: 'Only events that concern this customer.' })
  customerId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'Only events about this record, as `<entity>/<id>`.',
  })
  subject?: string | null
}

@InputType({ description: 'The event subscription to create.' })
export class CreateEventSubscriptionInput implements NewSubscription {
  @Field(() => ID, {
    nullable: true,
    description:
      'The identifier of the new subscription; generated when omitted. A repeated request ' +
      'with the same identifier and content returns the existing subscription.',
  })
  subscriptionId?: string | null

  @Field(() => LabelScalar, {
    description: 'The event type to subscribe to: an exact type, `<area>.*`, or `*` for all.',
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
    description: 'The filter that events must match; all events of the type when omitted.',
  })
  filter?: EventSubscriptionFilterInput | null

  @Field(() => PayloadModeEnum, {
    nullable: true,
    description: 'Whether webhook messages include the data of the event; `FULL` when omitted.',
  })
  payloadMode?: PayloadMode | null

  @Field(() => TextScalar, { nullable: true, description: 'A description of the subscription.' })
  description?: string | null
}
