import { SubscriptionStatus, PayloadMode } from './enumerations.ts'
import {
  entity,
  id,
  input,
  instant,
  label,
  object,
  oneOf,
  shape,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const SubscriptionFilter = shape(
  'EventSubscriptionFilter',
  'The filter of an event subscription. An event must match all fields that are set.',
  {
    partyId: id(
      'The party that events must concern; null if events of all parties match.',
    ).orNull(),
    customerId: id(
      'The customer that events must concern; null if events of all customers match.',
    ).orNull(),
    subject: string(
      'The record that events must be about, as `<entity>/<id>`; null if events about all ' +
        'records match.',
    ).orNull(),
  },
)
export type SubscriptionFilter = TypeOf<typeof SubscriptionFilter>

export const EventSubscription = entity(
  'EventSubscription',
  'subscriptionId',
  'A subscription of an OAuth client to business events of one type, of one area or of all ' +
    "types. The events are delivered to the client's webhook endpoints.",
  {
    subscriptionId: id('The ID of the subscription.'),
    eventType: string(
      'The subscribed event type: an exact type, `<area>.*`, or `*` for all types.',
    ),
    status: oneOf(SubscriptionStatus, 'The current lifecycle state of the subscription.'),
    filter: object(SubscriptionFilter, 'The filter that events must match.'),
    payloadMode: oneOf(PayloadMode, 'Whether webhook messages include the data of the event.'),
    description: string('A description of the subscription; null if none was given.').orNull(),
    createdAt: instant('When the subscription was created, in UTC.'),
    updatedAt: instant('When the subscription last changed, in UTC.'),
  },
)

export const EventSubscriptionFilterInput = input(
  'EventSubscriptionFilterInput',
  'The filter of an event subscription. An event must match all fields that are given.',
  {
    partyId: id(
      'The party that events must concern. If omitted, events of all parties match.',
    ).orNull(),
    customerId: id(
      'The customer that events must concern. If omitted, events of all customers match.',
    ).orNull(),
    subject: label(
      'The record that events must be about, as `<entity>/<id>`. If omitted, events about all ' +
        'records match.',
    ).orNull(),
  },
)
export type EventSubscriptionFilterInput = TypeOf<typeof EventSubscriptionFilterInput>

export const CreateEventSubscriptionInput = input(
  'CreateEventSubscriptionInput',
  'The event subscription to create.',
  {
    subscriptionId: id(
      'The ID of the new subscription; generated if omitted. A repeated request with the same ID ' +
        'and content returns the existing subscription.',
    ).orNull(),
    eventType: label(
      'The event type to subscribe to: an exact type, `<area>.*`, or `*` for all types.',
    ),
    status: label(
      'The initial state, in any letter case: `active`, which is the default, or `paused`.',
    ).orNull(),
    filter: object(
      EventSubscriptionFilterInput,
      'The filter that events must match. If omitted, all events of the type match.',
    ).orNull(),
    payloadMode: oneOf(
      PayloadMode,
      'Whether webhook messages include the data of the event. Defaults to `FULL`.',
    ).orNull(),
    description: text('A description of the subscription.').orNull(),
  },
)
export type CreateEventSubscriptionInput = TypeOf<typeof CreateEventSubscriptionInput>
