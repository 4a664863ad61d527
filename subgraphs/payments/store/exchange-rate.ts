import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { ExchangeRate } from '../domain/exchange-rate.ts'

export const exchangeRateTable = tableOf<ExchangeRate, Prisma.ExchangeRateGetPayload<object>>(
  'payments.exchange_rate',
  'exchangeRateId',
  ({ db }) => db.exchangeRate,
  (row) => row,
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

/** Returns rates in the order in which they were loaded. */
export function listRates(
  context: Context,
  filter: { baseCurrency: string | null; quoteCurrency: string | null },
  after: string[] | null,
  take: number,
): Promise<ExchangeRate[]> {
  const { baseCurrency, quoteCurrency } = filter
  const where = {
    ...(baseCurrency !== null && { baseCurrency }),
    ...(quoteCurrency !== null && { quoteCurrency }),
  }
  return exchangeRateTable.list(context, where, after, take)
}
