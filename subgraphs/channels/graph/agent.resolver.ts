import { maySee, requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf } from '../../../kernel/graph/transitions.ts'
import { assignManager, createAgent, updateAgent } from '../commands/setup.ts'
import { transitionAgent } from '../domain/agent.ts'
import type { AgentEvent } from '../events.ts'
import {
  Agent,
  AgentLoad,
  CreateAgentInput,
  RelationshipManager,
  UpdateAgentInput,
} from '../model/agent.ts'
import { AgentStatus, Medium } from '../model/enumerations.ts'
import { RoutingProfile } from '../model/profile.ts'
import { Party } from '../model/references.ts'
import { agentKind, agentTable, findManager, profileTable } from '../store/setup.ts'

const eventTypeOf: Readonly<Record<AgentStatus, AgentEvent>> = {
  offline: 'channels.agent.offline',
  available: 'channels.agent.available',
  away: 'channels.agent.away',
}

const change = changeOf(agentKind)

export const AgentOperations = resolverOf({
  queries: {
    agent: lookup(Agent, {
      description: 'Returns an agent.',
      scope: 'routing:read',
      isForBankOnly: true,
      find: async (context, agentId) =>
        requireFound(await agentTable.load(context, agentId), 'AGENT_NOT_FOUND', agentId),
    }),
    agents: listing(Agent, {
      description: 'Returns agents, oldest first.',
      scope: 'routing:read',
      isForBankOnly: true,
      filters: {
        routingProfileId: id('Returns only agents who work under this routing profile.').orNull(),
      },
      ...agentTable,
    }),
  },
  mutations: {
    createAgent: operation({
      description: 'Creates an agent.',
      scope: 'routing:write',
      isForBankOnly: true,
      returns: Agent,
      args: { input: object(CreateAgentInput, 'The agent to create.') },
      resolve: (context, { input }) => createAgent(context, input),
    }),
    updateAgent: operation({
      description: "Replaces an agent's name, routing profile, skills and languages.",
      scope: 'routing:write',
      isForBankOnly: true,
      returns: Agent,
      args: { input: object(UpdateAgentInput, 'The new details of the agent.') },
      resolve: (context, { input }) => updateAgent(context, input),
    }),
    setAgentStatus: operation({
      description: 'Changes whether an agent can receive work.',
      scope: 'routing:write',
      isForBankOnly: true,
      returns: Agent,
      args: {
        agentId: id('The ID of the agent.'),
        status: oneOf(
          AgentStatus,
          'The new status. An agent who is offline must become available before being set to away.',
        ),
      },
      resolve: (context, { agentId, status }: { agentId: string; status: AgentStatus }, name) =>
        change(context, name, { agentId, status }, agentId, eventTypeOf[status], (agent, now) =>
          transitionAgent(agent, status, now),
        ),
    }),
    assignRelationshipManager: operation({
      description:
        'Assigns an agent to a party as its relationship manager, replacing the previous one.',
      scope: 'routing:write',
      isForBankOnly: true,
      returns: Agent,
      args: { partyId: id('The ID of the party.'), agentId: id('The ID of the agent to assign.') },
      resolve: assignManager,
    }),
  },
})

@Resolver(() => Agent)
export class AgentResolver {
  @FieldResolver(() => [AgentLoad], {
    description:
      'The number of interactions that the agent is handling, per channel. Channels without ' +
      'interactions are omitted.',
  })
  load(@Root() { load }: Agent): AgentLoad[] {
    return Medium.values
      .map((channel) => ({ channel, count: load[channel] ?? 0 }))
      .filter(({ count }) => count > 0)
  }

  @FieldResolver(() => RoutingProfile, {
    nullable: true,
    description: 'The routing profile the agent works under.',
  })
  routingProfile(@Root() { routingProfileId }: Agent, @Ctx() context: Context) {
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
