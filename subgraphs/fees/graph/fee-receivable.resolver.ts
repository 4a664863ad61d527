import { FeeReceivableStatus } from '../model/enumerations.ts'
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
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { TextScalar } from '../../../kernel/graph/scalars.ts'
import { outstandingOf } from '../domain/fee-receivable.ts'
import type * as domain from '../domain/fee-receivable.ts'
import { collectFeesOnRequest } from '../commands/collect.ts'
import { waiveReceivable } from '../commands/waive.ts'
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
} from '../model/fee-receivable.ts'
import { AccountArrangementStub } from '../model/references.ts'

@Resolver(() => FeeReceivable)
export class FeeReceivableResolver {
  @Requires('accounts:read')
  @Query(() => FeeReceivable, { nullable: true, description: 'Returns a fee receivable.' })
  async feeReceivable(
    @Arg('feeReceivableId', () => ID, { description: 'The ID of the fee receivable.' })
    feeReceivableId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeReceivable> {
    const found = await findVisibleReceivable(context, feeReceivableId)
    if (found) return found
    throw new Problem('FEE_RECEIVABLE_NOT_FOUND', { resourceId: feeReceivableId })
  }

  @Requires('accounts:read')
  @Query(() => FeeReceivableConnection, {
    description: 'Lists fee receivables in the order in which they were created.',
  })
  feeReceivables(
    @Arg('arrangementId', () => ID, {
      nullable: true,
      description: 'Returns only receivables of this account.',
    })
    arrangementId: string | null,
    @Arg('status', () => FeeReceivableStatus, {
      nullable: true,
      description: 'Returns only receivables with this status.',
    })
    status: FeeReceivableStatus | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.FeeReceivable>> {
    const filter = { arrangementId: arrangementId ?? null, status: status ?? null }
    return readPage(
      context,
      'feeReceivables',
      filter,
      { first, after },
      (cursor, take) => listReceivables(context, filter, cursor, take),
      feeReceivableTable.sortKey,
    )
  }

  @Requires('fees:run')
  @Mutation(() => FeeReceivable, {
    description:
      'Waives the outstanding amount of a fee receivable and reverses the corresponding fee ' +
      'income. Not available to delegated users.',
  })
  waiveFeeReceivable(
    @Arg('feeReceivableId', () => ID, { description: 'The ID of the fee receivable.' })
    feeReceivableId: string,
    @Arg('reason', () => TextScalar, { description: 'The reason for the waiver.' }) reason: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeReceivable> {
    return waiveReceivable(context, feeReceivableId, reason)
  }

  @Requires('fees:run')
  @Mutation(() => [FeeReceivable], {
    description:
      'Collects the open fee receivables of an account up to its available balance, oldest ' +
      'first, and returns them. The bank also collects them automatically when the account is ' +
      'credited or unblocked. Not available to delegated users.',
  })
  collectFeeReceivables(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Ctx() context: Context,
  ): Promise<domain.FeeReceivable[]> {
    return collectFeesOnRequest(context, arrangementId)
  }

  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account that owes the fee.',
  })
  arrangement(@Root() { arrangementId }: domain.FeeReceivable): AccountArrangementStub {
    return { arrangementId }
  }

  @FieldResolver(() => MoneyType, { description: 'The amount of the fee as charged.' })
  amount(@Root() { amountMinor, currency }: domain.FeeReceivable): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description: 'The part of the fee that was collected from the account.',
  })
  collected(@Root() { collectedMinor, currency }: domain.FeeReceivable): MoneyType {
    return moneyOut({ amountMinor: collectedMinor, currency })
  }

  @FieldResolver(() => MoneyType, { description: 'The part of the fee that the bank waived.' })
  waived(@Root() { waivedMinor, currency }: domain.FeeReceivable): MoneyType {
    return moneyOut({ amountMinor: waivedMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description:
      'The part of the fee that has not been collected or waived yet; zero unless the fee ' +
      'receivable is `OPEN`.',
  })
  outstanding(@Root() receivable: domain.FeeReceivable): MoneyType {
    return moneyOut({ amountMinor: outstandingOf(receivable), currency: receivable.currency })
  }

  @FieldResolver(() => [FeeReceivableMovement], {
    description: 'The collections and waivers in the order in which they were booked.',
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
    description: 'The fees that the account could not pay when they were charged, oldest first.',
  })
  async feeReceivables(
    @Root() { arrangementId }: AccountArrangementStub,
    @Arg('status', () => FeeReceivableStatus, {
      nullable: true,
      description: 'Returns only receivables with this status.',
    })
    status: FeeReceivableStatus | null,
    @Ctx() context: Context,
  ): Promise<domain.FeeReceivable[]> {
    const found = (await loadReceivablesOf(context, arrangementId)) ?? []
    return status ? found.filter((each) => each.status === status) : found
  }
}
