import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import type { Scope } from '../_kernel/scopes.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import './events.ts'
import { AgentResolver, PartyManagerResolver } from './graph/agent.resolver.ts'
import {
  CaseInteractionsResolver,
  InteractionResolver,
  PartyInteractionsResolver,
} from './graph/interaction.resolver.ts'
import { RoutingProfileResolver } from './graph/profile.resolver.ts'
import { ChannelResolver, QueueResolver } from './graph/setup.resolver.ts'
import { routeWaiting } from './interaction-commands.ts'
import { loadInteraction } from './store/interaction.ts'
import { agentTable, channelTable, profileTable, queueTable } from './store/setup.ts'

type Load = (context: Context, id: string) => Promise<object | null>

/** Resolves a federated entity under the same scope as the query that returns it. */
const reference = (scope: Scope, key: string, load: Load) => {
  return async (found: Record<string, string>, context: Context) => {
    requireScope(context.caller, scope)
    return load(context, found[key]!)
  }
}

/** Hides contact-center configuration from delegated users. */
const forTheBank =
  (load: Load): Load =>
  async (context, id) =>
    context.caller.partyId === null ? load(context, id) : null

/** Channels, Interactions. */
export const channels: Subgraph = {
  name: 'channels',
  resolvers: [
    ChannelResolver,
    QueueResolver,
    RoutingProfileResolver,
    AgentResolver,
    InteractionResolver,
    PartyInteractionsResolver,
    PartyManagerResolver,
    CaseInteractionsResolver,
  ],
  types: [],
  references: {
    Channel: reference('routing:read', 'channelId', channelTable.load),
    RoutingQueue: reference('routing:read', 'queueId', forTheBank(queueTable.load)),
    RoutingProfile: reference('routing:read', 'routingProfileId', forTheBank(profileTable.load)),
    Agent: reference('routing:read', 'agentId', forTheBank(agentTable.load)),
    Interaction: reference('cases:read', 'interactionId', loadInteraction),
    Party: ({ partyId }: { partyId: string }) => ({ partyId }),
    Case: ({ caseId }: { caseId: string }) => ({ caseId }),
  },
  workers: [routeWaiting],
}
