import { Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import { connectionOf, id, object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  AfterArg,
  FirstArg,
  readPage,
  type Page,
  type PageRequest,
} from '../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import * as commands from '../commands/interaction.ts'
import { Agent } from '../model/agent.ts'
import { InteractionStatus } from '../model/enumerations.ts'
import {
  Interaction,
  interactionStates,
  LogInteractionInput,
  PreviewRoutingInput,
  RouteInteractionInput,
} from '../model/interaction.ts'
import { Case, Party } from '../model/references.ts'
import { Decision } from '../model/routing-decision.ts'
import { RoutingQueue } from '../model/setup.ts'
import {
  interactionTable,
  listInteractions,
  loadInteraction,
  ownersOf,
} from '../store/interaction.ts'
import { agentTable, queueTable } from '../store/setup.ts'

export const InteractionOperations = resolverOf({
  queries: {
    interaction: lookup(Interaction, {
      description: 'Returns an interaction.',
      scope: 'cases:read',
      async find(context, interactionId) {
        const found = await loadInteraction(context, interactionId)
        return requireVisible(context, found, ownersOf, 'INTERACTION_NOT_FOUND', interactionId)
      },
    }),
    interactions: listing(Interaction, {
      description:
        'Returns interactions, oldest first. Delegated users get only interactions of their own.',
      scope: 'cases:read',
      filters: {
        partyId: id('Returns only interactions with this party.').orNull(),
        caseId: id('Returns only interactions about this case.').orNull(),
        queueId: id('Returns only interactions of this queue. Only for the bank.').orNull(),
        agentId: id('Returns only interactions of this agent. Only for the bank.').orNull(),
        status: oneOf(InteractionStatus, 'Returns only interactions with this status.').orNull(),
      },
      list: listInteractions,
      sortKey: interactionTable.sortKey,
    }),
    previewRouting: operation({
      description:
        'Returns how a contact or task would be routed if it arrived now. Nothing is stored.',
      scope: 'routing:read',
      isForBankOnly: true,
      returns: Decision,
      args: { input: object(PreviewRoutingInput, 'The contact or task to route.') },
      resolve: (context, { input }) => commands.previewRouting(context, input),
    }),
  },
  mutations: {
    logInteraction: operation({
      description: 'Records a contact that is already over.',
      scope: 'cases:write',
      isForBankOnly: true,
      returns: Interaction,
      args: { input: object(LogInteractionInput, 'The contact to record.') },
      resolve: (context, { input }) => commands.logInteraction(context, input),
    }),
    routeInteraction: operation({
      description:
        'Accepts a contact or task and routes it to an agent, or to a queue if no agent is free. ' +
        'Calls and chats are rejected while their channel is closed.',
      scope: 'cases:write',
      returns: Interaction,
      args: { input: object(RouteInteractionInput, 'The contact or task to route.') },
      resolve: (context, { input }) => commands.routeInteraction(context, input),
    }),
    linkInteractionToCase: operation({
      description: 'Links an interaction to the case it is about.',
      scope: 'cases:write',
      isForBankOnly: true,
      returns: Interaction,
      args: {
        interactionId: id('The ID of the interaction.'),
        caseId: id('The ID of the case.'),
      },
      resolve: commands.linkToCase,
    }),
    ...transitionsOf(interactionStates, commands.changeInteraction),
  },
})

@Resolver(() => Interaction)
export class InteractionResolver {
  @FieldResolver(() => Party, {
    nullable: true,
    description: 'The party in contact with the bank; null if the interaction concerns no party.',
  })
  party(@Root() { partyId }: Interaction): Party | null {
    return partyId === null ? null : { partyId }
  }

  @FieldResolver(() => Case, {
    nullable: true,
    description: 'The case the interaction is about; null if it is about none.',
  })
  case(@Root() { caseId }: Interaction): Case | null {
    return caseId === null ? null : { caseId }
  }

  @Requires('routing:read')
  @FieldResolver(() => Agent, {
    nullable: true,
    description:
      'The agent who handles or handled the interaction; null if no agent is assigned, and for ' +
      'delegated users.',
  })
  agent(@Root() { agentId }: Interaction, @Ctx() context: Context) {
    return agentId === null || !isBank(context) ? null : agentTable.load(context, agentId)
  }

  @Requires('routing:read')
  @FieldResolver(() => RoutingQueue, {
    nullable: true,
    description:
      'The queue in which the interaction waits, or from which it was taken; null if there is ' +
      'none, and for delegated users.',
  })
  queue(@Root() { queueId }: Interaction, @Ctx() context: Context) {
    return queueId === null || !isBank(context) ? null : queueTable.load(context, queueId)
  }
}

const isBank = ({ caller }: Context) => caller.partyId === null

@Resolver(() => Party)
export class PartyInteractionsResolver {
  @Requires('cases:read')
  @FieldResolver(() => connectionOf(Interaction), {
    nullable: true,
    description: 'The interactions with the party, oldest first.',
  })
  interactions(
    @Root() { partyId }: Party,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Interaction>> {
    return interactionPage(context, { partyId, caseId: null }, { first, after })
  }
}

@Resolver(() => Case)
export class CaseInteractionsResolver {
  @Requires('cases:read')
  @FieldResolver(() => connectionOf(Interaction), {
    nullable: true,
    description: 'The interactions about the case, oldest first.',
  })
  interactions(
    @Root() { caseId }: Case,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Interaction>> {
    return interactionPage(context, { partyId: null, caseId }, { first, after })
  }
}

/** Returns one page of the interactions of a party or a case. */
function interactionPage(
  context: Context,
  filter: { partyId: string | null; caseId: string | null },
  page: PageRequest,
): Promise<Page<Interaction>> {
  const any = { queueId: null, agentId: null, status: null }
  return readPage(
    context,
    'interactions',
    filter,
    page,
    (after, take) => listInteractions(context, { ...any, ...filter }, after, take),
    interactionTable.sortKey,
  )
}
