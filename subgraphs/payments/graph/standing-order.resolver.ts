import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import { moneyOut } from '../../_kernel/graph/money.types.ts'
import { moneyOf } from '../domain/payment.ts'
import type { StandingOrder as Record } from '../domain/standing-order.ts'
import { changeStandingOrder, createStandingOrder } from '../standing-orders.ts'
import { listStandingOrders, loadStandingOrder } from '../store/standing-order.ts'
import {
  CreateStandingOrderInput,
  StandingOrder,
  StandingOrderConnection,
} from './standing-order.types.ts'

@Resolver(() => StandingOrder)
export class StandingOrderResolver {
  @Requires('postings:write')
  @Mutation(() => StandingOrder, { description: 'Pays again and again from an account.' })
  async createStandingOrder(
    @Arg('input', () => CreateStandingOrderInput) input: CreateStandingOrderInput,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    return standingOrderOut(await createStandingOrder(context, input))
  }

  @Requires('postings:write')
  @Mutation(() => StandingOrder, { description: 'Pays nothing until it is resumed.' })
  async pauseStandingOrder(
    @Arg('standingOrderId', () => ID) standingOrderId: string,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    return standingOrderOut(
      await changeStandingOrder(context, 'pauseStandingOrder', standingOrderId),
    )
  }

  @Requires('postings:write')
  @Mutation(() => StandingOrder, {
    description: 'Pays again, from its next date; what fell due meanwhile is not paid.',
  })
  async resumeStandingOrder(
    @Arg('standingOrderId', () => ID) standingOrderId: string,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    return standingOrderOut(
      await changeStandingOrder(context, 'resumeStandingOrder', standingOrderId),
    )
  }

  @Requires('postings:write')
  @Mutation(() => StandingOrder, { description: 'Gives a standing order up for good.' })
  async cancelStandingOrder(
    @Arg('standingOrderId', () => ID) standingOrderId: string,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    return standingOrderOut(
      await changeStandingOrder(context, 'cancelStandingOrder', standingOrderId),
    )
  }

  @Requires('postings:read')
  @Query(() => StandingOrder, { nullable: true, description: 'One standing order.' })
  async standingOrder(
    @Arg('standingOrderId', () => ID) standingOrderId: string,
    @Ctx() context: Context,
  ): Promise<StandingOrder> {
    const found = await loadStandingOrder(context, standingOrderId)
    if (found) return standingOrderOut(found)
    throw new Problem('STANDING_ORDER_NOT_FOUND', { resourceId: standingOrderId })
  }

  @Requires('postings:read')
  @Query(() => StandingOrderConnection, {
    description: 'Standing orders in the order they were created.',
  })
  standingOrders(
    @Arg('arrangementId', () => ID, { nullable: true }) arrangementId: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ) {
    const account = arrangementId ?? null
    return readPage(
      context,
      'standingOrders',
      { arrangementId: account },
      { first, after },
      async (from, take) =>
        (await listStandingOrders(context, account, from, take)).map(standingOrderOut),
      ({ createdAt, standingOrderId }) => [createdAt.toISOString(), standingOrderId],
    )
  }
}

export function standingOrderOut(order: Record): StandingOrder {
  return {
    ...order,
    amount: moneyOut(moneyOf(order)),
    debtorArrangement: { arrangementId: order.debtorArrangementId },
  }
}
