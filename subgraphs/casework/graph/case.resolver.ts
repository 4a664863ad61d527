import { Entry, Case, CaseClock, CaseConnection, CaseEntryConnection } from '../model/case.ts'
import { CaseStatus } from '../model/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { maySee, Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { filterSubject } from '../../../kernel/domain/filter-value.ts'
import {
  AfterArg,
  FirstArg,
  readPage,
  type Page,
  type PageRequest,
} from '../../../kernel/graph/connection.ts'
import { ownersOf, type Case as Domain } from '../domain/case.ts'
import { caseTable, listCases, listEntries, loadCase, type CaseFilter } from '../store/case.ts'
import { AgentStub, Party, RoutingQueueStub } from '../model/references.ts'

@Resolver(() => Case)
export class CaseResolver {
  @Requires('cases:read')
  @Query(() => Case, { description: 'Returns a case.' })
  async case(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadCase(context, caseId)
    return requireVisible(context, found, ownersOf, 'CASE_NOT_FOUND', caseId)
  }

  @Requires('cases:read')
  @Query(() => CaseConnection, {
    description:
      'Returns cases in the order in which they were opened. Delegated users get only cases of ' +
      'their own.',
  })
  cases(
    @Arg('partyId', () => ID, {
      nullable: true,
      description: 'Returns only cases that concern this party.',
    })
    partyId: string | null,
    @Arg('status', () => CaseStatus, {
      nullable: true,
      description: 'Returns only cases with this status.',
    })
    status: CaseStatus | null,
    @Arg('assigneeId', () => ID, {
      nullable: true,
      description: 'Returns only cases that are assigned to this agent.',
    })
    assigneeId: string | null,
    @Arg('subject', () => String, {
      nullable: true,
      description: 'Returns only cases about this record, such as `hardship-request/hrd_1`.',
    })
    subject: string | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return casePage(context, { partyId, status, assigneeId, subject }, { first, after })
  }

  @FieldResolver(() => CaseClock, {
    description: 'The time the bank has left to resolve the case.',
  })
  clock(@Root() caseRecord: Domain, @Ctx() context: Context): CaseClock {
    const { dueAt, breachedAt } = caseRecord
    const remainingMs = dueAt && dueAt.getTime() - context.now().getTime()
    const remainingSeconds =
      remainingMs === null ? caseRecord.remainingSeconds : Math.floor(remainingMs / 1000)
    return { isRunning: dueAt !== null, dueAt, remainingSeconds, breachedAt }
  }

  @Requires('cases:read')
  @FieldResolver(() => CaseEntryConnection, {
    description:
      'The history of the case, oldest entry first. Delegated users get only the entries that ' +
      'are shared with them.',
  })
  timeline(
    @Root() { caseId }: Domain,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
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

  @FieldResolver(() => Party, {
    nullable: true,
    description: 'The party the case concerns; null if it concerns none.',
  })
  party(@Root() { partyId }: Domain): Party | null {
    return partyId === null ? null : { partyId }
  }

  @FieldResolver(() => AgentStub, {
    nullable: true,
    description: 'The agent who works on the case; null if it is unassigned.',
  })
  assignee(@Root() { assigneeId }: Domain): AgentStub | null {
    return assigneeId === null ? null : { agentId: assigneeId }
  }

  @FieldResolver(() => RoutingQueueStub, {
    nullable: true,
    description:
      'The queue in which the case waits, or from which its agent took it; null if the case was ' +
      'not queued.',
  })
  queue(@Root() { queueId }: Domain): RoutingQueueStub | null {
    return queueId === null ? null : { queueId }
  }
}

@Resolver(() => Entry)
export class CaseEntryResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The user or client who made the entry. For delegated users, null unless they made the ' +
      'entry themselves.',
  })
  by(@Root() { by }: Entry, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null || caller.subject === by ? by : null
  }
}

@Resolver(() => Party)
export class PartyCasesResolver {
  @Requires('cases:read')
  @FieldResolver(() => CaseConnection, {
    nullable: true,
    description: 'The cases that concern the party, in the order in which they were opened.',
  })
  cases(
    @Root() { partyId }: Party,
    @Arg('status', () => CaseStatus, {
      nullable: true,
      description: 'Returns only cases with this status.',
    })
    status: CaseStatus | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return casePage(context, { partyId, status }, { first, after })
  }
}

/** Returns one page of the cases that the caller may read. */
function casePage(
  context: Context,
  request: Partial<CaseFilter>,
  page: PageRequest,
): Promise<Page<Domain>> {
  const filter: CaseFilter = {
    partyId: request.partyId ?? context.caller.partyId,
    status: request.status ?? null,
    assigneeId: request.assigneeId ?? null,
    subject: filterSubject(request.subject, '/subject'),
  }
  const isVisible = maySee(context.caller, [filter.partyId])
  return readPage(
    context,
    'cases',
    { ...filter },
    page,
    async (after, take) => (isVisible ? listCases(context, filter, after, take) : []),
    caseTable.sortKey,
  )
}
