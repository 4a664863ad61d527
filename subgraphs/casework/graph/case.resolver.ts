import { Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import {
  boolean,
  connectionOf,
  id,
  object,
  oneOf,
  string,
  text,
  type Fields,
} from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import {
  listing,
  lookup,
  operation,
  resolverOf,
  type Operation,
} from '../../../kernel/graph/operations.ts'
import * as commands from '../commands/case.ts'
import { ownersOf } from '../domain/case.ts'
import {
  Case,
  CaseClock,
  caseStates,
  Entry,
  OpenCaseInput,
  type CaseAction,
} from '../model/case.ts'
import { CaseStatus, CaseType } from '../model/enumerations.ts'
import { AgentStub, Party, RoutingQueueStub } from '../model/references.ts'
import { caseTable, listCases, listEntries, loadCase } from '../store/case.ts'

const caseId = id('The ID of the case.')

/** The actions that have an argument besides the case: a text for its timeline. */
const textArguments: Readonly<Partial<Record<CaseAction, Fields>>> = {
  waitForCustomer: {
    question: text('The question to the customer, who can read it in the timeline.').orNull(),
  },
  resolveCase: { outcome: text('The outcome, which the customer can read.') },
  reopenCase: { reason: text('Why the case is reopened.').orNull() },
  withdrawCase: { reason: text('Why the case is withdrawn.').orNull() },
}

function mutationOf(action: CaseAction): Operation {
  const { description, scope } = caseStates.transitions[action]
  const textArgument: Fields = textArguments[action] ?? {}
  const [textName = ''] = Object.keys(textArgument)
  return {
    description,
    scope,
    returns: Case,
    args: { caseId, ...textArgument },
    resolve: (context, args: Readonly<Record<string, string | null>>) =>
      commands.applyCaseAction(context, action, {
        caseId: args['caseId']!,
        text: args[textName] ?? null,
      }),
  }
}

const actions = Object.keys(caseStates.transitions) as CaseAction[]

export const CaseOperations = resolverOf({
  queries: {
    case: lookup(Case, {
      description: 'Returns a case.',
      scope: 'cases:read',
      find: async (context, id) =>
        requireVisible(context, await loadCase(context, id), ownersOf, 'CASE_NOT_FOUND', id),
    }),
    cases: listing(Case, {
      description:
        'Returns cases in the order in which they were opened. Delegated users get only cases of ' +
        'their own.',
      scope: 'cases:read',
      filters: {
        partyId: id('Returns only cases that concern this party.').orNull(),
        caseType: oneOf(CaseType, 'Returns only cases of this type.').orNull(),
        status: oneOf(CaseStatus, 'Returns only cases with this status.').orNull(),
        assigneeId: id('Returns only cases that are assigned to this agent.').orNull(),
        subject: string(
          'Returns only cases about this record, such as `hardship-request/hrd_1`.',
        ).orNull(),
      },
      list: listCases,
      sortKey: caseTable.sortKey,
    }),
  },
  mutations: {
    openCase: operation({
      description: 'Opens a case and starts its clock.',
      scope: 'cases:write',
      returns: Case,
      args: { input: object(OpenCaseInput, 'The case to open.') },
      resolve: (context, { input }) => commands.openCase(context, input),
    }),
    ...Object.fromEntries(actions.map((action) => [action, mutationOf(action)])),
    assignCase: operation({
      description:
        'Assigns a case to an agent, or sends it to a routing profile to find an agent. Exactly ' +
        'one of `agentId` and `routingProfileId` must be sent.',
      scope: 'cases:write',
      isForBankOnly: true,
      returns: Case,
      args: {
        caseId,
        agentId: id('The ID of the agent to assign.').orNull(),
        routingProfileId: id('The ID of the routing profile that finds an agent.').orNull(),
      },
      resolve: commands.assignCase,
    }),
    addCaseNote: operation({
      description:
        'Adds a note to a case that has not ended. A note by a customer resumes a case that waits ' +
        'for the customer.',
      scope: 'cases:write',
      returns: Case,
      args: {
        caseId,
        text: text('The text of the note.'),
        isShared: boolean(
          'Whether the customer can read the note. Always `true` for notes of delegated users.',
        ).defaultsTo(false),
      },
      resolve: commands.addNote,
    }),
    linkCase: operation({
      description:
        'Links a case to another record that the case is about. The case must not have ended.',
      scope: 'cases:write',
      isForBankOnly: true,
      returns: Case,
      args: {
        caseId,
        subject: string('The record, as `<entity>/<id>`, such as `hardship-request/hrd_1`.'),
      },
      resolve: commands.linkCase,
    }),
  },
})

@Resolver(() => Case)
export class CaseResolver {
  @FieldResolver(() => CaseClock, {
    description: 'The time the bank has left to resolve the case.',
  })
  clock(@Root() caseRecord: Case, @Ctx() context: Context): CaseClock {
    const { dueAt, breachedAt } = caseRecord
    const remainingMs = dueAt && dueAt.getTime() - context.now().getTime()
    const remainingSeconds =
      remainingMs === null ? caseRecord.remainingSeconds : Math.floor(remainingMs / 1000)
    return { isRunning: dueAt !== null, dueAt, remainingSeconds, breachedAt }
  }

  @Requires('cases:read')
  @FieldResolver(() => connectionOf(Entry), {
    description:
      'The history of the case, oldest entry first. Delegated users get only the entries that ' +
      'are shared with them.',
  })
  timeline(
    @Root() { caseId }: Case,
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
  party(@Root() { partyId }: Case): Party | null {
    return partyId === null ? null : { partyId }
  }

  @FieldResolver(() => AgentStub, {
    nullable: true,
    description: 'The agent who works on the case; null if it is unassigned.',
  })
  assignee(@Root() { assigneeId }: Case): AgentStub | null {
    return assigneeId === null ? null : { agentId: assigneeId }
  }

  @FieldResolver(() => RoutingQueueStub, {
    nullable: true,
    description:
      'The queue in which the case waits, or from which its agent took it; null if the case was ' +
      'not queued.',
  })
  queue(@Root() { queueId }: Case): RoutingQueueStub | null {
    return queueId === null ? null : { queueId }
  }
}

@Resolver(() => Party)
export class PartyCasesResolver {
  @Requires('cases:read')
  @FieldResolver(() => connectionOf(Case), {
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
  ): Promise<Page<Case>> {
    const any = { caseType: null, assigneeId: null, subject: null }
    const filter = { ...any, partyId, status: status ?? null }
    return readPage(
      context,
      'cases',
      filter,
      { first, after },
      (from, take) => listCases(context, filter, from, take),
      caseTable.sortKey,
    )
  }
}
