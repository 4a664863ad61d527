import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar, TextScalar } from '../../_kernel/scalars.ts'
import { agentStatuses, type AgentContent, type AgentStatus } from '../domain/agent.ts'
import { channelStatuses, type ChannelContent, type ChannelStatus } from '../domain/channel.ts'
import { media, type Medium } from '../domain/medium.ts'
import {
  weekdays,
  type OpenInterval,
  type OpeningHours,
  type Weekday,
} from '../domain/opening-hours.ts'

export const MediumEnum = wireEnum(
  'InteractionChannel',
  media,
  'How a contact travels, or what waits for somebody.',
)
const WeekdayEnum = wireEnum('Weekday', weekdays, 'A day of the week.')
const ChannelStatusEnum = wireEnum('ChannelStatus', channelStatuses, 'Whether it is in use.')
export const AgentStatusEnum = wireEnum('AgentStatus', agentStatuses, 'Whether they take work.')

@ObjectType('OpenInterval')
class OpenIntervalType implements OpenInterval {
  @Field(() => WeekdayEnum)
  day: Weekday

  @Field(() => String, { description: 'HH:MM.' })
  from: string

  @Field(() => String, { description: 'HH:MM, up to 24:00; the minute itself is outside.' })
  to: string
}

@ObjectType('OpeningHours', { description: 'When somebody is there.' })
export class OpeningHoursType {
  @Field(() => String, { description: 'An IANA time zone.' })
  zone: string

  @Field(() => [OpenIntervalType])
  weekly: readonly OpenInterval[]

  @Field(() => [LocalDateScalar], { description: 'Days on which nobody is, whatever the weekday.' })
  closedOn: readonly string[]
}

@InputType()
class OpenIntervalInput implements OpenInterval {
  @Field(() => WeekdayEnum)
  day: Weekday

  @Field(() => LabelScalar)
  from: string

  @Field(() => LabelScalar)
  to: string
}

@InputType()
export class OpeningHoursInput implements OpeningHours {
  @Field(() => LabelScalar)
  zone: string

  @Field(() => [OpenIntervalInput])
  weekly: OpenIntervalInput[]

  @Field(() => [LocalDateScalar], { defaultValue: [] })
  closedOn: string[]
}

@ObjectType({ description: 'One way to reach the bank.' })
@Directive('@key(fields: "channelId")')
export class Channel {
  @Field(() => ID)
  channelId: string

  @Field(() => String)
  name: string

  @Field(() => MediumEnum)
  medium: Medium

  @Field(() => [String], { description: 'What can be done over it.' })
  capabilities: readonly string[]

  @Field(() => OpeningHoursType, { nullable: true, description: 'Null: always.' })
  hours: OpeningHours | null

  @Field(() => ChannelStatusEnum)
  status: ChannelStatus

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const ChannelConnection = connectionOf('Channel', () => Channel)

@InputType({ description: 'The whole content of a channel; what is absent gets its default.' })
export class UpdateChannelInput implements ChannelContent {
  @Field(() => ID)
  channelId: string

  @Field(() => LabelScalar)
  name: string

  @Field(() => [LabelScalar], { nullable: true })
  capabilities?: string[] | null

  @Field(() => OpeningHoursInput, { nullable: true, description: 'Always when absent.' })
  hours?: OpeningHoursInput | null
}

@InputType()
export class CreateChannelInput implements ChannelContent {
  @Field(() => ID, { nullable: true })
  channelId?: string | null

  @Field(() => LabelScalar)
  name: string

  @Field(() => MediumEnum)
  medium: Medium

  @Field(() => [LabelScalar], { nullable: true })
  capabilities?: string[] | null

  @Field(() => OpeningHoursInput, { nullable: true, description: 'Always when absent.' })
  hours?: OpeningHoursInput | null

  @Field(() => LabelScalar, { nullable: true, description: '`active` when absent, or `inactive`.' })
  status?: string | null
}

@ObjectType({ description: 'Where work of one sort waits for whoever answers it.' })
@Directive('@key(fields: "queueId")')
export class RoutingQueue {
  @Field(() => ID)
  queueId: string

  @Field(() => String)
  name: string

  @Field(() => String, { nullable: true })
  description: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const RoutingQueueConnection = connectionOf('RoutingQueue', () => RoutingQueue)

@InputType()
export class CreateRoutingQueueInput {
  @Field(() => ID, { nullable: true })
  queueId?: string | null

  @Field(() => LabelScalar)
  name: string

  @Field(() => TextScalar, { nullable: true })
  description?: string | null
}

@ObjectType({ description: 'How many of one medium somebody has in hand.' })
export class AgentLoad {
  @Field(() => MediumEnum)
  channel: Medium

  @Field(() => Int)
  count: number
}

@ObjectType({ description: 'Somebody of the bank who answers.' })
@Directive('@key(fields: "agentId")')
export class Agent {
  @Field(() => ID)
  agentId: string

  @Field(() => String)
  name: string

  @Field(() => ID)
  routingProfileId: string

  @Field(() => [String])
  skills: readonly string[]

  @Field(() => [String])
  languages: readonly string[]

  @Field(() => AgentStatusEnum)
  status: AgentStatus

  @Field(() => DateTimeScalar)
  lastActivityAt: Date

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const AgentConnection = connectionOf('Agent', () => Agent)

@InputType()
export class CreateAgentInput implements AgentContent {
  @Field(() => ID, { nullable: true })
  agentId?: string | null

  @Field(() => LabelScalar)
  name: string

  @Field(() => ID)
  routingProfileId: string

  @Field(() => [LabelScalar], { nullable: true })
  skills?: string[] | null

  @Field(() => [LabelScalar], { nullable: true, description: 'BCP-47.' })
  languages?: string[] | null

  @Field(() => LabelScalar, { nullable: true, description: '`offline` when absent.' })
  status?: string | null
}

@InputType({ description: 'The whole content of an agent; what is absent gets its default.' })
export class UpdateAgentInput implements AgentContent {
  @Field(() => ID)
  agentId: string

  @Field(() => LabelScalar)
  name: string

  @Field(() => ID)
  routingProfileId: string

  @Field(() => [LabelScalar], { nullable: true })
  skills?: string[] | null

  @Field(() => [LabelScalar], { nullable: true, description: 'BCP-47.' })
  languages?: string[] | null
}

@ObjectType({ description: 'Who looks after a party.' })
export class RelationshipManager {
  @Field(() => ID)
  agentId: string

  @Field(() => String)
  name: string
}
