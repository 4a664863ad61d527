import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { moneyOf } from '../domain/payment.ts'
import type { StandingOrder as StandingOrderRecord } from '../domain/standing-order.ts'
import { changeStandingOrder, createStandingOrder } from '../commands/standing-order.ts'
import { listStandingOrders, loadStandingOrder } from '../store/standing-order.ts'
import {
  CreateStandingOrderInput,
  StandingOrder,
  StandingOrderConnection,
} from '../model/standing-order.ts'

@Resolver(() => StandingOrder)
export class StandingOrderResolver {
  @Requires('postings:write')
  @Mutation(() => StandingOrder, {
    description: 'Creates a standing order, which pays the same amount at regular intervals.',
  })
  async createStandingOrder(
    @Arg('input', () => CreateStandingOrderInput, { description: 'The standing order to create.' })
    input: CreateStandingOrderInput,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    return standingOrderOut(await createStandingOrder(context, input))
  }

  @Requires('postings:write')
  @Mutation(() => StandingOrder, {
    description: 'Pauses a standing order. It makes no payments until it is resumed.',
  })
  async pauseStandingOrder(
    @Arg('standingOrderId', () => ID, { description: 'The ID of the standing order.' })
    standingOrderId: string,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    return standingOrderOut(
      await changeStandingOrder(context, 'pauseStandingOrder', standingOrderId),
    )
  }

  @Requires('postings:write')
  @Mutation(() => StandingOrder, {
    description:
      'Resumes a paused standing order from its next payment date. Payment dates that passed in ' +
      'the meantime are skipped.',
  })
  async resumeStandingOrder(
    @Arg('standingOrderId', () => ID, { description: 'The ID of the standing order.' })
    standingOrderId: string,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    return standingOrderOut(
      await changeStandingOrder(context, 'resumeStandingOrder', standingOrderId),
    )
  }

  @Requires('postings:write')
  @Mutation(() => StandingOrder, { description: 'Cancels a standing order permanently.' })
  async cancelStandingOrder(
    @Arg('standingOrderId', () => ID, { description: 'The ID of the standing order.' })
    standingOrderId: string,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    return standingOrderOut(
      await changeStandingOrder(context, 'cancelStandingOrder', standingOrderId),
    )
  }

  @Requires('postings:read')
  @Query(() => StandingOrder, { nullable: true, description: 'Returns a standing order.' })
  async standingOrder(
    @Arg('standingOrderId', () => ID, { description: 'The ID of the standing order.' })
    standingOrderId: string,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    const found = await loadStandingOrder(context, standingOrderId)
    if (found) return standingOrderOut(found)
    throw new Problem('STANDING_ORDER_NOT_FOUND', { resourceId: standingOrderId })
  }

  @Requires('postings:read')
  @Query(() => StandingOrderConnection, {
    description: 'Lists standing orders in the order in which they were created.',
  })
  standingOrders(
    @Arg('arrangementId', () => ID, {
      nullable: true,
      description: 'Returns only standing orders that debit this account.',
    })
    arrangementId: string | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    const account = arrangementId ?? null
    return readPage(
      context,
      'standingOrders',
      { arrangementId: account },
      { first, after },
      async (cursor, take) =>
        (await listStandingOrders(context, account, cursor, take)).map(standingOrderOut),
      ({ createdAt, standingOrderId }) => [createdAt.toISOString(), standingOrderId],
    )
  }
}

export function standingOrderOut(order: StandingOrderRecord): StandingOrder {
  return {
    ...order,
    amount: moneyOut(moneyOf(order)),
    debtorArrangement: { arrangementId: order.debtorArrangementId },
  }
}
