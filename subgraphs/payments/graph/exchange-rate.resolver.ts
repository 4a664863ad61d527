import { currency, date, list, object } from '../../../kernel/domain/model.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { loadExchangeRates, readClosingRates } from '../commands/exchange-rate.ts'
import { ClosingRate, ExchangeRate, ExchangeRateInput } from '../model/exchange-rate.ts'
import { exchangeRateTable, findRate } from '../store/exchange-rate.ts'

/** Operations on exchange rates, against which postings between two currencies are checked. */
export const ExchangeRateOperations = resolverOf({
  queries: {
    exchangeRate: operation({
      description:
        'Returns the rate in force between two currencies, in either direction; null if there is ' +
        'none.',
      scope: 'postings:read',
      returns: ExchangeRate,
      args: {
        baseCurrency: currency('One of the currencies.'),
        quoteCurrency: currency('The other currency.'),
      },
      resolve: (context, { baseCurrency, quoteCurrency }) =>
        findRate(context, baseCurrency, quoteCurrency, context.now()),
    }),
    closingRates: operation({
      description:
        'Returns the newest rate between two currencies, in either direction, at the end of each of ' +
        'some days. Days without a rate of the last 31 days are left out.',
      scope: 'postings:read',
      returns: [ClosingRate],
      args: {
        baseCurrency: currency('One of the currencies.'),
        quoteCurrency: currency('The other currency.'),
        days: list(date(), 'The days, in UTC; 1 to 366.'),
      },
      resolve: (context, { baseCurrency, quoteCurrency, days }) =>
        readClosingRates(context, [baseCurrency, quoteCurrency], days),
    }),
    exchangeRates: listing(ExchangeRate, {
      description: 'Lists exchange rates in the order in which they were loaded.',
      scope: 'postings:read',
      filters: {
        baseCurrency: currency('Returns only rates with this base currency.').orNull(),
        quoteCurrency: currency('Returns only rates with this quote currency.').orNull(),
      },
      ...exchangeRateTable,
    }),
  },
  mutations: {
    loadExchangeRates: operation({
      description:
        'Loads 1 to 200 exchange rates, all of them or none. Not available to delegated users.',
      scope: 'rates:write',
      returns: [ExchangeRate],
      args: { rates: list(object(ExchangeRateInput), 'The rates to load.') },
      resolve(context, { rates }: { rates: readonly ExchangeRateInput[] }) {
        const request = rates.map((rate) => ({
          baseCurrency: rate.baseCurrency,
          quoteCurrency: rate.quoteCurrency,
          rate: rate.rate,
          source: rate.source,
          asOf: rate.asOf ?? context.now(),
          validUntil: rate.validUntil ?? null,
          tolerancePct: rate.tolerancePct,
        }))
        return loadExchangeRates(context, request)
      },
    }),
  },
})
