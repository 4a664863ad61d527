import { readRows } from '../../../kernel/database/read-rows.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { ClosingRate, ExchangeRate } from '../model/exchange-rate.ts'

export const exchangeRateTable = tableOf<ExchangeRate>(
  'payments.exchange_rate',
  'exchangeRateId',
  ({ db }) => db.exchangeRate,
)

// Each direction reads the newest rate from exchange_rate_pair_idx. A rate of the last 31 days is found
// although only four days are allowed, so that the problem can say how old it is.
const closingRatesSql = `select d.day::text as day, r.exchange_rate_id as "exchangeRateId"
  from unnest($3::date[]) d (day)
  cross join lateral (select (d.day - 30)::timestamp at time zone 'UTC',
    (d.day + 1)::timestamp at time zone 'UTC') e (starts_at, ends_at)
  cross join lateral (select newest.exchange_rate_id
    from (values ($1::text, $2::text), ($2, $1)) pair (base, quote)
    cross join lateral (select exchange_rate_id, as_of, created_at from payments.exchange_rate
      where base_currency = pair.base and quote_currency = pair.quote
        and as_of >= e.starts_at and as_of < e.ends_at
      order by as_of desc, created_at desc, exchange_rate_id desc limit 1) newest
    order by newest.as_of desc, newest.created_at desc, newest.exchange_rate_id desc limit 1) r
  order by d.day`

/**
 * Returns the newest rate between two currencies, in either direction, at the end of each day, in
 * UTC, whether or not it is still valid then. Days without a rate of the last 31 days are left out.
 */
export async function findClosingRates(
  context: Context,
  currencies: readonly [string, string],
  days: readonly LocalDate[],
): Promise<ClosingRate[]> {
  const rows = await readRows<{ day: LocalDate; exchangeRateId: string }>(
    context.bank,
    closingRatesSql,
    [...currencies, days],
  )
  const ids = [...new Set(rows.map(({ exchangeRateId }) => exchangeRateId))]
  const rates = new Map(
    (await exchangeRateTable.loadMany(context, ids)).map((rate) => [rate?.exchangeRateId, rate]),
  )
  return rows.map(({ day, exchangeRateId }) => ({ day, exchangeRate: rates.get(exchangeRateId)! }))
}

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
