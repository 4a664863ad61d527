import { currency, integer } from '../../../kernel/domain/model.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { readPosition, type Position } from '../commands/liquidity.ts'
import { LiquidityPosition } from '../model/liquidity.ts'

export const LiquidityOperations = resolverOf({
  queries: {
    liquidityPosition: operation({
      description:
        'Returns the liquidity of the bank in one currency, now and day by day. Not available to ' +
        'delegated users.',
      scope: 'postings:read',
      returns: LiquidityPosition,
      args: {
        currency: currency('The currency of the position.'),
        days: integer('The number of days to project, from 1 to 90. Defaults to 14.').defaultsTo(
          14,
        ),
      },
      resolve: async (context, { currency, days }) =>
        positionOut(await readPosition(context, currency, days)),
    }),
  },
})

function positionOut(position: Position): LiquidityPosition {
  const { currency } = position
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
