import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { CurrencyScalar } from '../../_kernel/scalars.ts'
import { readPosition } from '../liquidity.ts'
import { LiquidityPosition } from './liquidity.types.ts'

@Resolver()
export class LiquidityResolver {
  @Requires('postings:read')
  @Query(() => LiquidityPosition, {
    description: 'The liquidity of the bank in a currency, now and day by day. For the bank alone.',
  })
  async liquidityPosition(
    @Arg('currency', () => CurrencyScalar) currency: string,
    @Arg('days', () => Int, { defaultValue: 14, description: 'At most 90.' }) days: number,
    @Ctx() context: Context,
  ): Promise<LiquidityPosition> {
    const position = await readPosition(context, currency, days)
    const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
    return {
      currency,
      asOf: position.asOf,
      nostro: money(position.nostroMinor),
      inTransit: money(position.inTransitMinor),
      customerDeposits: money(position.customerDepositsMinor),
      openAuthorisationsOut: money(position.openOutMinor),
      openAuthorisationsIn: money(position.openInMinor),
      days: position.days.map(({ date, inflowMinor, outflowMinor, nostroMinor, flows }) => ({
        date,
        inflow: money(inflowMinor),
        outflow: money(outflowMinor),
        nostro: money(nostroMinor),
        flows: flows.map(({ amountMinor, ...flow }) => ({ ...flow, amount: money(amountMinor) })),
      })),
    }
  }
}
