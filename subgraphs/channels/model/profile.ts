import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { OpeningHours } from './opening-hours.ts'
import {
  type TypeOf,
  entity,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  shape,
  stored,
  string,
} from '../../../kernel/domain/model.ts'
import {
  Medium,
  CrossChannelBehavior,
  ProfileKind,
  ProfileStatus,
  AvailabilityTimer,
} from './enumerations.ts'

export const QueueEntry = shape(
  'RoutingProfileQueue',
  'A queue that the agents of a routing profile serve on one channel.',
  {
    queueId: id('The ID of the queue.'),
    channel: oneOf(Medium, 'The channel on which the agents serve the queue.'),
    priority: integer('The priority of the queue, from 1 (served first) to 99.'),
    delaySeconds: integer(
      'How long work must wait in the queue before it is offered to agents with this routing ' +
        'profile, in seconds, from 0 to 9,999.',
    ),
  },
)
export type QueueEntry = TypeOf<typeof QueueEntry>

export const MediaConcurrency = shape(
  'MediaConcurrency',
  'The maximum number of interactions on one channel that an agent may handle at a time.',
  {
    channel: oneOf(Medium, 'The channel the limit applies to.'),
    concurrency: integer(
      'The maximum number of simultaneous interactions, from 1 to 10; always 1 for voice.',
    ),
    crossChannelBehavior: oneOf(
      CrossChannelBehavior,
      'Whether the agent can receive work from other channels while working on this channel.',
    ),
  },
)
export type MediaConcurrency = TypeOf<typeof MediaConcurrency>

export const RoutingProfile = entity(
  'RoutingProfile',
  'routingProfileId',
  'A routing profile: the queues that a team of agents serves, their order, and the number of ' +
    'interactions that each agent handles at a time.',
  {
    routingProfileId: id('The ID of the routing profile, such as `rtp_…`.').inEvents(),
    name: string(
      'The name of the routing profile. Unique among profiles that are not archived, regardless ' +
        'of case.',
    ).inEvents(),
    kind: oneOf(ProfileKind, 'The kind of team the routing profile describes.').inEvents(),
    status: oneOf(ProfileStatus, 'The lifecycle status of the routing profile.').inEvents(),
    queues: list(
      object(QueueEntry),
      'The queues that agents with this routing profile serve, per channel.',
    ),
    mediaConcurrencies: list(
      object(MediaConcurrency),
      'The concurrency limit of each channel that agents with this routing profile handle. They ' +
        'receive no work on channels that are not listed.',
    ),
    defaultOutboundQueueId: id(
      'The ID of the queue for outbound interactions; null if outbound interactions are routed ' +
        'like inbound ones.',
    ).orNull(),
    agentAvailabilityTimer: oneOf(
      AvailabilityTimer,
      'The event from which the idle time of agents is measured.',
    ),
    skills: list(
      string(),
      'The skills that every agent with this profile has, in addition to their own.',
    ),
    languages: list(
      string(),
      'The languages that every agent with this profile speaks, in addition to their own, as ' +
        'BCP 47 tags.',
    ),
    segments: list(
      string(),
      'The customer segments that the routing profile serves; empty if it serves all segments.',
    ),
    relationshipManagerIds: list(
      id(),
      "The IDs of the agents who are preferred when the party's own relationship manager is not " +
        'available.',
    ),
    fallbackProfileId: id(
      'The ID of the routing profile to try if this one is inactive, is closed, does not serve ' +
        'the channel or has no available agents; null if there is none.',
    ).orNull(),
    hours: object(
      OpeningHours,
      'The opening hours; null if the routing profile is always open.',
    ).orNull(),
    createdAt: instant('When the routing profile was created.'),
    updatedAt: instant('When the routing profile was last changed.'),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type RoutingProfile = TypeOf<typeof RoutingProfile>

export const profileStates = stateMachine(RoutingProfile, 'status', {
  activateRoutingProfile: {
    description: 'Activates a draft or inactive routing profile.',
    scope: 'routing:write',
    from: ['draft', 'inactive'],
    to: 'active',
    event: ['channels.routing-profile.activated', 'A routing profile was activated.'],
  },
  deactivateRoutingProfile: {
    description: 'Suspends an active routing profile.',
    scope: 'routing:write',
    from: ['active'],
    to: 'inactive',
    event: ['channels.routing-profile.deactivated', 'A routing profile was deactivated.'],
  },
  archiveRoutingProfile: {
    description:
      'Archives an inactive routing profile. Rejected while agents use the profile or another ' +
      'profile falls back to it.',
    scope: 'routing:write',
    from: ['inactive'],
    to: 'archived',
    event: ['channels.routing-profile.archived', 'A routing profile was archived.'],
  },
})
