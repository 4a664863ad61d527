import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { maySee, Requires, requireVisible } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { filterSubject } from '../../_kernel/domain/filter-value.ts'
import { readPage, type Page, type PageAsked } from '../../_kernel/graph/connection.ts'
import { TextScalar } from '../../_kernel/scalars.ts'
import * as commands from '../case-commands.ts'
import { ownersOf, type Case as Domain, type CaseStatus } from '../domain/case.ts'
import type { Entry } from '../domain/timeline.ts'
import { caseTable, listCases, listEntries, loadCase, type CaseFilter } from '../store/case.ts'
import {
  Case,
  CaseClock,
  CaseConnection,
  CaseEntry,
  CaseEntryConnection,
  CaseStatusEnum,
  OpenCaseInput,
} from './case.types.ts'
import { AgentStub, Party, RoutingQueueStub } from './stubs.types.ts'

@Resolver(() => Case)
export class CaseResolver {
  @Requires('cases:read')
  @Query(() => Case, { description: 'One case.' })
  async case(@Arg('caseId', () => ID) caseId: string, @Ctx() context: Context) {
    const found = await loadCase(context, caseId)
    return requireVisible(context, found, ownersOf, 'CASE_NOT_FOUND', caseId)
  }

  @Requires('cases:read')
  @Query(() => CaseConnection, { description: 'Cases in the order they were opened.' })
  cases(
    @Arg('partyId', () => ID, { nullable: true }) partyId: string | null,
    @Arg('status', () => CaseStatusEnum, { nullable: true }) status: CaseStatus | null,
    @Arg('assigneeId', () => ID, { nullable: true }) assigneeId: string | null,
    @Arg('subject', () => String, {
      nullable: true,
      description: 'What they are about: `hardship-request/hrd_1`.',
    })
    subject: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return casePage(context, { partyId, status, assigneeId, subject }, { first, after })
  }

  @FieldResolver(() => CaseClock)
  clock(@Root() about: Domain, @Ctx() context: Context): CaseClock {
    const { dueAt, breachedAt } = about
    const leftMs = dueAt && dueAt.getTime() - context.now().getTime()
    const remainingSeconds = leftMs === null ? about.remainingSeconds : Math.floor(leftMs / 1000)
    return { isRunning: dueAt !== null, dueAt, remainingSeconds, breachedAt }
  }

  @Requires('cases:read')
  @FieldResolver(() => CaseEntryConnection, {
    description: 'What happened, in order; a delegated user reads what is shared.',
  })
  timeline(
    @Root() { caseId }: Domain,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Entry>> {
    return readPage(
      context,
      'caseTimeline',
      { caseId },
      { first, after },
      (from, take) => listEntries(context, caseId, from, take),
      ({ number }) => [String(number)],
    )
  }

  @FieldResolver(() => Party, { nullable: true })
  party(@Root() { partyId }: Domain): Party | null {
    return partyId === null ? null : { partyId }
  }

  @FieldResolver(() => AgentStub, { nullable: true, description: 'Who has it.' })
  assignee(@Root() { assigneeId }: Domain): AgentStub | null {
    return assigneeId === null ? null : { agentId: assigneeId }
  }

  @FieldResolver(() => RoutingQueueStub, { nullable: true, description: 'Where it waits.' })
  queue(@Root() { queueId }: Domain): RoutingQueueStub | null {
    return queueId === null ? null : { queueId }
  }
}

@Resolver(() => CaseEntry)
export class CaseEntryResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Who did it; null to delegated users where it was not them.',
  })
  by(@Root() { by }: Entry, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null || caller.subject === by ? by : null
  }
}

/** What can be done to a case. */
@Resolver(() => Case)
export class CaseActsResolver {
  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Opens a case; its clock runs from now.' })
  openCase(
    @Arg('input', () => OpenCaseInput) input: OpenCaseInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.openCase(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Takes a case in hand.' })
  startCase(@Arg('caseId', () => ID) caseId: string, @Ctx() context: Context): Promise<Domain> {
    return commands.actOnCase(context, 'startCase', 'start', { caseId, text: null })
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Waits for the customer; the clock stands.' })
  waitForCustomer(
    @Arg('caseId', () => ID) caseId: string,
    @Arg('question', () => TextScalar, { nullable: true }) question: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { caseId, text: question ?? null }
    return commands.actOnCase(context, 'waitForCustomer', 'waitForCustomer', input)
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Waits no more; the clock runs on.' })
  resumeCase(@Arg('caseId', () => ID) caseId: string, @Ctx() context: Context): Promise<Domain> {
    return commands.actOnCase(context, 'resumeCase', 'resume', { caseId, text: null })
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Records the outcome; the clock stands.' })
  resolveCase(
    @Arg('caseId', () => ID) caseId: string,
    @Arg('outcome', () => TextScalar) outcome: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.actOnCase(context, 'resolveCase', 'resolve', { caseId, text: outcome })
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Takes a resolved case up again; the clock runs on.' })
  reopenCase(
    @Arg('caseId', () => ID) caseId: string,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.actOnCase(context, 'reopenCase', 'reopen', { caseId, text: reason ?? null })
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Ends a resolved case.' })
  closeCase(@Arg('caseId', () => ID) caseId: string, @Ctx() context: Context): Promise<Domain> {
    return commands.actOnCase(context, 'closeCase', 'close', { caseId, text: null })
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Gives a case up.' })
  withdrawCase(
    @Arg('caseId', () => ID) caseId: string,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.actOnCase(context, 'withdrawCase', 'withdraw', { caseId, text: reason ?? null })
  }

  @Requires('cases:write')
  @Mutation(() => Case, {
    description: 'Gives a case to somebody, or sends it to a routing profile to find somebody.',
  })
  assignCase(
    @Arg('caseId', () => ID) caseId: string,
    @Arg('agentId', () => ID, { nullable: true }) agentId: string | null,
    @Arg('routingProfileId', () => ID, { nullable: true }) routingProfileId: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { caseId, agentId: agentId ?? null, routingProfileId: routingProfileId ?? null }
    return commands.assignCase(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Case, {
    description: 'Adds a note. What a customer writes resumes a case that waited for them.',
  })
  addCaseNote(
    @Arg('caseId', () => ID) caseId: string,
    @Arg('text', () => TextScalar) text: string,
    @Arg('isShared', () => Boolean, {
      defaultValue: false,
      description: 'The party may read it; always so for what they write.',
    })
    isShared: boolean,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.addNote(context, { caseId, text, isShared })
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Says what else a case is about.' })
  linkCase(
    @Arg('caseId', () => ID) caseId: string,
    @Arg('subject', () => String, { description: '`<entity>/<id>`.' }) subject: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.linkCase(context, { caseId, subject })
  }
}

@Resolver(() => Party)
export class PartyCasesResolver {
  @Requires('cases:read')
  @FieldResolver(() => CaseConnection, { nullable: true })
  cases(
    @Root() { partyId }: Party,
    @Arg('status', () => CaseStatusEnum, { nullable: true }) status: CaseStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return casePage(context, { partyId, status }, { first, after })
  }
}

/** One page under the caller's own rights. */
function casePage(
  context: Context,
  asked: Partial<CaseFilter>,
  page: PageAsked,
): Promise<Page<Domain>> {
  const filter: CaseFilter = {
    partyId: asked.partyId ?? context.caller.partyId,
    status: asked.status ?? null,
    assigneeId: asked.assigneeId ?? null,
    subject: filterSubject(asked.subject, '/subject'),
  }
  const isMine = maySee(context.caller, [filter.partyId])
  return readPage(
    context,
    'cases',
    { ...filter },
    page,
    async (after, take) => (isMine ? listCases(context, filter, after, take) : []),
    caseTable.sortKey,
  )
}
