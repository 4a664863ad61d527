import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar } from '../../_kernel/scalars.ts'
import type { Medium } from '../domain/medium.ts'
import {
  availabilityTimers,
  crossChannelBehaviors,
  profileKinds,
  profileStatuses,
  type AvailabilityTimer,
  type CrossChannelBehavior,
  type MediaConcurrency,
  type NewMediaConcurrency,
  type NewQueueEntry,
  type ProfileContent,
  type ProfileKind,
  type ProfileStatus,
  type QueueEntry,
} from '../domain/routing-profile.ts'
import type { OpeningHours } from '../domain/opening-hours.ts'
import { MediumEnum, OpeningHoursInput, OpeningHoursType } from './setup.types.ts'

export const ProfileStatusEnum = wireEnum(
  'RoutingProfileStatus',
  profileStatuses,
  'Whether a profile routes.',
)
const ProfileKindEnum = wireEnum(
  'RoutingProfileKind',
  profileKinds,
  'Whether whoever is free answers, or whoever looks after the party.',
)
const TimerEnum = wireEnum(
  'AgentAvailabilityTimer',
  availabilityTimers,
  'What somebody is idle since.',
)
const CrossChannelEnum = wireEnum(
  'CrossChannelBehavior',
  crossChannelBehaviors,
  'Whether somebody with work of a medium in hand is given work of another.',
)

@ObjectType('RoutingProfileQueue', { description: 'A queue that is answered over one medium.' })
class QueueEntryType implements QueueEntry {
  @Field(() => ID)
  queueId: string

  @Field(() => MediumEnum)
  channel: Medium

  @Field(() => Int, { description: '1 to 99; 1 is answered first.' })
  priority: number

  @Field(() => Int, { description: 'How long work has to wait before it is answered, 0 to 9999.' })
  delaySeconds: number
}

@ObjectType('MediaConcurrency', { description: 'How much of a medium somebody has at once.' })
class MediaConcurrencyType implements MediaConcurrency {
  @Field(() => MediumEnum)
  channel: Medium

  @Field(() => Int, { description: '1 to 10; 1 of voice.' })
  concurrency: number

  @Field(() => CrossChannelEnum)
  crossChannelBehavior: CrossChannelBehavior
}

@ObjectType({
  description: 'Which queues a group of people answers, in which order, and how much at once.',
})
@Directive('@key(fields: "routingProfileId")')
export class RoutingProfile {
  @Field(() => ID)
  routingProfileId: string

  @Field(() => String)
  name: string

  @Field(() => ProfileKindEnum)
  kind: ProfileKind

  @Field(() => ProfileStatusEnum)
  status: ProfileStatus

  @Field(() => [QueueEntryType])
  queues: readonly QueueEntry[]

  @Field(() => [MediaConcurrencyType])
  mediaConcurrencies: readonly MediaConcurrency[]

  @Field(() => ID, { nullable: true })
  defaultOutboundQueueId: string | null

  @Field(() => TimerEnum)
  agentAvailabilityTimer: AvailabilityTimer

  @Field(() => [String], { description: 'What everybody with this profile can do.' })
  skills: readonly string[]

  @Field(() => [String], { description: 'What everybody with this profile speaks.' })
  languages: readonly string[]

  @Field(() => [String], { description: 'Whom it is for; empty: everybody.' })
  segments: readonly string[]

  @Field(() => [ID])
  relationshipManagerIds: readonly string[]

  @Field(() => ID, { nullable: true })
  fallbackProfileId: string | null

  @Field(() => OpeningHoursType, { nullable: true, description: 'Null: always.' })
  hours: OpeningHours | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const RoutingProfileConnection = connectionOf('RoutingProfile', () => RoutingProfile)

@InputType()
class QueueEntryInput implements NewQueueEntry {
  @Field(() => ID)
  queueId: string

  @Field(() => MediumEnum)
  channel: Medium

  @Field(() => Int, { nullable: true, description: '1 to 99; 1 when absent.' })
  priority?: number | null

  @Field(() => Int, { nullable: true, description: '0 to 9999; 0 when absent.' })
  delaySeconds?: number | null
}

@InputType()
class MediaConcurrencyInput implements NewMediaConcurrency {
  @Field(() => MediumEnum)
  channel: Medium

  @Field(() => Int, { description: '1 to 10; 1 of voice.' })
  concurrency: number

  @Field(() => CrossChannelEnum, {
    nullable: true,
    description: '`ROUTE_CURRENT_CHANNEL_ONLY` when absent.',
  })
  crossChannelBehavior?: CrossChannelBehavior | null
}

@InputType()
class ProfileContentInput implements ProfileContent {
  @Field(() => LabelScalar, { description: 'Unique, whatever the letter case.' })
  name: string

  @Field(() => ProfileKindEnum, { nullable: true, description: '`CONTACT_CENTER` when absent.' })
  kind?: ProfileKind | null

  @Field(() => [QueueEntryInput], { nullable: true })
  queues?: QueueEntryInput[] | null

  @Field(() => [MediaConcurrencyInput], { nullable: true })
  mediaConcurrencies?: MediaConcurrencyInput[] | null

  @Field(() => ID, { nullable: true })
  defaultOutboundQueueId?: string | null

  @Field(() => TimerEnum, {
    nullable: true,
    description: '`TIME_SINCE_LAST_ACTIVITY` when absent.',
  })
  agentAvailabilityTimer?: AvailabilityTimer | null

  @Field(() => [LabelScalar], { nullable: true })
  skills?: string[] | null

  @Field(() => [LabelScalar], { nullable: true, description: 'BCP-47.' })
  languages?: string[] | null

  @Field(() => [LabelScalar], { nullable: true })
  segments?: string[] | null

  @Field(() => [ID], { nullable: true, description: 'Agents.' })
  relationshipManagerIds?: string[] | null

  @Field(() => ID, { nullable: true })
  fallbackProfileId?: string | null

  @Field(() => OpeningHoursInput, { nullable: true, description: 'Always when absent.' })
  hours?: OpeningHoursInput | null
}

@InputType()
export class CreateRoutingProfileInput extends ProfileContentInput {
  @Field(() => ID, { nullable: true })
  routingProfileId?: string | null

  @Field(() => LabelScalar, { nullable: true, description: '`active` when absent, or `draft`.' })
  status?: string | null
}

@InputType({ description: 'The whole content of a profile; what is absent gets its default.' })
export class UpdateRoutingProfileInput extends ProfileContentInput {
  @Field(() => ID)
  routingProfileId: string
}
