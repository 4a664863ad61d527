import type { Context } from '../../../kernel/environment/context.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { ExchangeRate } from '../model/exchange-rate.ts'

export const exchangeRateTable = tableOf<ExchangeRate>(
  'payments.exchange_rate',
  'exchangeRateId',
  ({ db }) => db.exchangeRate,
)

/**
 * Returns the newest rate in force between two currencies, in either direction; null if there is
 * none.
 */
export async function findRate(
  context: Context,
  firstCurrency: string,
  secondCurrency: string,
  now: Date,
): Promise<ExchangeRate | null> {
  const [found] = await exchangeRateTable.findMany(context, {
    where: {
      OR: [
        { baseCurrency: firstCurrency, quoteCurrency: secondCurrency },
        { baseCurrency: secondCurrency, quoteCurrency: firstCurrency },
      ],
      asOf: { lte: now },
      AND: { OR: [{ validUntil: null }, { validUntil: { gt: now } }] },
    },
    orderBy: [{ asOf: 'desc' }, { createdAt: 'desc' }, { exchangeRateId: 'desc' }],
    take: 1,
  })
  return found ?? null
}
