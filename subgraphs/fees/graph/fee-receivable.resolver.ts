import { requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import { id, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { collectFeesOnRequest } from '../commands/collect.ts'
import { waiveReceivable } from '../commands/waive.ts'
import { outstandingOf } from '../domain/fee-receivable.ts'
import { FeeReceivableStatus } from '../model/enumerations.ts'
import {
  FeeReceivable,
  FeeReceivableMovement,
  feeReceivableStates,
} from '../model/fee-receivable.ts'
import { AccountArrangementStub } from '../model/references.ts'
import {
  feeReceivableTable,
  loadReceivable,
  listReceivables,
  loadMovements,
  loadReceivablesOf,
} from '../store/fee-receivable.ts'

export const FeeReceivableOperations = resolverOf({
  queries: {
    feeReceivable: lookup(FeeReceivable, {
      description: 'Returns a fee receivable.',
      scope: 'accounts:read',
      find: async (context, id) =>
        requireFound(await loadReceivable(context, id), 'FEE_RECEIVABLE_NOT_FOUND', id),
    }),
    feeReceivables: listing(FeeReceivable, {
      description: 'Lists fee receivables in the order in which they were created.',
      scope: 'accounts:read',
      filters: {
        arrangementId: id('Returns only receivables of this account.').orNull(),
        status: oneOf(FeeReceivableStatus, 'Returns only receivables with this status.').orNull(),
      },
      list: listReceivables,
      sortKey: feeReceivableTable.sortKey,
    }),
  },
  mutations: {
    ...transitionsOf(feeReceivableStates, waiveReceivable, {
      waiveFeeReceivable: (waived, { before }) => ({
        ...waived,
        waivedMinor: before.waivedMinor + outstandingOf(before),
      }),
    }),
    collectFeeReceivables: operation({
      description:
        'Collects the open fee receivables of an account up to its available balance, oldest ' +
        'first, and returns them. The bank also collects them automatically when the account is ' +
        'credited or unblocked. Not available to delegated users.',
      scope: 'fees:run',
      returns: [FeeReceivable],
      args: { arrangementId: id('The ID of the account.') },
      resolve: (context, { arrangementId }) => collectFeesOnRequest(context, arrangementId),
    }),
  },
})

@Resolver(() => FeeReceivable)
export class FeeReceivableResolver {
  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account that owes the fee.',
  })
  arrangement(@Root() { arrangementId }: FeeReceivable): AccountArrangementStub {
    return { arrangementId }
  }

  @FieldResolver(() => MoneyType, { description: 'The amount of the fee as charged.' })
  amount(@Root() { amountMinor, currency }: FeeReceivable): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description: 'The part of the fee that was collected from the account.',
  })
  collected(@Root() { collectedMinor, currency }: FeeReceivable): MoneyType {
    return moneyOut({ amountMinor: collectedMinor, currency })
  }

  @FieldResolver(() => MoneyType, { description: 'The part of the fee that the bank waived.' })
  waived(@Root() { waivedMinor, currency }: FeeReceivable): MoneyType {
    return moneyOut({ amountMinor: waivedMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description:
      'The part of the fee that has not been collected or waived yet; zero unless the fee ' +
      'receivable is `OPEN`.',
  })
  outstanding(@Root() receivable: FeeReceivable): MoneyType {
    return moneyOut({ amountMinor: outstandingOf(receivable), currency: receivable.currency })
  }

  @FieldResolver(() => [FeeReceivableMovement], {
    description: 'The collections and waivers in the order in which they were booked.',
  })
  async movements(
    @Root() { feeReceivableId, currency }: FeeReceivable,
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
  ): Promise<FeeReceivable[]> {
    const found = (await loadReceivablesOf(context, arrangementId)) ?? []
    return status ? found.filter((each) => each.status === status) : found
  }
}
