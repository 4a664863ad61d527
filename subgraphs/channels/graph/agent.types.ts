import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar } from '../../../kernel/graph/scalars.ts'
import { agentStatuses, type AgentContent, type AgentStatus } from '../domain/agent.ts'
import type { Medium } from '../domain/medium.ts'
import { MediumEnum } from './setup.types.ts'

export const AgentStatusEnum = wireEnum(
  'AgentStatus',
  agentStatuses,
  'Whether an agent is signed in and can receive work.',
  {
    offline: 'The agent is signed out.',
    available: 'The agent is signed in and can receive work.',
    away: 'The agent is signed in but receives no new work.',
  },
)

@ObjectType({ description: 'The number of interactions on one channel that an agent is handling.' })
export class AgentLoad {
  @Field(() => MediumEnum, {
    description: 'The channel on which the interactions take place, such as `VOICE` or `CHAT`.',
  })
  channel: Medium

  @Field(() => Int, {
    description: 'The number of interactions the agent is handling; at least 1.',
  })
  count: number
}

@ObjectType({ description: 'A contact-center agent who handles interactions.' })
@Directive('@key(fields: "agentId")')
export class Agent {
  @Field(() => ID, { description: 'The ID of the agent, such as `agt_…`.' })
  agentId: string

  @Field(() => String, { description: 'The name of the agent.' })
  name: string

  @Field(() => ID, { description: 'The ID of the routing profile the agent works under.' })
  routingProfileId: string

  @Field(() => [String], {
    description: "The agent's own skills, to which the skills of the routing profile are added.",
  })
  skills: readonly string[]

  @Field(() => [String], {
    description:
      'The languages the agent speaks, as BCP 47 tags. The languages of the routing profile are ' +
      'added to them.',
  })
  languages: readonly string[]

  @Field(() => AgentStatusEnum, {
    description: 'Whether the agent is signed in and can receive work.',
  })
  status: AgentStatus

  @Field(() => DateTimeScalar, {
    description: 'When the agent last received or finished work or changed status.',
  })
  lastActivityAt: Date

  @Field(() => DateTimeScalar, { description: 'When the agent was created.' })
  createdAt: Date
}

export const AgentConnection = connectionOf('Agent', () => Agent)

@InputType({ description: 'A new agent.' })
export class CreateAgentInput implements AgentContent {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the agent, chosen by the client. Generated if omitted.',
  })
  agentId?: string | null

  @Field(() => LabelScalar, { description: 'The name of the agent.' })
  name: string

  @Field(() => ID, {
    description: 'The ID of the routing profile the agent works under. It must not be archived.',
  })
  routingProfileId: string

  @Field(() => [LabelScalar], {
    nullable: true,
    description: "The agent's own skills. Defaults to none.",
  })
  skills?: string[] | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description: 'The languages the agent speaks, as BCP 47 tags such as `en`. Defaults to none.',
  })
  languages?: string[] | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The initial status, `offline` or `available`. Defaults to `offline`.',
  })
  status?: string | null
}

@InputType({
  description: 'The complete new details of an agent. Omitted fields are reset to their defaults.',
})
export class UpdateAgentInput implements AgentContent {
  @Field(() => ID, { description: 'The ID of the agent to update.' })
  agentId: string

  @Field(() => LabelScalar, { description: 'The name of the agent.' })
  name: string

  @Field(() => ID, {
    description: 'The ID of the routing profile the agent works under. It must not be archived.',
  })
  routingProfileId: string

  @Field(() => [LabelScalar], {
    nullable: true,
    description: "The agent's own skills. Defaults to none.",
  })
  skills?: string[] | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description: 'The languages the agent speaks, as BCP 47 tags such as `en`. Defaults to none.',
  })
  languages?: string[] | null
}

@ObjectType({ description: 'The agent who looks after a party.' })
export class RelationshipManager {
  @Field(() => ID, { description: 'The ID of the agent.' })
  agentId: string

  @Field(() => String, { description: 'The name of the agent.' })
  name: string
}
