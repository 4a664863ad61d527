import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
} from '../../_kernel/scalars.ts'

@ObjectType({ description: 'An exchange rate as it was loaded. Rates are never changed.' })
export class ExchangeRate {
  @Field(() => ID, { description: 'The id of the rate.' })
  exchangeRateId: string

  @Field(() => CurrencyScalar, { description: 'The currency of which the rate prices one unit.' })
  baseCurrency: string

  @Field(() => CurrencyScalar, { description: 'The currency in which the rate is expressed.' })
  quoteCurrency: string

  @Field(() => DecimalScalar, {
    description: 'Units of the quote currency for one unit of the base currency.',
  })
  rate: string

  @Field(() => String, { description: 'Where the rate comes from, such as `ECB`.' })
  source: string

  @Field(() => DateTimeScalar, { description: 'The instant of the rate, in UTC.' })
  asOf: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The instant from which the rate is not used any more; null while no newer rate replaces it.',
  })
  validUntil: Date | null

  @Field(() => DecimalScalar, {
    description: 'How far a posting of the bank may deviate from the rate, in percent.',
  })
  tolerancePct: string

  @Field(() => String, { description: 'The subject that loaded the rate.' })
  loadedBy: string

  @Field(() => DateTimeScalar, { description: 'When the rate was loaded, in UTC.' })
  createdAt: Date
}

export const ExchangeRateConnection = connectionOf('ExchangeRate', () => ExchangeRate)

@InputType({ description: 'An exchange rate to load.' })
export class ExchangeRateInput {
  @Field(() => CurrencyScalar, { description: 'The currency of which the rate prices one unit.' })
  baseCurrency: string

  @Field(() => CurrencyScalar, { description: 'The currency in which the rate is expressed.' })
  quoteCurrency: string

  @Field(() => DecimalScalar, {
    description:
      'Units of the quote currency for one unit of the base currency; greater than zero.',
  })
  rate: string

  @Field(() => LabelScalar, { description: 'Where the rate comes from, such as `ECB`.' })
  source: string

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'The instant of the rate, in UTC; now when absent. Not in the future.',
  })
  asOf?: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The instant from which the rate is not used any more; until a newer rate when absent.',
  })
  validUntil?: Date | null

  @Field(() => DecimalScalar, {
    defaultValue: '1',
    description: 'How far a posting of the bank may deviate from the rate, 0 to 10 percent.',
  })
  tolerancePct: string
}
