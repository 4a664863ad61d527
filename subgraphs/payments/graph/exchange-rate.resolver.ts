import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import { CurrencyScalar } from '../../_kernel/scalars.ts'
import { loadExchangeRates } from '../exchange-rates.ts'
import { exchangeRateTable, findRate, listRates } from '../store/exchange-rate.ts'
import { ExchangeRate, ExchangeRateConnection, ExchangeRateInput } from './exchange-rate.types.ts'

/** Exchange rates that postings between two currencies are checked against. */
@Resolver()
export class ExchangeRateResolver {
  @Requires('rates:write')
  @Mutation(() => [ExchangeRate], {
    description: 'Loads 1 to 200 exchange rates, all of them or none. Not for delegated users.',
  })
  loadExchangeRates(
    @Arg('rates', () => [ExchangeRateInput], { description: 'The rates to load.' })
    rates: ExchangeRateInput[],
    @Ctx() context: Context,
  ): Promise<ExchangeRate[]> {
    const asked = rates.map((rate) => ({
      baseCurrency: rate.baseCurrency,
      quoteCurrency: rate.quoteCurrency,
      rate: rate.rate,
      source: rate.source,
      asOf: rate.asOf ?? context.now(),
      validUntil: rate.validUntil ?? null,
      tolerancePct: rate.tolerancePct,
    }))
    return loadExchangeRates(context, asked)
  }

  @Requires('postings:read')
  @Query(() => ExchangeRate, {
    nullable: true,
    description:
      'Returns the rate in force between two currencies, in either direction, or null when there is none.',
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
      description: 'Only rates with this base currency.',
    })
    baseCurrency: string | null,
    @Arg('quoteCurrency', () => CurrencyScalar, {
      nullable: true,
      description: 'Only rates with this quote currency.',
    })
    quoteCurrency: string | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The page size, 1 to 200; 50 by default.',
    })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to continue after.' })
    after: string | null,
    @Ctx() context: Context,
  ) {
    const filter = { baseCurrency: baseCurrency ?? null, quoteCurrency: quoteCurrency ?? null }
    return readPage(
      context,
      'exchangeRates',
      filter,
      { first, after },
      (from, take) => listRates(context, filter, from, take),
      exchangeRateTable.sortKey,
    )
  }
}
