import { Arg, Ctx, Int, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { CurrencyScalar } from '../../../kernel/graph/scalars.ts'
import { readPosition } from '../commands/liquidity.ts'
import { LiquidityPosition } from '../model/liquidity.ts'

@Resolver()
export class LiquidityResolver {
  @Requires('postings:read')
  @Query(() => LiquidityPosition, {
    description:
      'Returns the liquidity of the bank in one currency, now and day by day. Not available to ' +
      'delegated users.',
  })
  async liquidityPosition(
    @Arg('currency', () => CurrencyScalar, { description: 'The currency of the position.' })
    currency: string,
    @Arg('days', () => Int, {
      defaultValue: 14,
      description: 'The number of days to project, from 1 to 90. Defaults to 14.',
    })
    days: number,
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
      openAuthorizationsOut: money(position.openOutMinor),
      openAuthorizationsIn: money(position.openInMinor),
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
