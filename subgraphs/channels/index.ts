import 'reflect-metadata'
import type { Context } from '../../kernel/environment/context.ts'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
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

/** Hides the configuration of the contact center from delegated users. */
const unlessDelegated = <Entity>(record: Entity, { caller }: Context): Entity | null =>
  caller.partyId === null ? record : null

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
    Channel: referenceTo('routing:read', 'channelId', channelTable.load),
    RoutingQueue: referenceTo('routing:read', 'queueId', queueTable.load, unlessDelegated),
    RoutingProfile: referenceTo(
      'routing:read',
      'routingProfileId',
      profileTable.load,
      unlessDelegated,
    ),
    Agent: referenceTo('routing:read', 'agentId', agentTable.load, unlessDelegated),
    Interaction: referenceTo('cases:read', 'interactionId', loadInteraction),
    Party: referenceByKey('partyId'),
    Case: referenceByKey('caseId'),
  },
  workers: [routeWaiting],
}
