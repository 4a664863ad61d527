import { requireFound } from '../../../kernel/authorization/auth.ts'
import { connectionOf, date, id, label, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { textFilter, withTextFilter } from '../../../kernel/graph/text-filter.ts'
import { resumeFeeRun, reverseFeeRun, startFeeRun } from '../commands/fee-run.ts'
import { FeeOutcome, FeeRunStatus } from '../model/enumerations.ts'
import { FeeReceivable } from '../model/fee-receivable.ts'
import { FeeRun, FeeRunCounts, FeeRunItem, StartFeeRunInput } from '../model/fee-run.ts'
import { AccountArrangementStub, PostingInstructionStub } from '../model/references.ts'
import { loadReceivable } from '../store/fee-receivable.ts'
import { listRuns, loadRun } from '../store/fee-run.ts'
import { listItems } from '../store/fee-run-item.ts'

const feeRuns = withTextFilter(
  listing(FeeRun, {
    description:
      'Returns fee runs in the order in which they were requested. All filters must match.',
    scope: 'fees:read',
    filters: {
      status: textFilter('Returns only runs in this state', FeeRunStatus),
      productId: id('Returns only runs of this product.').orNull(),
      feeCode: label('Returns only runs of this fee.').orNull(),
      from: date('Returns only runs that were requested on or after this business date.').orNull(),
      to: date('Returns only runs that were requested on or before this business date.').orNull(),
    },
    list: listRuns,
    sortKey: ({ createdAt, feeRunId }) => [createdAt.toISOString(), feeRunId],
  }),
  'status',
  FeeRunStatus,
)

export const FeeRunOperations = resolverOf({
  queries: {
    feeRun: lookup(FeeRun, {
      description: 'Returns one fee run.',
      scope: 'fees:read',
      find: async (context, id) =>
        requireFound(await loadRun(context, id), 'FEE_RUN_NOT_FOUND', id),
    }),
    feeRuns,
  },
  mutations: {
    startFeeRun: operation({
      description:
        'Starts a fee run, which charges a fee of a product for one period to the accounts of ' +
        'the product. The run is processed asynchronously. Accounts already charged for the ' +
        'period are skipped.',
      scope: 'fees:run',
      returns: FeeRun,
      args: { input: object(StartFeeRunInput, 'The fee run to start.') },
      resolve: (context, { input }) => startFeeRun(context, input),
    }),
    reverseFeeRun: operation({
      description:
        'Starts a fee run that reverses all charges of a completed fee run, and returns the new ' +
        'run. The new run is processed asynchronously.',
      scope: 'fees:run',
      needsPerson: true,
      returns: FeeRun,
      args: { feeRunId: id('The ID of the completed fee run.') },
      resolve: (context, { feeRunId }) => reverseFeeRun(context, feeRunId),
    }),
    resumeFeeRun: operation({
      description: 'Resumes a failed fee run from the page of accounts at which it stopped.',
      scope: 'fees:run',
      returns: FeeRun,
      args: { feeRunId: id('The ID of the failed fee run.') },
      resolve: (context, { feeRunId }) => resumeFeeRun(context, feeRunId),
    }),
  },
})

@Resolver(() => FeeRun)
export class FeeRunResolver {
  @FieldResolver(() => FeeRunCounts, {
    description: 'The number of accounts processed so far, in total and by outcome.',
  })
  counts(@Root() run: FeeRun): FeeRunCounts {
    return run
  }

  @FieldResolver(() => [MoneyType], {
    description:
      'The total amounts charged, one per currency. Negative amounts are refunds made by a ' +
      'reversal.',
  })
  totals(@Root() { totals }: FeeRun): MoneyType[] {
    return totals.map(moneyOut)
  }

  @FieldResolver(() => connectionOf(FeeRunItem), {
    description: 'The outcomes for the accounts, in the order of the account IDs.',
  })
  items(
    @Root() { feeRunId }: FeeRun,
    @Arg('outcome', () => FeeOutcome, {
      nullable: true,
      description: 'Returns only items with this outcome.',
    })
    outcome: FeeOutcome | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<FeeRunItem>> {
    return readPage(
      context,
      'feeRunItems',
      { feeRunId, outcome: outcome ?? null },
      { first, after },
      (cursor, take) => listItems(context, feeRunId, outcome ?? null, cursor?.[0] ?? null, take),
      ({ arrangementId }) => [arrangementId],
    )
  }
}

@Resolver(() => FeeRunItem)
export class FeeRunItemResolver {
  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account for which the fee run has this outcome.',
  })
  arrangement(@Root() { arrangementId }: FeeRunItem): AccountArrangementStub {
    return { arrangementId }
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'The amount of the fee, whether it was charged, waived, rejected or reversed; null if a ' +
      'run that charges fees skipped the account.',
  })
  amount(@Root() { amountMinor, currency }: FeeRunItem): MoneyType | null {
    return amountMinor === null ? null : moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description:
      'The posting of the charge or, in a reversal, the posting that reverses the charge, even ' +
      'if it was rejected; null if there is none.',
  })
  postingInstruction(@Root() { postingInstructionId }: FeeRunItem) {
    return postingInstructionId === null ? null : { postingInstructionId }
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description:
      'The posting with which a fee run reversed the charge; null if no fee run reversed it, for ' +
      'example because it had already been reversed by hand.',
  })
  reversedBy(@Root() { reversedByPostingId }: FeeRunItem) {
    return reversedByPostingId === null ? null : { postingInstructionId: reversedByPostingId }
  }

  @FieldResolver(() => FeeReceivable, {
    nullable: true,
    description:
      'The receivable for a fee that the account could not pay when it was charged; null if the ' +
      'fee did not become a receivable.',
  })
  receivable(
    @Root() { feeReceivableId }: FeeRunItem,
    @Ctx() context: Context,
  ): Promise<FeeReceivable | null> | null {
    return feeReceivableId === null ? null : loadReceivable(context, feeReceivableId)
  }
}
