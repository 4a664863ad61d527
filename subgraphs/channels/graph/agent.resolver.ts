import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { maySee, requireBank, requireFound, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { changeRecord } from '../../_kernel/records.ts'
import * as domain from '../domain/agent.ts'
import { media } from '../domain/medium.ts'
import type { AgentEvent } from '../events.ts'
import { assignManager, createAgent, updateAgent } from '../setup-commands.ts'
import { agentKind, agentTable, findManager, profileTable } from '../store/setup.ts'
import { RoutingProfile } from './profile.types.ts'
import {
  Agent,
  AgentConnection,
  AgentLoad,
  AgentStatusEnum,
  CreateAgentInput,
  RelationshipManager,
  UpdateAgentInput,
} from './setup.types.ts'
import { Party } from './stubs.types.ts'

const factOf: Readonly<Record<domain.AgentStatus, AgentEvent>> = {
  offline: 'channels.agent.offline',
  available: 'channels.agent.available',
  away: 'channels.agent.away',
}

@Resolver(() => Agent)
export class AgentResolver {
  @Requires('routing:read')
  @Query(() => Agent, { description: 'Somebody who answers.' })
  async agent(@Arg('agentId', () => ID) agentId: string, @Ctx() context: Context) {
    requireBank(context)
    return requireFound(await agentTable.load(context, agentId), 'AGENT_NOT_FOUND', agentId)
  }

  @Requires('routing:read')
  @Query(() => AgentConnection, { description: 'Who answers, in the order they came.' })
  agents(
    @Arg('routingProfileId', () => ID, { nullable: true }) routingProfileId: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.Agent>> {
    requireBank(context)
    const filter = routingProfileId ? { routingProfileId } : {}
    return readPage(
      context,
      'agents',
      filter,
      { first, after },
      (from, take) => agentTable.list(context, filter, from, take),
      agentTable.sortKey,
    )
  }

  @Requires('routing:write')
  @Mutation(() => Agent, { description: 'Makes somebody known who answers.' })
  createAgent(
    @Arg('input', () => CreateAgentInput) input: CreateAgentInput,
    @Ctx() context: Context,
  ): Promise<domain.Agent> {
    requireBank(context)
    return createAgent(context, input)
  }

  @Requires('routing:write')
  @Mutation(() => Agent, { description: 'Gives somebody another profile, skills and languages.' })
  updateAgent(
    @Arg('input', () => UpdateAgentInput) input: UpdateAgentInput,
    @Ctx() context: Context,
  ): Promise<domain.Agent> {
    requireBank(context)
    return updateAgent(context, input)
  }

  @Requires('routing:write')
  @Mutation(() => Agent, { description: 'Records that somebody takes work, or does not.' })
  setAgentStatus(
    @Arg('agentId', () => ID) agentId: string,
    @Arg('status', () => AgentStatusEnum) status: domain.AgentStatus,
    @Ctx() context: Context,
  ): Promise<domain.Agent> {
    requireBank(context)
    const input = { agentId, status }
    const event = factOf[status]
    return changeRecord(
      context,
      agentKind,
      'setAgentStatus',
      input,
      agentId,
      event,
      (agent, now) => ({ record: domain.moveAgent(agent, status, now) }),
    )
  }

  @Requires('routing:write')
  @Mutation(() => Agent, { description: 'Gives a party to somebody who looks after them.' })
  assignRelationshipManager(
    @Arg('partyId', () => ID) partyId: string,
    @Arg('agentId', () => ID) agentId: string,
    @Ctx() context: Context,
  ): Promise<domain.Agent> {
    requireBank(context)
    return assignManager(context, { partyId, agentId })
  }

  @FieldResolver(() => [AgentLoad], { description: 'What they have in hand.' })
  load(@Root() { load }: domain.Agent): AgentLoad[] {
    return media
      .map((channel) => ({ channel, count: load[channel] ?? 0 }))
      .filter(({ count }) => count > 0)
  }

  @FieldResolver(() => RoutingProfile, { nullable: true })
  routingProfile(@Root() { routingProfileId }: domain.Agent, @Ctx() context: Context) {
    return profileTable.load(context, routingProfileId)
  }
}

@Resolver(() => Party)
export class PartyManagerResolver {
  @Requires('routing:read')
  @FieldResolver(() => RelationshipManager, {
    nullable: true,
    description: 'Who looks after them.',
  })
  relationshipManager(@Root() { partyId }: Party, @Ctx() context: Context) {
    return maySee(context.caller, [partyId]) ? findManager(context, partyId) : null
  }
}
