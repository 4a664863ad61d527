import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar } from '../../../kernel/graph/scalars.ts'
import type { Medium } from '../domain/medium.ts'
import { profileRequirements } from '../domain/profile-requirements.ts'
import {
  availabilityTimers,
  crossChannelBehaviors,
  profileKinds,
  profileStatuses,
  type AvailabilityTimer,
  type CrossChannelBehavior,
  type MediaConcurrency,
  type ProfileKind,
  type ProfileStatus,
  type QueueEntry,
} from '../domain/routing-profile.ts'
import type { OpeningHours } from '../domain/opening-hours.ts'
import { MediumEnum } from './setup.types.ts'
import { OpeningHoursType } from './opening-hours.types.ts'

export const ProfileStatusEnum = wireEnum(
  'RoutingProfileStatus',
  profileStatuses,
  'The lifecycle status of a routing profile.',
  {
    draft: 'The routing profile is being prepared and is not used for routing.',
    active: 'The routing profile is used for routing.',
    inactive: 'The routing profile is suspended and can be activated again or archived.',
    archived: 'The routing profile is no longer in use. This status is final.',
  },
)

export const ProfileRequirementEnum = wireEnum(
  'RoutingProfileRequirement',
  profileRequirements,
  'Something that must be supplied before work is routed to agents through a routing profile.',
  {
    activation: 'The `ACTIVE` status. Set it with `activateRoutingProfile`.',
    queue: 'A queue to serve. Add it with `updateRoutingProfile`.',
    agent:
      'An agent who serves a queue of the profile. Create an agent with `createAgent`, or move ' +
      'an agent with `updateAgent`. Until then, work goes to the fallback profile or waits.',
  },
)

export const ProfileKindEnum = wireEnum(
  'RoutingProfileKind',
  profileKinds,
  'The kind of team a routing profile describes.',
  {
    'contact-center': 'A pool of agents, any of whom may take the work.',
    'relationship-manager': 'Relationship managers who look after their own parties.',
  },
)

export const TimerEnum = wireEnum(
  'AgentAvailabilityTimer',
  availabilityTimers,
  'The event from which the idle time of agents is measured. The agent who has been idle ' +
    'longest is preferred.',
  {
    'time-since-last-activity':
      'Idle time counts from the last time the agent received or finished work or changed status.',
    'time-since-last-inbound':
      'Idle time counts from the last inbound interaction the agent received.',
  },
)

export const CrossChannelEnum = wireEnum(
  'CrossChannelBehavior',
  crossChannelBehaviors,
  'Whether an agent who is working on one channel can receive work from other channels.',
  {
    'route-current-channel-only':
      'While the agent has work on this channel, the agent receives no work from any other ' +
      'channel.',
    'route-any-channel': 'The agent can receive work from other channels at the same time.',
  },
)

@ObjectType('RoutingProfileQueue', {
  description: 'A queue that the agents of a routing profile serve on one channel.',
})
class QueueEntryType implements QueueEntry {
  @Field(() => ID, { description: 'The ID of the queue.' })
  queueId: string

  @Field(() => MediumEnum, { description: 'The channel on which the agents serve the queue.' })
  channel: Medium

  @Field(() => Int, { description: 'The priority of the queue, from 1 (served first) to 99.' })
  priority: number

  @Field(() => Int, {
    description:
      'How long work must wait in the queue before it is offered to agents with this routing ' +
      'profile, in seconds, from 0 to 9,999.',
  })
  delaySeconds: number
}

@ObjectType('MediaConcurrency', {
  description:
    'The maximum number of interactions on one channel that an agent may handle at a time.',
})
class MediaConcurrencyType implements MediaConcurrency {
  @Field(() => MediumEnum, { description: 'The channel the limit applies to.' })
  channel: Medium

  @Field(() => Int, {
    description:
      'The maximum number of simultaneous interactions, from 1 to 10; always 1 for voice.',
  })
  concurrency: number

  @Field(() => CrossChannelEnum, {
    description:
      'Whether the agent can receive work from other channels while working on this channel.',
  })
  crossChannelBehavior: CrossChannelBehavior
}

@ObjectType({
  description:
    'A routing profile: the queues that a team of agents serves, their order, and the number of ' +
    'interactions that each agent handles at a time.',
})
@Directive('@key(fields: "routingProfileId")')
export class RoutingProfile {
  @Field(() => ID, { description: 'The ID of the routing profile, such as `rtp_…`.' })
  routingProfileId: string

  @Field(() => String, {
    description:
      'The name of the routing profile. Unique among profiles that are not archived, regardless ' +
      'of case.',
  })
  name: string

  @Field(() => ProfileKindEnum, { description: 'The kind of team the routing profile describes.' })
  kind: ProfileKind

  @Field(() => ProfileStatusEnum, { description: 'The lifecycle status of the routing profile.' })
  status: ProfileStatus

  @Field(() => [QueueEntryType], {
    description: 'The queues that agents with this routing profile serve, per channel.',
  })
  queues: readonly QueueEntry[]

  @Field(() => [MediaConcurrencyType], {
    description:
      'The concurrency limit of each channel that agents with this routing profile handle. They ' +
      'receive no work on channels that are not listed.',
  })
  mediaConcurrencies: readonly MediaConcurrency[]

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the queue for outbound interactions; null if outbound interactions are routed ' +
      'like inbound ones.',
  })
  defaultOutboundQueueId: string | null

  @Field(() => TimerEnum, {
    description: 'The event from which the idle time of agents is measured.',
  })
  agentAvailabilityTimer: AvailabilityTimer

  @Field(() => [String], {
    description: 'The skills that every agent with this profile has, in addition to their own.',
  })
  skills: readonly string[]

  @Field(() => [String], {
    description:
      'The languages that every agent with this profile speaks, in addition to their own, as ' +
      'BCP 47 tags.',
  })
  languages: readonly string[]

  @Field(() => [String], {
    description:
      'The customer segments that the routing profile serves; empty if it serves all segments.',
  })
  segments: readonly string[]

  @Field(() => [ID], {
    description:
      "The IDs of the agents who are preferred when the party's own relationship manager is not " +
      'available.',
  })
  relationshipManagerIds: readonly string[]

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the routing profile to try if this one is inactive, is closed, does not serve ' +
      'the channel or has no available agents; null if there is none.',
  })
  fallbackProfileId: string | null

  @Field(() => OpeningHoursType, {
    nullable: true,
    description: 'The opening hours; null if the routing profile is always open.',
  })
  hours: OpeningHours | null

  @Field(() => DateTimeScalar, { description: 'When the routing profile was created.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the routing profile was last changed.' })
  updatedAt: Date
}

export const RoutingProfileConnection = connectionOf('RoutingProfile', () => RoutingProfile)
