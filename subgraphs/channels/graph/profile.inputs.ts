import { Field, ID, InputType, Int } from 'type-graphql'
import { LabelScalar } from '../../../kernel/graph/scalars.ts'
import type { Medium } from '../domain/medium.ts'
import type {
  AvailabilityTimer,
  CrossChannelBehavior,
  NewMediaConcurrency,
  NewQueueEntry,
  ProfileContent,
  ProfileKind,
} from '../domain/routing-profile.ts'
import { MediumEnum } from './setup.types.ts'
import { OpeningHoursInput } from './opening-hours.types.ts'
import { ProfileKindEnum, TimerEnum, CrossChannelEnum } from './profile.types.ts'

@InputType({
  description: 'A queue that the agents of a routing profile serve on one channel.',
})
class QueueEntryInput implements NewQueueEntry {
  @Field(() => ID, { description: 'The ID of the queue.' })
  queueId: string

  @Field(() => MediumEnum, {
    description:
      'The channel on which the agents serve the queue. The channel must have an entry in ' +
      '`mediaConcurrencies`.',
  })
  channel: Medium

  @Field(() => Int, {
    nullable: true,
    description: 'The priority of the queue, from 1 (served first) to 99. Defaults to 1.',
  })
  priority?: number | null

  @Field(() => Int, {
    nullable: true,
    description:
      'How long work must wait in the queue before it is offered to agents with this routing ' +
      'profile, in seconds, from 0 to 9,999. Defaults to 0.',
  })
  delaySeconds?: number | null
}

@InputType({
  description:
    'The maximum number of interactions on one channel that an agent may handle at a time.',
})
class MediaConcurrencyInput implements NewMediaConcurrency {
  @Field(() => MediumEnum, {
    description: 'The channel the limit applies to. Each channel can be listed once.',
  })
  channel: Medium

  @Field(() => Int, {
    description:
      'The maximum number of simultaneous interactions, from 1 to 10; must be 1 for voice.',
  })
  concurrency: number

  @Field(() => CrossChannelEnum, {
    nullable: true,
    description:
      'Whether the agent can receive work from other channels while working on this channel. ' +
      'Defaults to `ROUTE_CURRENT_CHANNEL_ONLY`.',
  })
  crossChannelBehavior?: CrossChannelBehavior | null
}

@InputType({ description: 'The configuration of a routing profile.' })
class ProfileContentInput implements ProfileContent {
  @Field(() => LabelScalar, {
    description:
      'The name of the routing profile. Must be unique among profiles that are not archived, ' +
      'regardless of case.',
  })
  name: string

  @Field(() => ProfileKindEnum, {
    nullable: true,
    description: 'The kind of team the routing profile describes. Defaults to `CONTACT_CENTER`.',
  })
  kind?: ProfileKind | null

  @Field(() => [QueueEntryInput], {
    nullable: true,
    description:
      'The queues that agents with this routing profile serve, each queue at most once per ' +
      'channel. Defaults to the queue `que_default` on each channel in `mediaConcurrencies`. The ' +
      'queue `que_default` is created when it is first used. Send an empty list for no queues.',
  })
  queues?: QueueEntryInput[] | null

  @Field(() => [MediaConcurrencyInput], {
    nullable: true,
    description:
      'The concurrency limit of each channel that agents with this routing profile handle. If ' +
      '`queues` and `mediaConcurrencies` are both omitted, the default is one interaction at a ' +
      'time on every channel. If only `mediaConcurrencies` is omitted, it is an empty list.',
  })
  mediaConcurrencies?: MediaConcurrencyInput[] | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the queue for outbound interactions. If omitted, outbound interactions are ' +
      'routed like inbound ones.',
  })
  defaultOutboundQueueId?: string | null

  @Field(() => TimerEnum, {
    nullable: true,
    description:
      'The event from which the idle time of agents is measured. Defaults to ' +
      '`TIME_SINCE_LAST_ACTIVITY`.',
  })
  agentAvailabilityTimer?: AvailabilityTimer | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description: 'The skills that every agent with this profile has, in addition to their own.',
  })
  skills?: string[] | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'The languages that every agent with this profile speaks, as BCP 47 tags such as `en`.',
  })
  languages?: string[] | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'The customer segments that the routing profile serves. If omitted or empty, it serves all ' +
      'segments.',
  })
  segments?: string[] | null

  @Field(() => [ID], {
    nullable: true,
    description:
      "The IDs of the agents who are preferred when the party's own relationship manager is not " +
      'available.',
  })
  relationshipManagerIds?: string[] | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the routing profile to try if this one cannot take the work. The chain of ' +
      'fallback profiles must not lead back to this profile.',
  })
  fallbackProfileId?: string | null

  @Field(() => OpeningHoursInput, {
    nullable: true,
    description: 'The opening hours. If omitted, the routing profile is always open.',
  })
  hours?: OpeningHoursInput | null
}

@InputType({ description: 'A new routing profile.' })
export class CreateRoutingProfileInput extends ProfileContentInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the routing profile, chosen by the client. Generated if omitted.',
  })
  routingProfileId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The initial status, `active` or `draft`. Defaults to `active`.',
  })
  status?: string | null
}

@InputType({
  description:
    'The complete new configuration of a routing profile. Omitted fields are reset to their ' +
    'defaults.',
})
export class UpdateRoutingProfileInput extends ProfileContentInput {
  @Field(() => ID, { description: 'The ID of the routing profile to update.' })
  routingProfileId: string
}
