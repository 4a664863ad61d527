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
  'Whether a subscription hears of events. The bank disables one whom it cannot reach.',
)
const PayloadModeEnum = wireEnum(
  'EventPayloadMode',
  payloadModes,
  'Whether webhooks carry the data of an event, or say only that it happened.',
)

@ObjectType({ description: 'Which of the events of its type a subscription hears.' })
export class EventSubscriptionFilter implements SubscriptionFilter {
  @Field(() => ID, { nullable: true })
  partyId: string | null

  @Field(() => ID, { nullable: true })
  customerId: string | null

  @Field(() => String, { nullable: true, description: '`<entity>/<id>`.' })
  subject: string | null
}

@ObjectType({
  description: 'What an OAuth client wants to hear of, in the feed and at its webhook endpoints.',
})
@Directive('@key(fields: "subscriptionId")')
export class EventSubscription {
  @Field(() => ID)
  subscriptionId: string

  @Field(() => String, { description: 'A type, `<area>.*` or `*`.' })
  eventType: string

  @Field(() => SubscriptionStatusEnum)
  status: SubscriptionStatus

  @Field(() => EventSubscriptionFilter)
  filter: EventSubscriptionFilter

  @Field(() => PayloadModeEnum)
  payloadMode: PayloadMode

  @Field(() => String, { nullable: true })
  description: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const EventSubscriptionConnection = connectionOf(
  'EventSubscription',
  () => EventSubscription,
)

@InputType()
export class EventSubscriptionFilterInput implements Partial<SubscriptionFilter> {
  @Field(() => ID, { nullable: true, description: 'Only what belongs to this party.' })
  partyId?: string | null

  @Field(() => ID, { nullable: true, description: 'Only what concerns this customer.' })
  customerId?: string | null

  @Field(() => LabelScalar, { nullable: true, description: '`<entity>/<id>`.' })
  subject?: string | null
}

@InputType()
export class CreateEventSubscriptionInput implements NewSubscription {
  @Field(() => ID, { nullable: true, description: 'Ours when absent.' })
  subscriptionId?: string | null

  @Field(() => LabelScalar, { description: 'A type, `<area>.*` or `*`.' })
  eventType: string

  @Field(() => LabelScalar, { nullable: true, description: '`active` when absent, or `paused`.' })
  status?: string | null

  @Field(() => EventSubscriptionFilterInput, { nullable: true })
  filter?: EventSubscriptionFilterInput | null

  @Field(() => PayloadModeEnum, { nullable: true, description: '`FULL` when absent.' })
  payloadMode?: PayloadMode | null

  @Field(() => TextScalar, { nullable: true })
  description?: string | null
}
