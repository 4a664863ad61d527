import { Arg, Ctx, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { CurrencyScalar } from '../../../kernel/graph/scalars.ts'
import { loadExchangeRates } from '../commands/exchange-rate.ts'
import { exchangeRateTable, findRate, listRates } from '../store/exchange-rate.ts'
import { ExchangeRate, ExchangeRateConnection, ExchangeRateInput } from '../model/exchange-rate.ts'

/** Operations on exchange rates, against which postings between two currencies are checked. */
@Resolver()
export class ExchangeRateResolver {
  @Requires('rates:write')
  @Mutation(() => [ExchangeRate], {
    description:
      'Loads 1 to 200 exchange rates, all of them or none. Not available to delegated users.',
  })
  loadExchangeRates(
    @Arg('rates', () => [ExchangeRateInput], { description: 'The rates to load.' })
    rates: ExchangeRateInput[],
    @Ctx() context: Context,
  ): Promise<ExchangeRate[]> {
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
  }

  @Requires('postings:read')
  @Query(() => ExchangeRate, {
    nullable: true,
    description:
      'Returns the rate in force between two currencies, in either direction; null if there is ' +
      'none.',
  })
  exchangeRate(
    @Arg('baseCurrency', () => CurrencyScalar, { description: 'One of the currencies.' })
    baseCurrency: string,
    @Arg('quoteCurrency', () => CurrencyScalar, { description: 'The other currency.' })
    quoteCurrency: string,
    @Ctx() context: Context,
  ): Promise<ExchangeRate | null> {
    return findRate(context, baseCurrency, quoteCurrency, context.now())
  }

  @Requires('postings:read')
  @Query(() => ExchangeRateConnection, {
    description: 'Lists exchange rates in the order in which they were loaded.',
  })
  exchangeRates(
    @Arg('baseCurrency', () => CurrencyScalar, {
      nullable: true,
      description: 'Returns only rates with this base currency.',
    })
    baseCurrency: string | null,
    @Arg('quoteCurrency', () => CurrencyScalar, {
      nullable: true,
      description: 'Returns only rates with this quote currency.',
    })
    quoteCurrency: string | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ) {
    const filter = { baseCurrency: baseCurrency ?? null, quoteCurrency: quoteCurrency ?? null }
    return readPage(
      context,
      'exchangeRates',
      filter,
      { first, after },
      (cursor, take) => listRates(context, filter, cursor, take),
      exchangeRateTable.sortKey,
    )
  }
}
