import { AgentStatus, Medium } from '../model/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { maySee, requireBank, requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { changeRecord } from '../../../kernel/writing/records.ts'
import * as domain from '../domain/agent.ts'
import type { AgentEvent } from '../events.ts'
import { assignManager, createAgent, updateAgent } from '../commands/setup.ts'
import { agentKind, agentTable, findManager, profileTable } from '../store/setup.ts'
import { RoutingProfile } from '../model/profile.ts'
import {
  Agent,
  AgentConnection,
  AgentLoad,
  CreateAgentInput,
  RelationshipManager,
  UpdateAgentInput,
} from '../model/agent.ts'
import { Party } from '../model/references.ts'

const eventTypeOf: Readonly<Record<AgentStatus, AgentEvent>> = {
  offline: 'channels.agent.offline',
  available: 'channels.agent.available',
  away: 'channels.agent.away',
}

@Resolver(() => Agent)
export class AgentResolver {
  @Requires('routing:read')
  @Query(() => Agent, { description: 'Returns an agent.' })
  async agent(
    @Arg('agentId', () => ID, { description: 'The ID of the agent.' }) agentId: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    return requireFound(await agentTable.load(context, agentId), 'AGENT_NOT_FOUND', agentId)
  }

  @Requires('routing:read')
  @Query(() => AgentConnection, { description: 'Returns agents, oldest first.' })
  agents(
    @Arg('routingProfileId', () => ID, {
      nullable: true,
      description: 'Returns only agents who work under this routing profile.',
    })
    routingProfileId: string | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
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
  @Mutation(() => Agent, { description: 'Creates an agent.' })
  createAgent(
    @Arg('input', () => CreateAgentInput, { description: 'The agent to create.' })
    input: CreateAgentInput,
    @Ctx() context: Context,
  ): Promise<domain.Agent> {
    requireBank(context)
    return createAgent(context, input)
  }

  @Requires('routing:write')
  @Mutation(() => Agent, {
    description: "Replaces an agent's name, routing profile, skills and languages.",
  })
  updateAgent(
    @Arg('input', () => UpdateAgentInput, { description: 'The new details of the agent.' })
    input: UpdateAgentInput,
    @Ctx() context: Context,
  ): Promise<domain.Agent> {
    requireBank(context)
    return updateAgent(context, input)
  }

  @Requires('routing:write')
  @Mutation(() => Agent, { description: 'Changes whether an agent can receive work.' })
  setAgentStatus(
    @Arg('agentId', () => ID, { description: 'The ID of the agent.' }) agentId: string,
    @Arg('status', () => AgentStatus, {
      description:
        'The new status. An agent who is offline must become available before being set to away.',
    })
    status: AgentStatus,
    @Ctx() context: Context,
  ): Promise<domain.Agent> {
    requireBank(context)
    const input = { agentId, status }
    const event = eventTypeOf[status]
    return changeRecord(
      context,
      agentKind,
      'setAgentStatus',
      input,
      agentId,
      event,
      (agent, now) => ({ record: domain.transitionAgent(agent, status, now) }),
    )
  }

  @Requires('routing:write')
  @Mutation(() => Agent, {
    description:
      'Assigns an agent to a party as its relationship manager, replacing the previous one.',
  })
  assignRelationshipManager(
    @Arg('partyId', () => ID, { description: 'The ID of the party.' }) partyId: string,
    @Arg('agentId', () => ID, { description: 'The ID of the agent to assign.' }) agentId: string,
    @Ctx() context: Context,
  ): Promise<domain.Agent> {
    requireBank(context)
    return assignManager(context, { partyId, agentId })
  }

  @FieldResolver(() => [AgentLoad], {
    description:
      'The number of interactions that the agent is handling, per channel. Channels without ' +
      'interactions are omitted.',
  })
  load(@Root() { load }: domain.Agent): AgentLoad[] {
    return Medium.values
      .map((channel) => ({ channel, count: load[channel] ?? 0 }))
      .filter(({ count }) => count > 0)
  }

  @FieldResolver(() => RoutingProfile, {
    nullable: true,
    description: 'The routing profile the agent works under.',
  })
  routingProfile(@Root() { routingProfileId }: domain.Agent, @Ctx() context: Context) {
    return profileTable.load(context, routingProfileId)
  }
}

@Resolver(() => Party)
export class PartyManagerResolver {
  @Requires('routing:read')
  @FieldResolver(() => RelationshipManager, {
    nullable: true,
    description:
      'The agent who looks after the party; null if no agent is assigned, or if the caller may ' +
      'not see the party.',
  })
  relationshipManager(@Root() { partyId }: Party, @Ctx() context: Context) {
    return maySee(context.caller, [partyId]) ? findManager(context, partyId) : null
  }
}
