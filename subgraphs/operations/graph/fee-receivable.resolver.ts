import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../_kernel/graph/money.types.ts'
import { TextScalar } from '../../_kernel/scalars.ts'
import { outstandingOf, type FeeReceivableStatus } from '../domain/fee-receivable.ts'
import type * as domain from '../domain/fee-receivable.ts'
import { collectNow } from '../fees/collect.ts'
import { waiveReceivable } from '../fees/waive.ts'
import {
  feeReceivableTable,
  findVisibleReceivable,
  listReceivables,
  loadMovements,
  loadReceivablesOf,
} from '../store/fee-receivable.ts'
import {
  FeeReceivable,
  FeeReceivableConnection,
  FeeReceivableMovement,
  FeeReceivableStatusEnum,
} from './fee-receivable.types.ts'
import { AccountArrangementStub } from './stubs.types.ts'

@Resolver(() => FeeReceivable)
export class FeeReceivableResolver {
  @Requires('accounts:read')
  @Query(() => FeeReceivable, { nullable: true, description: 'One fee receivable.' })
  async feeReceivable(
    @Arg('feeReceivableId', () => ID) feeReceivableId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeReceivable> {
    const found = await findVisibleReceivable(context, feeReceivableId)
    if (found) return found
    throw new Problem('FEE_RECEIVABLE_NOT_FOUND', { resourceId: feeReceivableId })
  }

  @Requires('accounts:read')
  @Query(() => FeeReceivableConnection, {
    description: 'Fee receivables in the order in which they were opened.',
  })
  feeReceivables(
    @Arg('arrangementId', () => ID, { nullable: true }) arrangementId: string | null,
    @Arg('status', () => FeeReceivableStatusEnum, { nullable: true })
    status: FeeReceivableStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.FeeReceivable>> {
    const filter = { arrangementId: arrangementId ?? null, status: status ?? null }
    return readPage(
      context,
      'feeReceivables',
      filter,
      { first, after },
      (from, take) => listReceivables(context, filter, from, take),
      feeReceivableTable.sortKey,
    )
  }

  @Requires('fees:run')
  @Mutation(() => FeeReceivable, {
    description: 'Waives what is left of a fee receivable. The income is given up.',
  })
  waiveFeeReceivable(
    @Arg('feeReceivableId', () => ID) feeReceivableId: string,
    @Arg('reason', () => TextScalar, { description: 'Why it is waived.' }) reason: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeReceivable> {
    return waiveReceivable(context, feeReceivableId, reason)
  }

  @Requires('fees:run')
  @Mutation(() => [FeeReceivable], {
    description:
      'Collects the fee receivables of an account as far as it has money available, the oldest first. ' +
      'Returns what was open, as it is afterwards. The same happens by itself when money comes to the account.',
  })
  collectFeeReceivables(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeReceivable[]> {
    return collectNow(context, arrangementId)
  }

  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account that owes the fee.',
  })
  arrangement(@Root() { arrangementId }: domain.FeeReceivable): AccountArrangementStub {
    return { arrangementId }
  }

  @FieldResolver(() => MoneyType, { description: 'The fee as it was charged.' })
  amount(@Root() { amountMinor, currency }: domain.FeeReceivable): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, { description: 'The part that was collected from the account.' })
  collected(@Root() { collectedMinor, currency }: domain.FeeReceivable): MoneyType {
    return moneyOut({ amountMinor: collectedMinor, currency })
  }

  @FieldResolver(() => MoneyType, { description: 'The part that the bank waived.' })
  waived(@Root() { waivedMinor, currency }: domain.FeeReceivable): MoneyType {
    return moneyOut({ amountMinor: waivedMinor, currency })
  }

  @FieldResolver(() => MoneyType, { description: 'The amount due: what is still to be collected.' })
  outstanding(@Root() receivable: domain.FeeReceivable): MoneyType {
    return moneyOut({ amountMinor: outstandingOf(receivable), currency: receivable.currency })
  }

  @FieldResolver(() => [FeeReceivableMovement], {
    description: 'What was collected and waived, in the order it was booked.',
  })
  async movements(
    @Root() { feeReceivableId, currency }: domain.FeeReceivable,
    @Ctx() context: Context,
  ): Promise<FeeReceivableMovement[]> {
    const found = (await loadMovements(context, feeReceivableId)) ?? []
    return found.map(({ amountMinor, ...movement }) => ({
      ...movement,
      amount: moneyOut({ amountMinor, currency }),
    }))
  }
}

@Resolver(() => AccountArrangementStub)
export class ArrangementFeesResolver {
  @Requires('accounts:read')
  @FieldResolver(() => [FeeReceivable], {
    description: 'Fees that were due when the account could not pay them, the oldest first.',
  })
  async feeReceivables(
    @Root() { arrangementId }: AccountArrangementStub,
    @Arg('status', () => FeeReceivableStatusEnum, {
      nullable: true,
      description: 'Only receivables with this status; all when absent.',
    })
    status: FeeReceivableStatus | null,
    @Ctx() context: Context,
  ): Promise<domain.FeeReceivable[]> {
    const found = (await loadReceivablesOf(context, arrangementId)) ?? []
    return status ? found.filter((each) => each.status === status) : found
  }
}
