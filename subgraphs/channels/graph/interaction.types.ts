import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import {
  interactionStatuses,
  type InteractionStatus,
  type NewInteraction,
  type PastInteraction,
} from '../domain/interaction.ts'
import type { Medium } from '../domain/medium.ts'
import type { Direction } from '../domain/routing.ts'
import { MediumEnum } from './setup.types.ts'
import { DirectionEnum } from './routing-decision.types.ts'

const StatusEnum = wireEnum(
  'InteractionStatus',
  interactionStatuses,
  'The progress of an interaction.',
  {
    waiting: 'The interaction is in a queue and no agent has it yet.',
    assigned: 'An agent is handling the interaction.',
    completed: 'The interaction is over. This status is final.',
    abandoned:
      'The interaction ended before an agent took it, because the customer stopped waiting or ' +
      'the work was no longer needed. This status is final.',
  },
)

@ObjectType({ description: 'One contact between the bank and a party, or one task for an agent.' })
@Directive('@key(fields: "interactionId")')
export class Interaction {
  @Field(() => ID, { description: 'The ID of the interaction, such as `int_…`.' })
  interactionId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the party in contact with the bank; null if the interaction concerns no party.',
  })
  partyId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the case the interaction is about; null if it is about none.',
  })
  caseId: string | null

  @Field(() => MediumEnum, {
    description:
      'How the contact takes place: by phone, live chat, email or secure message. The value is ' +
      '`TASK` for work without a contact.',
  })
  channel: Medium

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the registered channel the interaction came through; null if none was given.',
  })
  channelId: string | null

  @Field(() => DirectionEnum, {
    description: 'Whether the customer or the bank started the interaction.',
  })
  direction: Direction

  @Field(() => String, { description: 'A short description of what the interaction is about.' })
  subject: string

  @Field(() => String, {
    nullable: true,
    description:
      'The language that the agent must speak, as a BCP 47 tag; null if the language does not ' +
      'matter.',
  })
  language: string | null

  @Field(() => String, {
    nullable: true,
    description:
      "The party's customer segment, which is matched against the segments of routing profiles; " +
      'null if none was given.',
  })
  segment: string | null

  @Field(() => [String], { description: 'The skills an agent needs to receive the interaction.' })
  skills: readonly string[]

  @Field(() => StatusEnum, { description: 'The progress of the interaction.' })
  status: InteractionStatus

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the queue in which the interaction waits, or from which it was taken; null if ' +
      'the interaction was never routed or no routing profile matches.',
  })
  queueId: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the agent who handles or handled the interaction; null if no agent is assigned.',
  })
  agentId: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the interaction began to wait; null unless it is waiting.',
  })
  waitingSince: Date | null

  @Field(() => DateTimeScalar, { description: 'When the contact or task started.' })
  startedAt: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the interaction was completed or abandoned; null before that.',
  })
  endedAt: Date | null

  @Field(() => DateTimeScalar, { description: 'When the interaction was recorded.' })
  createdAt: Date
}

export const InteractionConnection = connectionOf('Interaction', () => Interaction)

@InputType({ description: 'The properties of a new interaction.' })
class NewInteractionInput implements NewInteraction {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the party in contact with the bank. Delegated users must send their own.',
  })
  partyId?: string | null

  @Field(() => ID, { nullable: true, description: 'The ID of the case the interaction is about.' })
  caseId?: string | null

  @Field(() => MediumEnum, {
    description:
      'How the contact takes place: by phone, live chat, email or secure message. The value is ' +
      '`TASK` for work without a contact.',
  })
  channel: Medium

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the registered channel the interaction came through. Its `medium` must ' +
      'equal the `channel` of this input.',
  })
  channelId?: string | null

  @Field(() => DirectionEnum, {
    nullable: true,
    description: 'Whether the customer or the bank started the interaction. Defaults to `INBOUND`.',
  })
  direction?: Direction | null

  @Field(() => TextScalar, { description: 'A short description of what the interaction is about.' })
  subject: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The language that the agent must speak, as a BCP 47 tag such as `en`. If omitted, the ' +
      'language does not matter.',
  })
  language?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      "The party's customer segment, which is matched against the segments of routing profiles.",
  })
  segment?: string | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description: 'The skills an agent needs to receive the interaction.',
  })
  skills?: string[] | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the routing profile to use. Defaults to the active profile that matches best.',
  })
  routingProfileId?: string | null
}

@InputType({ description: 'The contact or task whose routing is previewed.' })
export class PreviewRoutingInput extends NewInteractionInput {}

@InputType({ description: 'A contact or task to route to an agent.' })
export class RouteInteractionInput extends NewInteractionInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the interaction, chosen by the client. Generated if omitted.',
  })
  interactionId?: string | null
}

@InputType({ description: 'A contact that is already over.' })
export class LogInteractionInput extends NewInteractionInput implements PastInteraction {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the interaction, chosen by the client. Generated if omitted.',
  })
  interactionId?: string | null

  @Field(() => ID, { nullable: true, description: 'The ID of the agent who handled the contact.' })
  agentId?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'Notes on what was discussed, visible only to the bank.',
  })
  notes?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the contact started. Defaults to `endedAt`; must not be after it.',
  })
  startedAt?: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the contact ended. Defaults to now; must not be in the future.',
  })
  endedAt?: Date | null
}
