import { Decision } from '../model/routing-decision.ts'
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
import {
  maySee,
  requireBank,
  Requires,
  requireVisible,
} from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  AfterArg,
  FirstArg,
  readPage,
  type Page,
  type PageRequest,
} from '../../../kernel/graph/connection.ts'
import { TextScalar } from '../../../kernel/graph/scalars.ts'
import type { Interaction as Domain } from '../domain/interaction.ts'
import * as commands from '../commands/interaction.ts'
import { interactionTable, loadInteraction, ownersOf } from '../store/interaction.ts'
import { agentTable, queueTable } from '../store/setup.ts'
import {
  Interaction,
  InteractionConnection,
  LogInteractionInput,
  PreviewRoutingInput,
  RouteInteractionInput,
} from '../model/interaction.ts'
import { RoutingQueue } from '../model/setup.ts'
import { Agent } from '../model/agent.ts'
import { Case, Party } from '../model/references.ts'

@Resolver(() => Interaction)
export class InteractionResolver {
  @Requires('cases:read')
  @Query(() => Interaction, { description: 'Returns an interaction.' })
  async interaction(
    @Arg('interactionId', () => ID, { description: 'The ID of the interaction.' })
    interactionId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadInteraction(context, interactionId)
    return requireVisible(context, found, ownersOf, 'INTERACTION_NOT_FOUND', interactionId)
  }

  @Requires('cases:read')
  @Query(() => InteractionConnection, {
    description:
      'Returns interactions, oldest first. Delegated users get only interactions of their own.',
  })
  interactions(
    @Arg('partyId', () => ID, {
      nullable: true,
      description: 'Returns only interactions with this party.',
    })
    partyId: string | null,
    @Arg('caseId', () => ID, {
      nullable: true,
      description: 'Returns only interactions about this case.',
    })
    caseId: string | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return interactionPage(context, { partyId, caseId }, { first, after })
  }

  @Requires('routing:read')
  @Query(() => Decision, {
    description:
      'Returns how a contact or task would be routed if it arrived now. Nothing is stored.',
  })
  previewRouting(
    @Arg('input', () => PreviewRoutingInput, { description: 'The contact or task to route.' })
    input: PreviewRoutingInput,
    @Ctx() context: Context,
  ): Promise<Decision> {
    requireBank(context)
    return commands.previewRouting(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, { description: 'Records a contact that is already over.' })
  logInteraction(
    @Arg('input', () => LogInteractionInput, { description: 'The contact to record.' })
    input: LogInteractionInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.logInteraction(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, {
    description:
      'Accepts a contact or task and routes it to an agent, or to a queue if no agent is free. ' +
      'Calls and chats are rejected while their channel is closed.',
  })
  routeInteraction(
    @Arg('input', () => RouteInteractionInput, { description: 'The contact or task to route.' })
    input: RouteInteractionInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.routeInteraction(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, {
    description: 'Puts an assigned interaction back into its queue.',
  })
  requeueInteraction(
    @Arg('interactionId', () => ID, { description: 'The ID of the interaction.' })
    interactionId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.requeueInteraction(context, interactionId)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, { description: 'Completes an interaction.' })
  completeInteraction(
    @Arg('interactionId', () => ID, { description: 'The ID of the interaction.' })
    interactionId: string,
    @Arg('notes', () => TextScalar, {
      nullable: true,
      description: 'Notes on what was discussed, visible only to the bank.',
    })
    notes: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.completeInteraction(context, { interactionId, notes: notes ?? null })
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, {
    description: 'Ends a waiting interaction that no longer needs an agent.',
  })
  abandonInteraction(
    @Arg('interactionId', () => ID, { description: 'The ID of the interaction.' })
    interactionId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.abandonInteraction(context, interactionId)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, { description: 'Links an interaction to the case it is about.' })
  linkInteractionToCase(
    @Arg('interactionId', () => ID, { description: 'The ID of the interaction.' })
    interactionId: string,
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.linkToCase(context, { interactionId, caseId })
  }

  @FieldResolver(() => Party, {
    nullable: true,
    description: 'The party in contact with the bank; null if the interaction concerns no party.',
  })
  party(@Root() { partyId }: Domain): Party | null {
    return partyId === null ? null : { partyId }
  }

  @FieldResolver(() => Case, {
    nullable: true,
    description: 'The case the interaction is about; null if it is about none.',
  })
  case(@Root() { caseId }: Domain): Case | null {
    return caseId === null ? null : { caseId }
  }

  @Requires('routing:read')
  @FieldResolver(() => Agent, {
    nullable: true,
    description:
      'The agent who handles or handled the interaction; null if no agent is assigned, and for ' +
      'delegated users.',
  })
  agent(@Root() { agentId }: Domain, @Ctx() context: Context) {
    return agentId === null || !isBank(context) ? null : agentTable.load(context, agentId)
  }

  @Requires('routing:read')
  @FieldResolver(() => RoutingQueue, {
    nullable: true,
    description:
      'The queue in which the interaction waits, or from which it was taken; null if there is ' +
      'none, and for delegated users.',
  })
  queue(@Root() { queueId }: Domain, @Ctx() context: Context) {
    return queueId === null || !isBank(context) ? null : queueTable.load(context, queueId)
  }

  @FieldResolver(() => Decision, {
    nullable: true,
    description:
      'The latest routing decision; null if the interaction was never routed, and for delegated ' +
      'users.',
  })
  decision(@Root() { decision }: Domain, @Ctx() context: Context): Decision | null {
    return isBank(context) ? decision : null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Notes on what was discussed; null if none were recorded, and for delegated users.',
  })
  notes(@Root() { notes }: Domain, @Ctx() context: Context): string | null {
    return isBank(context) ? notes : null
  }
}

const isBank = ({ caller }: Context) => caller.partyId === null

@Resolver(() => Party)
export class PartyInteractionsResolver {
  @Requires('cases:read')
  @FieldResolver(() => InteractionConnection, {
    nullable: true,
    description: 'The interactions with the party, oldest first.',
  })
  interactions(
    @Root() { partyId }: Party,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return interactionPage(context, { partyId, caseId: null }, { first, after })
  }
}

@Resolver(() => Case)
export class CaseInteractionsResolver {
  @Requires('cases:read')
  @FieldResolver(() => InteractionConnection, {
    nullable: true,
    description: 'The interactions about the case, oldest first.',
  })
  interactions(
    @Root() { caseId }: Case,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return interactionPage(context, { partyId: null, caseId }, { first, after })
  }
}

/** Returns one page of interactions. Delegated users get only their own interactions. */
function interactionPage(
  context: Context,
  request: { partyId?: string | null; caseId?: string | null },
  page: PageRequest,
): Promise<Page<Domain>> {
  const partyId = request.partyId ?? context.caller.partyId
  const caseId = request.caseId ?? null
  const filter = { ...(partyId && { partyId }), ...(caseId && { caseId }) }
  const isVisible = maySee(context.caller, [partyId])
  return readPage(
    context,
    'interactions',
    { partyId, caseId },
    page,
    async (after, take) => (isVisible ? interactionTable.list(context, filter, after, take) : []),
    interactionTable.sortKey,
  )
}
