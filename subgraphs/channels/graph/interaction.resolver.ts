import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { maySee, requireBank, Requires, requireVisible } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage, type Page, type PageAsked } from '../../_kernel/graph/connection.ts'
import { TextScalar } from '../../_kernel/scalars.ts'
import type { Interaction as Domain } from '../domain/interaction.ts'
import type { Decision } from '../domain/routing.ts'
import * as commands from '../interaction-commands.ts'
import { interactionTable, loadInteraction, ownersOf } from '../store/interaction.ts'
import { agentTable, queueTable } from '../store/setup.ts'
import {
  Interaction,
  InteractionConnection,
  LogInteractionInput,
  PreviewRoutingInput,
  RouteInteractionInput,
  RoutingDecision,
} from './interaction.types.ts'
import { Agent, RoutingQueue } from './setup.types.ts'
import { Case, Party } from './stubs.types.ts'

@Resolver(() => Interaction)
export class InteractionResolver {
  @Requires('cases:read')
  @Query(() => Interaction, { description: 'One contact or task.' })
  async interaction(
    @Arg('interactionId', () => ID) interactionId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadInteraction(context, interactionId)
    return requireVisible(context, found, ownersOf, 'INTERACTION_NOT_FOUND', interactionId)
  }

  @Requires('cases:read')
  @Query(() => InteractionConnection, { description: 'Contacts and tasks, the oldest first.' })
  interactions(
    @Arg('partyId', () => ID, { nullable: true }) partyId: string | null,
    @Arg('caseId', () => ID, { nullable: true }) caseId: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return interactionPage(context, { partyId, caseId }, { first, after })
  }

  @Requires('routing:read')
  @Query(() => RoutingDecision, {
    description: 'Where a contact would go if it came in now; nothing is stored.',
  })
  previewRouting(
    @Arg('input', () => PreviewRoutingInput) input: PreviewRoutingInput,
    @Ctx() context: Context,
  ): Promise<Decision> {
    requireBank(context)
    return commands.previewRouting(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, { description: 'Records a contact that is over.' })
  logInteraction(
    @Arg('input', () => LogInteractionInput) input: LogInteractionInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.logInteraction(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, {
    description: 'Takes a contact or a task in, and gives it to somebody; else it waits.',
  })
  routeInteraction(
    @Arg('input', () => RouteInteractionInput) input: RouteInteractionInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.routeInteraction(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, { description: 'Gives it back, for somebody else.' })
  requeueInteraction(
    @Arg('interactionId', () => ID) interactionId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.requeueInteraction(context, interactionId)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, { description: 'Records that it is done, and what was said.' })
  completeInteraction(
    @Arg('interactionId', () => ID) interactionId: string,
    @Arg('notes', () => TextScalar, { nullable: true }) notes: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.completeInteraction(context, { interactionId, notes: notes ?? null })
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, { description: 'Records that nobody waits any more.' })
  abandonInteraction(
    @Arg('interactionId', () => ID) interactionId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.abandonInteraction(context, interactionId)
  }

  @Requires('cases:write')
  @Mutation(() => Interaction, { description: 'Says which case a contact is about.' })
  linkInteractionToCase(
    @Arg('interactionId', () => ID) interactionId: string,
    @Arg('caseId', () => ID) caseId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.linkToCase(context, { interactionId, caseId })
  }

  @FieldResolver(() => Party, { nullable: true })
  party(@Root() { partyId }: Domain): Party | null {
    return partyId === null ? null : { partyId }
  }

  @FieldResolver(() => Case, { nullable: true })
  case(@Root() { caseId }: Domain): Case | null {
    return caseId === null ? null : { caseId }
  }

  @Requires('routing:read')
  @FieldResolver(() => Agent, { nullable: true, description: 'Null for delegated users.' })
  agent(@Root() { agentId }: Domain, @Ctx() context: Context) {
    return agentId === null || !isBank(context) ? null : agentTable.load(context, agentId)
  }

  @Requires('routing:read')
  @FieldResolver(() => RoutingQueue, { nullable: true, description: 'Null for delegated users.' })
  queue(@Root() { queueId }: Domain, @Ctx() context: Context) {
    return queueId === null || !isBank(context) ? null : queueTable.load(context, queueId)
  }

  @FieldResolver(() => RoutingDecision, {
    nullable: true,
    description: 'Why it is where it is; null for delegated users.',
  })
  decision(@Root() { decision }: Domain, @Ctx() context: Context): Decision | null {
    return isBank(context) ? decision : null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'What was said; null for delegated users.',
  })
  notes(@Root() { notes }: Domain, @Ctx() context: Context): string | null {
    return isBank(context) ? notes : null
  }
}

const isBank = ({ caller }: Context) => caller.partyId === null

const paged = { nullable: true, description: 'The oldest first.' }

@Resolver(() => Party)
export class PartyInteractionsResolver {
  @Requires('cases:read')
  @FieldResolver(() => InteractionConnection, paged)
  interactions(
    @Root() { partyId }: Party,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return interactionPage(context, { partyId, caseId: null }, { first, after })
  }
}

@Resolver(() => Case)
export class CaseInteractionsResolver {
  @Requires('cases:read')
  @FieldResolver(() => InteractionConnection, paged)
  interactions(
    @Root() { caseId }: Case,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return interactionPage(context, { partyId: null, caseId }, { first, after })
  }
}

/** One page under the caller's own rights: a delegated user sees their own, whatever is asked for. */
function interactionPage(
  context: Context,
  asked: { partyId?: string | null; caseId?: string | null },
  page: PageAsked,
): Promise<Page<Domain>> {
  const partyId = asked.partyId ?? context.caller.partyId
  const caseId = asked.caseId ?? null
  const filter = { ...(partyId && { partyId }), ...(caseId && { caseId }) }
  const isMine = maySee(context.caller, [partyId])
  return readPage(
    context,
    'interactions',
    { partyId, caseId },
    page,
    async (after, take) => (isMine ? interactionTable.list(context, filter, after, take) : []),
    interactionTable.sortKey,
  )
}
