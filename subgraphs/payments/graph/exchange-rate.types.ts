import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
} from '../../../kernel/graph/scalars.ts'

@ObjectType({ description: 'An exchange rate. Rates are immutable once loaded.' })
export class ExchangeRate {
  @Field(() => ID, { description: 'The ID of the rate.' })
  exchangeRateId: string

  @Field(() => CurrencyScalar, {
    description: 'The base currency. The rate is the price of one unit of this currency.',
  })
  baseCurrency: string

  @Field(() => CurrencyScalar, {
    description: 'The quote currency, in which the rate is expressed.',
  })
  quoteCurrency: string

  @Field(() => DecimalScalar, {
    description: 'The number of units of the quote currency for one unit of the base currency.',
  })
  rate: string

  @Field(() => String, { description: 'The source of the rate, such as `ECB`.' })
  source: string

  @Field(() => DateTimeScalar, { description: 'The time to which the rate applies, in UTC.' })
  asOf: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the rate expires, in UTC; null if it applies until a newer rate replaces it.',
  })
  validUntil: Date | null

  @Field(() => DecimalScalar, {
    description: 'The maximum deviation of a posting from the rate, in percent.',
  })
  tolerancePct: string

  @Field(() => String, {
    description: 'The subject of the access token with which the rate was loaded.',
  })
  loadedBy: string

  @Field(() => DateTimeScalar, { description: 'When the rate was loaded, in UTC.' })
  createdAt: Date
}

export const ExchangeRateConnection = connectionOf('ExchangeRate', () => ExchangeRate)

@InputType({ description: 'An exchange rate to load.' })
export class ExchangeRateInput {
  @Field(() => CurrencyScalar, {
    description: 'The base currency. The rate is the price of one unit of this currency.',
  })
  baseCurrency: string

  @Field(() => CurrencyScalar, {
    description: 'The quote currency, in which the rate is expressed.',
  })
  quoteCurrency: string

  @Field(() => DecimalScalar, {
    description:
      'The number of units of the quote currency for one unit of the base currency, greater than ' +
      'zero.',
  })
  rate: string

  @Field(() => LabelScalar, { description: 'The source of the rate, such as `ECB`.' })
  source: string

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'The time to which the rate applies, not in the future. Defaults to now.',
  })
  asOf?: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the rate expires. If omitted, the rate applies until a newer rate replaces it.',
  })
  validUntil?: Date | null

  @Field(() => DecimalScalar, {
    defaultValue: '1',
    description:
      'The maximum deviation of a posting from the rate, from 0 to 10 percent. Defaults to 1.',
  })
  tolerancePct: string
}
