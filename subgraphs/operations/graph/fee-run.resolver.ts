import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { filterDescription, filterValue } from '../../_kernel/domain/filter-value.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../_kernel/graph/money.types.ts'
import { LabelScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import type * as domain from '../domain/fee-run.ts'
import { feeRunStatuses } from '../domain/fee-run.ts'
import type * as item from '../domain/fee-run-item.ts'
import { resumeFeeRun, reverseFeeRun, startFeeRun } from '../fees/commands.ts'
import { listRuns, loadRun } from '../store/fee-run.ts'
import { listItems } from '../store/fee-run-item.ts'
import {
  FeeOutcomeEnum,
  FeeRun,
  FeeRunConnection,
  FeeRunCounts,
  FeeRunItem,
  FeeRunItemConnection,
  StartFeeRunInput,
} from './fee-run.types.ts'
import { AccountArrangementStub, PostingInstructionStub } from './stubs.types.ts'

@Resolver(() => FeeRun)
export class FeeRunResolver {
  @Requires('fees:read')
  @Query(() => FeeRun, { nullable: true, description: 'One fee run.' })
  async feeRun(
    @Arg('feeRunId', () => ID) feeRunId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeRun> {
    const run = await loadRun(context, feeRunId)
    if (run) return run
    throw new Problem('FEE_RUN_NOT_FOUND', { resourceId: feeRunId })
  }

  @Requires('fees:read')
  @Query(() => FeeRunConnection, {
    description:
      'Fee runs in the order they were asked for. The other filters match exactly; ' +
      '`from` and `to` are days of business, both included.',
  })
  feeRuns(
    @Arg('status', () => String, {
      nullable: true,
      description: filterDescription('Only runs in this status', feeRunStatuses),
    })
    status: string | null,
    @Arg('productId', () => ID, { nullable: true }) productId: string | null,
    @Arg('feeCode', () => LabelScalar, { nullable: true }) feeCode: string | null,
    @Arg('from', () => LocalDateScalar, { nullable: true }) from: string | null,
    @Arg('to', () => LocalDateScalar, { nullable: true }) to: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.FeeRun>> {
    const filter = {
      status: filterValue(status, feeRunStatuses, '/status'),
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
      (since, take) => listRuns(context, filter, since, take),
      ({ createdAt, feeRunId }) => [createdAt.toISOString(), feeRunId],
    )
  }

  @Requires('fees:run')
  @Mutation(() => FeeRun, {
    description:
      'Charges a fee of a product for one period to all its accounts, in the background. Accounts ' +
      'that were charged for it before are skipped, those that failed are tried again.',
  })
  startFeeRun(
    @Arg('input', () => StartFeeRunInput) input: StartFeeRunInput,
    @Ctx() context: Context,
  ): Promise<domain.FeeRun> {
    return startFeeRun(context, input)
  }

  @Requires('fees:run')
  @Mutation(() => FeeRun, {
    description:
      'Takes back everything a run charged, in the background, and answers the run that does it.',
  })
  reverseFeeRun(
    @Arg('feeRunId', () => ID) feeRunId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeRun> {
    return reverseFeeRun(context, feeRunId)
  }

  @Requires('fees:run')
  @Mutation(() => FeeRun, { description: 'Takes up a run that failed, where it stopped.' })
  resumeFeeRun(
    @Arg('feeRunId', () => ID) feeRunId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeRun> {
    return resumeFeeRun(context, feeRunId)
  }

  @FieldResolver(() => FeeRunCounts, { description: 'While it runs, how far it is.' })
  counts(@Root() run: domain.FeeRun): FeeRunCounts {
    const { selected, charged, waived, skipped, failed } = run
    return { selected, charged, waived, skipped, failed }
  }

  @FieldResolver(() => [MoneyType], {
    description: 'What was charged, by currency; below nothing is what a reversal gave back.',
  })
  totals(@Root() { totals }: domain.FeeRun): MoneyType[] {
    return totals.map(moneyOut)
  }

  @FieldResolver(() => Boolean, { description: 'It computes, and charges nothing.' })
  dryRun(@Root() { isDryRun }: domain.FeeRun): boolean {
    return isDryRun
  }

  @FieldResolver(() => FeeRunItemConnection, {
    description: 'What became of each account, in the order of their ids.',
  })
  items(
    @Root() { feeRunId }: domain.FeeRun,
    @Arg('outcome', () => FeeOutcomeEnum, { nullable: true }) outcome: item.FeeOutcome | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<item.FeeRunItem>> {
    return readPage(
      context,
      'feeRunItems',
      { feeRunId, outcome: outcome ?? null },
      { first, after },
      (from, take) => listItems(context, feeRunId, outcome ?? null, from?.[0] ?? null, take),
      ({ arrangementId }) => [arrangementId],
    )
  }
}

@Resolver(() => FeeRunItem)
export class FeeRunItemResolver {
  @FieldResolver(() => AccountArrangementStub, { nullable: true })
  arrangement(@Root() { arrangementId }: item.FeeRunItem): AccountArrangementStub {
    return { arrangementId }
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The fee; also where it was waived.',
  })
  amount(@Root() { amountMinor, currency }: item.FeeRunItem): MoneyType | null {
    return amountMinor === null ? null : moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description: 'What charged it, or was rejected.',
  })
  postingInstruction(@Root() { postingInstructionId }: item.FeeRunItem) {
    return postingInstructionId === null ? null : { postingInstructionId }
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description: 'What took it back.',
  })
  reversedBy(@Root() { reversedByPostingId }: item.FeeRunItem) {
    return reversedByPostingId === null ? null : { postingInstructionId: reversedByPostingId }
  }
}
