import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import type { Context } from '../../kernel/environment/context.ts'
import type { Scope } from '../../kernel/domain/scopes.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import { AgentOperations, AgentResolver, PartyManagerResolver } from './graph/agent.resolver.ts'
import {
  CaseInteractionsResolver,
  InteractionOperations,
  InteractionResolver,
  PartyInteractionsResolver,
} from './graph/interaction.resolver.ts'
import { RoutingProfileOperations, RoutingProfileResolver } from './graph/profile.resolver.ts'
import { ChannelOperations, ChannelResolver, QueueOperations } from './graph/setup.resolver.ts'
import { routeWaiting } from './workers/routing.ts'
import { loadInteraction } from './store/interaction.ts'
import { agentTable, channelTable, profileTable, queueTable } from './store/setup.ts'

type Load = (context: Context, id: string) => Promise<object | null>

/** Returns a reference resolver of a federated entity. The resolver requires `scope`. */
const reference = (scope: Scope, key: string, load: Load) => {
  return async (representation: Record<string, string>, context: Context) => {
    requireScope(context.caller, scope)
    return load(context, representation[key]!)
  }
}

/** Returns null to delegated users, who may not see the configuration of the contact center. */
const onlyForBank =
  (load: Load): Load =>
  async (context, id) =>
    context.caller.partyId === null ? load(context, id) : null

/** The channels subgraph: channels, routing and interactions. */
export const channels: Subgraph = {
  name: 'channels',
  resolvers: [
    ChannelOperations,
    ChannelResolver,
    QueueOperations,
    RoutingProfileOperations,
    RoutingProfileResolver,
    AgentOperations,
    AgentResolver,
    InteractionOperations,
    InteractionResolver,
    PartyInteractionsResolver,
    PartyManagerResolver,
    CaseInteractionsResolver,
  ],
  types: [],
  references: {
    Channel: reference('routing:read', 'channelId', channelTable.load),
    RoutingQueue: reference('routing:read', 'queueId', onlyForBank(queueTable.load)),
    RoutingProfile: reference('routing:read', 'routingProfileId', onlyForBank(profileTable.load)),
    Agent: reference('routing:read', 'agentId', onlyForBank(agentTable.load)),
    Interaction: reference('cases:read', 'interactionId', loadInteraction),
    Party: ({ partyId }: { partyId: string }) => ({ partyId }),
    Case: ({ caseId }: { caseId: string }) => ({ caseId }),
  },
  workers: [routeWaiting],
}
