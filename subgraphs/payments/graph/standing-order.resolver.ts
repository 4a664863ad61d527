import { requireFound } from '../../../kernel/authorization/auth.ts'
import { requireSoleSignature } from '../../../kernel/authorization/signing.ts'
import { id, object } from '../../../kernel/domain/model.ts'
import { FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { changeStandingOrder, createStandingOrder } from '../commands/standing-order.ts'
import { moneyOf } from '../domain/payment.ts'
import { skipPassedDates } from '../domain/standing-order.ts'
import { ArrangementStub } from '../model/posting.ts'
import {
  CreateStandingOrderInput,
  StandingOrder,
  standingOrderStates,
} from '../model/standing-order.ts'
import {
  listStandingOrders,
  loadStandingOrder,
  standingOrderTable,
} from '../store/standing-order.ts'

export const StandingOrderOperations = resolverOf({
  queries: {
    standingOrder: lookup(StandingOrder, {
      description: 'Returns a standing order.',
      scope: 'postings:read',
      find: async (context, standingOrderId) =>
        requireFound(
          await loadStandingOrder(context, standingOrderId),
          'STANDING_ORDER_NOT_FOUND',
          standingOrderId,
        ),
    }),
    standingOrders: listing(StandingOrder, {
      description: 'Lists standing orders in the order in which they were created.',
      scope: 'postings:read',
      filters: {
        arrangementId: id('Returns only standing orders that debit this account.').orNull(),
      },
      list: listStandingOrders,
      sortKey: standingOrderTable.sortKey,
    }),
  },
  mutations: {
    createStandingOrder: operation({
      description: 'Creates a standing order, which pays the same amount at regular intervals.',
      scope: 'postings:write',
      returns: StandingOrder,
      args: { input: object(CreateStandingOrderInput, 'The standing order to create.') },
      resolve: (context, { input }) => createStandingOrder(context, input),
    }),
    ...transitionsOf(standingOrderStates, changeStandingOrder, {
      async resumeStandingOrder(resumed, { context, now }) {
        const { debtorArrangementId, amountMinor } = resumed
        await requireSoleSignature(context, debtorArrangementId, amountMinor, '/standingOrderId')
        return skipPassedDates(resumed, now)
      },
    }),
  },
})

@Resolver(() => StandingOrder)
export class StandingOrderResolver {
  @FieldResolver(() => MoneyType, { description: 'The amount of each payment.' })
  amount(@Root() order: StandingOrder): MoneyType {
    return moneyOut(moneyOf(order))
  }

  @FieldResolver(() => ArrangementStub, { description: 'The account that is debited.' })
  debtorArrangement(@Root() { debtorArrangementId }: StandingOrder): ArrangementStub {
    return { arrangementId: debtorArrangementId }
  }
}
