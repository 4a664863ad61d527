import { Medium, CrossChannelBehavior, ProfileKind, AvailabilityTimer } from './enumerations.ts'
import {
  id,
  input,
  integer,
  label,
  list,
  object,
  oneOf,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { OpeningHoursInput } from './opening-hours.ts'

const QueueEntryInput = input(
  'QueueEntryInput',
  'A queue that the agents of a routing profile serve on one channel.',
  {
    queueId: id('The ID of the queue.'),
    channel: oneOf(
      Medium,
      'The channel on which the agents serve the queue. The channel must have an entry in ' +
        '`mediaConcurrencies`.',
    ),
    priority: integer(
      'The priority of the queue, from 1 (served first) to 99. Defaults to 1.',
    ).orNull(),
    delaySeconds: integer(
      'How long work must wait in the queue before it is offered to agents with this routing ' +
        'profile, in seconds, from 0 to 9,999. Defaults to 0.',
    ).orNull(),
  },
)
type QueueEntryInput = TypeOf<typeof QueueEntryInput>

const MediaConcurrencyInput = input(
  'MediaConcurrencyInput',
  'The maximum number of interactions on one channel that an agent may handle at a time.',
  {
    channel: oneOf(Medium, 'The channel the limit applies to. Each channel can be listed once.'),
    concurrency: integer(
      'The maximum number of simultaneous interactions, from 1 to 10; must be 1 for voice.',
    ),
    crossChannelBehavior: oneOf(
      CrossChannelBehavior,
      'Whether the agent can receive work from other channels while working on this channel. ' +
        'Defaults to `ROUTE_CURRENT_CHANNEL_ONLY`.',
    ).orNull(),
  },
)
type MediaConcurrencyInput = TypeOf<typeof MediaConcurrencyInput>

export const ProfileContent = input(
  'ProfileContentInput',
  'The configuration of a routing profile.',
  {
    name: label(
      'The name of the routing profile. Must be unique among profiles that are not archived, ' +
        'regardless of case.',
    ),
    kind: oneOf(
      ProfileKind,
      'The kind of team the routing profile describes. Defaults to `CONTACT_CENTER`.',
    ).orNull(),
    queues: list(
      object(QueueEntryInput),
      'The queues that agents with this routing profile serve, each queue at most once per ' +
        'channel. Defaults to the queue `que_default` on each channel in `mediaConcurrencies`. The ' +
        'queue `que_default` is created when it is first used. Send an empty list for no queues.',
    ).orNull(),
    mediaConcurrencies: list(
      object(MediaConcurrencyInput),
      'The concurrency limit of each channel that agents with this routing profile handle. If ' +
        '`queues` and `mediaConcurrencies` are both omitted, the default is one interaction at a ' +
        'time on every channel. If only `mediaConcurrencies` is omitted, it is an empty list.',
    ).orNull(),
    defaultOutboundQueueId: id(
      'The ID of the queue for outbound interactions. If omitted, outbound interactions are ' +
        'routed like inbound ones.',
    ).orNull(),
    agentAvailabilityTimer: oneOf(
      AvailabilityTimer,
      'The event from which the idle time of agents is measured. Defaults to ' +
        '`TIME_SINCE_LAST_ACTIVITY`.',
    ).orNull(),
    skills: list(
      label(),
      'The skills that every agent with this profile has, in addition to their own.',
    ).orNull(),
    languages: list(
      label(),
      'The languages that every agent with this profile speaks, as BCP 47 tags such as `en`.',
    ).orNull(),
    segments: list(
      label(),
      'The customer segments that the routing profile serves. If omitted or empty, it serves all ' +
        'segments.',
    ).orNull(),
    relationshipManagerIds: list(
      id(),
      "The IDs of the agents who are preferred when the party's own relationship manager is not " +
        'available.',
    ).orNull(),
    fallbackProfileId: id(
      'The ID of the routing profile to try if this one cannot take the work. The chain of ' +
        'fallback profiles must not lead back to this profile.',
    ).orNull(),
    hours: object(
      OpeningHoursInput,
      'The opening hours. If omitted, the routing profile is always open.',
    ).orNull(),
  },
)
export type ProfileContent = TypeOf<typeof ProfileContent>

export const CreateRoutingProfileInput = input(
  'CreateRoutingProfileInput',
  'A new routing profile.',
  {
    ...ProfileContent.fields,
    routingProfileId: id(
      'The ID of the routing profile, chosen by the client. Generated if omitted.',
    ).orNull(),
    status: label('The initial status, `active` or `draft`. Defaults to `active`.').orNull(),
  },
)
export type CreateRoutingProfileInput = TypeOf<typeof CreateRoutingProfileInput>

export const UpdateRoutingProfileInput = input(
  'UpdateRoutingProfileInput',
  'The complete new configuration of a routing profile. Omitted fields are reset to their ' +
    'defaults.',
  {
    ...ProfileContent.fields,
    routingProfileId: id('The ID of the routing profile to update.'),
  },
)
export type UpdateRoutingProfileInput = TypeOf<typeof UpdateRoutingProfileInput>
