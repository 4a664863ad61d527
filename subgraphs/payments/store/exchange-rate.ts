import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../_kernel/context.ts'
import { tableOf } from '../../_kernel/table.ts'
import type { ExchangeRate } from '../domain/exchange-rate.ts'

export const exchangeRateTable = tableOf<ExchangeRate, Prisma.ExchangeRateGetPayload<object>>(
  'payments.exchange_rate',
  'exchangeRateId',
  ({ db }) => db.exchangeRate,
  (row) => row,
)

/** The newest rate between two currencies in either direction that is in force; null without one. */
export async function findRate(
  context: Context,
  one: string,
  other: string,
  now: Date,
): Promise<ExchangeRate | null> {
  const [found] = await exchangeRateTable.findMany(context, {
    where: {
      OR: [
        { baseCurrency: one, quoteCurrency: other },
        { baseCurrency: other, quoteCurrency: one },
      ],
      asOf: { lte: now },
      AND: { OR: [{ validUntil: null }, { validUntil: { gt: now } }] },
    },
    orderBy: [{ asOf: 'desc' }, { createdAt: 'desc' }, { exchangeRateId: 'desc' }],
    take: 1,
  })
  return found ?? null
}

/** Rates in the order in which they were loaded. */
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
