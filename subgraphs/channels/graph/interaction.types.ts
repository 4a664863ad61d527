import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import {
  interactionStatuses,
  type InteractionStatus,
  type NewInteraction,
  type PastInteraction,
} from '../domain/interaction.ts'
import type { Medium } from '../domain/medium.ts'
import {
  directions,
  reasonCodes,
  type Decision,
  type Direction,
  type Reason,
  type ReasonCode,
} from '../domain/routing.ts'
import { MediumEnum } from './setup.types.ts'

const StatusEnum = wireEnum('InteractionStatus', interactionStatuses, 'How far a contact is.')
const DirectionEnum = wireEnum('InteractionDirection', directions, 'Who called whom.')
const ReasonCodeEnum = wireEnum('RoutingReasonCode', reasonCodes, 'What routing found.')

@ObjectType('RoutingReason', { description: 'One step of a routing decision.' })
class ReasonType implements Reason {
  @Field(() => ReasonCodeEnum)
  code: ReasonCode

  @Field(() => [ID], { description: 'The profiles, queues or agents it is about, 20 at most.' })
  subjects: readonly string[]
}

@ObjectType({ description: 'Which queue, which person, and why.' })
export class RoutingDecision implements Decision {
  @Field(() => ID, { nullable: true })
  routingProfileId: string | null

  @Field(() => ID, { nullable: true })
  queueId: string | null

  @Field(() => Int, { nullable: true })
  priority: number | null

  @Field(() => ID, { nullable: true, description: 'Null: nobody yet.' })
  agentId: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When time alone changes it.' })
  lookAgainAt: Date | null

  @Field(() => [ReasonType], { description: 'Step by step.' })
  reasons: readonly Reason[]
}

@ObjectType({ description: 'One contact between the bank and somebody, or one task.' })
@Directive('@key(fields: "interactionId")')
export class Interaction {
  @Field(() => ID)
  interactionId: string

  @Field(() => ID, { nullable: true })
  partyId: string | null

  @Field(() => ID, { nullable: true })
  caseId: string | null

  @Field(() => MediumEnum)
  channel: Medium

  @Field(() => ID, { nullable: true, description: 'The registered channel it came over.' })
  channelId: string | null

  @Field(() => DirectionEnum)
  direction: Direction

  @Field(() => String)
  subject: string

  @Field(() => String, { nullable: true })
  language: string | null

  @Field(() => String, { nullable: true })
  segment: string | null

  @Field(() => [String])
  skills: readonly string[]

  @Field(() => StatusEnum)
  status: InteractionStatus

  @Field(() => ID, { nullable: true })
  queueId: string | null

  @Field(() => ID, { nullable: true })
  agentId: string | null

  @Field(() => DateTimeScalar, { nullable: true })
  waitingSince: Date | null

  @Field(() => DateTimeScalar)
  startedAt: Date

  @Field(() => DateTimeScalar, { nullable: true })
  endedAt: Date | null

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const InteractionConnection = connectionOf('Interaction', () => Interaction)

@InputType()
class NewInteractionInput implements NewInteraction {
  @Field(() => ID, { nullable: true })
  partyId?: string | null

  @Field(() => ID, { nullable: true })
  caseId?: string | null

  @Field(() => MediumEnum)
  channel: Medium

  @Field(() => ID, { nullable: true, description: 'The registered channel it came over.' })
  channelId?: string | null

  @Field(() => DirectionEnum, { nullable: true, description: '`INBOUND` when absent.' })
  direction?: Direction | null

  @Field(() => TextScalar)
  subject: string

  @Field(() => LabelScalar, { nullable: true, description: 'BCP-47.' })
  language?: string | null

  @Field(() => LabelScalar, { nullable: true })
  segment?: string | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description: 'What whoever gets it must be able to.',
  })
  skills?: string[] | null

  @Field(() => ID, { nullable: true, description: 'The one that fits best when absent.' })
  routingProfileId?: string | null
}

@InputType()
export class PreviewRoutingInput extends NewInteractionInput {}

@InputType()
export class RouteInteractionInput extends NewInteractionInput {
  @Field(() => ID, { nullable: true })
  interactionId?: string | null
}

@InputType()
export class LogInteractionInput extends NewInteractionInput implements PastInteraction {
  @Field(() => ID, { nullable: true })
  interactionId?: string | null

  @Field(() => ID, { nullable: true, description: 'Who spoke for the bank.' })
  agentId?: string | null

  @Field(() => TextScalar, { nullable: true, description: "For the bank's own eyes." })
  notes?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: '`endedAt` when absent.' })
  startedAt?: Date | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'Now when absent.' })
  endedAt?: Date | null
}
