import {
  FeeRunCounts,
  FeeRun,
  FeeRunConnection,
  FeeRunItem,
  FeeRunItemConnection,
  StartFeeRunInput,
} from '../model/fee-run.ts'
import { FeeRunStatus, FeeOutcome } from '../model/enumerations.ts'
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
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { filterDescription, filterValue } from '../../../kernel/domain/filter-value.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import type * as domain from '../domain/fee-run.ts'
import type * as item from '../domain/fee-run-item.ts'
import type * as receivable from '../domain/fee-receivable.ts'
import { resumeFeeRun, reverseFeeRun, startFeeRun } from '../commands/fee-run.ts'
import { findVisibleReceivable } from '../store/fee-receivable.ts'
import { listRuns, loadRun } from '../store/fee-run.ts'
import { listItems } from '../store/fee-run-item.ts'
import { FeeReceivable } from '../model/fee-receivable.ts'
import { AccountArrangementStub, PostingInstructionStub } from '../model/references.ts'

@Resolver(() => FeeRun)
export class FeeRunResolver {
  @Requires('fees:read')
  @Query(() => FeeRun, { nullable: true, description: 'Returns one fee run.' })
  async feeRun(
    @Arg('feeRunId', () => ID, { description: 'The ID of the fee run.' }) feeRunId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeRun> {
    const run = await loadRun(context, feeRunId)
    if (run) return run
    throw new Problem('FEE_RUN_NOT_FOUND', { resourceId: feeRunId })
  }

  @Requires('fees:read')
  @Query(() => FeeRunConnection, {
    description:
      'Returns fee runs in the order in which they were requested. All filters must match.',
  })
  feeRuns(
    @Arg('status', () => String, {
      nullable: true,
      description: filterDescription('Returns only runs in this state', FeeRunStatus.values),
    })
    status: string | null,
    @Arg('productId', () => ID, {
      nullable: true,
      description: 'Returns only runs of this product.',
    })
    productId: string | null,
    @Arg('feeCode', () => LabelScalar, {
      nullable: true,
      description: 'Returns only runs of this fee.',
    })
    feeCode: string | null,
    @Arg('from', () => LocalDateScalar, {
      nullable: true,
      description: 'Returns only runs that were requested on or after this business date.',
    })
    from: string | null,
    @Arg('to', () => LocalDateScalar, {
      nullable: true,
      description: 'Returns only runs that were requested on or before this business date.',
    })
    to: string | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.FeeRun>> {
    const filter = {
      status: filterValue(status, FeeRunStatus.values, '/status'),
      productId: productId ?? null,
      feeCode: feeCode ?? null,
      from: from ?? null,
      to: to ?? null,
    }
    return readPage(
      context,
      'feeRuns',
      filter,
      { first, after },
      (cursor, take) => listRuns(context, filter, cursor, take),
      ({ createdAt, feeRunId }) => [createdAt.toISOString(), feeRunId],
    )
  }

  @Requires('fees:run')
  @Mutation(() => FeeRun, {
    description:
      'Starts a fee run, which charges a fee of a product for one period to the accounts of ' +
      'the product. The run is processed asynchronously. Accounts already charged for the ' +
      'period are skipped.',
  })
  startFeeRun(
    @Arg('input', () => StartFeeRunInput, { description: 'The fee run to start.' })
    input: StartFeeRunInput,
    @Ctx() context: Context,
  ): Promise<domain.FeeRun> {
    return startFeeRun(context, input)
  }

  @Requires('fees:run')
  @Mutation(() => FeeRun, {
    description:
      'Starts a fee run that reverses all charges of a completed fee run, and returns the new ' +
      'run. The new run is processed asynchronously.',
  })
  reverseFeeRun(
    @Arg('feeRunId', () => ID, { description: 'The ID of the completed fee run.' })
    feeRunId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeRun> {
    return reverseFeeRun(context, feeRunId)
  }

  @Requires('fees:run')
  @Mutation(() => FeeRun, {
    description: 'Resumes a failed fee run from the page of accounts at which it stopped.',
  })
  resumeFeeRun(
    @Arg('feeRunId', () => ID, { description: 'The ID of the failed fee run.' })
    feeRunId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeRun> {
    return resumeFeeRun(context, feeRunId)
  }

  @FieldResolver(() => FeeRunCounts, {
    description: 'The number of accounts processed so far, in total and by outcome.',
  })
  counts(@Root() run: domain.FeeRun): FeeRunCounts {
    const { selected, charged, waived, skipped, failed } = run
    return { selected, charged, waived, skipped, failed }
  }

  @FieldResolver(() => [MoneyType], {
    description:
      'The total amounts charged, one per currency. Negative amounts are refunds made by a ' +
      'reversal.',
  })
  totals(@Root() { totals }: domain.FeeRun): MoneyType[] {
    return totals.map(moneyOut)
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the run computes the fees without charging them.',
  })
  dryRun(@Root() { isDryRun }: domain.FeeRun): boolean {
    return isDryRun
  }

  @FieldResolver(() => FeeRunItemConnection, {
    description: 'The outcomes for the accounts, in the order of the account IDs.',
  })
  items(
    @Root() { feeRunId }: domain.FeeRun,
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
  ): Promise<Page<item.FeeRunItem>> {
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
  arrangement(@Root() { arrangementId }: item.FeeRunItem): AccountArrangementStub {
    return { arrangementId }
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'The amount of the fee, whether it was charged, waived, rejected or reversed; null if a ' +
      'run that charges fees skipped the account.',
  })
  amount(@Root() { amountMinor, currency }: item.FeeRunItem): MoneyType | null {
    return amountMinor === null ? null : moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description:
      'The posting of the charge or, in a reversal, the posting that reverses the charge, even ' +
      'if it was rejected; null if there is none.',
  })
  postingInstruction(@Root() { postingInstructionId }: item.FeeRunItem) {
    return postingInstructionId === null ? null : { postingInstructionId }
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description:
      'The posting with which a fee run reversed the charge; null if no fee run reversed it, for ' +
      'example because it had already been reversed by hand.',
  })
  reversedBy(@Root() { reversedByPostingId }: item.FeeRunItem) {
    return reversedByPostingId === null ? null : { postingInstructionId: reversedByPostingId }
  }

  @FieldResolver(() => FeeReceivable, {
    nullable: true,
    description:
      'The receivable for a fee that the account could not pay when it was charged; null if the ' +
      'fee did not become a receivable.',
  })
  receivable(
    @Root() { feeReceivableId }: item.FeeRunItem,
    @Ctx() context: Context,
  ): Promise<receivable.FeeReceivable | null> | null {
    return feeReceivableId === null ? null : findVisibleReceivable(context, feeReceivableId)
  }
}
