import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { channelStatuses, type ChannelContent, type ChannelStatus } from '../domain/channel.ts'
import { media, type Medium } from '../domain/medium.ts'
import type { OpeningHours } from '../domain/opening-hours.ts'
import { OpeningHoursType, OpeningHoursInput } from './opening-hours.types.ts'

export const MediumEnum = wireEnum(
  'InteractionChannel',
  media,
  'How a contact takes place, or `TASK` for work without a contact.',
  {
    voice: 'A phone call.',
    chat: 'A live chat.',
    task: 'A work item without a live contact, such as a case to handle.',
    email: 'An email.',
    'secure-message': "A message in the bank's own secure inbox.",
  },
)

const ChannelStatusEnum = wireEnum(
  'ChannelStatus',
  channelStatuses,
  'Whether a channel is in use.',
  {
    active: 'The channel is in use.',
    inactive: 'The channel is closed until it is activated again.',
  },
)

@ObjectType({
  description:
    'A registered channel through which customers reach the bank, such as a phone line or an app.',
})
@Directive('@key(fields: "channelId")')
export class Channel {
  @Field(() => ID, { description: 'The ID of the channel, such as `chn_…`.' })
  channelId: string

  @Field(() => String, { description: 'The name of the channel.' })
  name: string

  @Field(() => MediumEnum, {
    description:
      'The kind of contact for which the channel is used, such as `VOICE`, `CHAT` or `EMAIL`.',
  })
  medium: Medium

  @Field(() => [String], {
    description:
      'What customers can do over the channel, such as `identify`, `sign` or `pay`. The values ' +
      'are defined by the bank.',
  })
  capabilities: readonly string[]

  @Field(() => OpeningHoursType, {
    nullable: true,
    description: 'The opening hours; null if the channel is always open.',
  })
  hours: OpeningHours | null

  @Field(() => ChannelStatusEnum, { description: 'Whether the channel is in use.' })
  status: ChannelStatus

  @Field(() => DateTimeScalar, { description: 'When the channel was created.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the channel was last changed.' })
  updatedAt: Date
}

export const ChannelConnection = connectionOf('Channel', () => Channel)

@InputType({
  description: 'The complete new details of a channel. Omitted fields are reset to their defaults.',
})
export class UpdateChannelInput implements ChannelContent {
  @Field(() => ID, { description: 'The ID of the channel to update.' })
  channelId: string

  @Field(() => LabelScalar, { description: 'The name of the channel.' })
  name: string

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'What customers can do over the channel, such as `identify`, `sign` or `pay`. Defaults to ' +
      'none.',
  })
  capabilities?: string[] | null

  @Field(() => OpeningHoursInput, {
    nullable: true,
    description: 'The opening hours. If omitted, the channel is always open.',
  })
  hours?: OpeningHoursInput | null
}

@InputType({ description: 'A new channel.' })
export class CreateChannelInput implements ChannelContent {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the channel, chosen by the client. Generated if omitted.',
  })
  channelId?: string | null

  @Field(() => LabelScalar, { description: 'The name of the channel.' })
  name: string

  @Field(() => MediumEnum, {
    description:
      'The kind of contact for which the channel is used, such as `VOICE`, `CHAT` or `EMAIL`.',
  })
  medium: Medium

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'What customers can do over the channel, such as `identify`, `sign` or `pay`. Defaults to ' +
      'none.',
  })
  capabilities?: string[] | null

  @Field(() => OpeningHoursInput, {
    nullable: true,
    description: 'The opening hours. If omitted, the channel is always open.',
  })
  hours?: OpeningHoursInput | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The initial status, `active` or `inactive`. Defaults to `active`.',
  })
  status?: string | null
}

@ObjectType({ description: 'A queue in which contacts and tasks wait for an agent.' })
@Directive('@key(fields: "queueId")')
export class RoutingQueue {
  @Field(() => ID, { description: 'The ID of the queue, such as `que_…`.' })
  queueId: string

  @Field(() => String, { description: 'The name of the queue.' })
  name: string

  @Field(() => String, {
    nullable: true,
    description: 'The purpose of the queue; null if none was given.',
  })
  description: string | null

  @Field(() => DateTimeScalar, { description: 'When the queue was created.' })
  createdAt: Date
}

export const RoutingQueueConnection = connectionOf('RoutingQueue', () => RoutingQueue)

@InputType({ description: 'A new queue.' })
export class CreateRoutingQueueInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the queue, chosen by the client. Generated if omitted.',
  })
  queueId?: string | null

  @Field(() => LabelScalar, { description: 'The name of the queue.' })
  name: string

  @Field(() => TextScalar, { nullable: true, description: 'The purpose of the queue.' })
  description?: string | null
}
