import {
  currency,
  date,
  decimal,
  id,
  input,
  instant,
  label,
  object,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const ExchangeRate = shape(
  'ExchangeRate',
  'An exchange rate. Rates are immutable once loaded.',
  {
    exchangeRateId: id('The ID of the rate.').inEvents(),
    baseCurrency: currency(
      'The base currency. The rate is the price of one unit of this currency.',
    ).inEvents(),
    quoteCurrency: currency('The quote currency, in which the rate is expressed.').inEvents(),
    rate: decimal(
      'The number of units of the quote currency for one unit of the base currency.',
    ).inEvents(),
    source: string('The source of the rate, such as `ECB`.').inEvents(),
    asOf: instant('The time to which the rate applies, in UTC.').inEvents(),
    validUntil: instant(
      'When the rate expires, in UTC; null if it applies until a newer rate replaces it.',
    )
      .orNull()
      .inEvents(),
    tolerancePct: decimal(
      'The maximum deviation of a posting from the rate, in percent.',
    ).inEvents(),
    loadedBy: string('The subject of the access token with which the rate was loaded.')
      .inEvents()
      .namesActor(),
    createdAt: instant('When the rate was loaded, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type ExchangeRate = TypeOf<typeof ExchangeRate>

export const ClosingRate = shape(
  'ClosingRate',
  'The newest exchange rate between two currencies at the end of a day.',
  {
    day: date('The day, in UTC.'),
    exchangeRate: object(ExchangeRate, 'The exchange rate, in either direction.'),
  },
)
export type ClosingRate = TypeOf<typeof ClosingRate>

export const ExchangeRateInput = input('ExchangeRateInput', 'An exchange rate to load.', {
  baseCurrency: currency('The base currency. The rate is the price of one unit of this currency.'),
  quoteCurrency: currency('The quote currency, in which the rate is expressed.'),
  rate: decimal(
    'The number of units of the quote currency for one unit of the base currency, greater than ' +
      'zero.',
  ),
  source: label('The source of the rate, such as `ECB`.'),
  asOf: instant('The time to which the rate applies, not in the future. Defaults to now.').orNull(),
  validUntil: instant(
    'When the rate expires. If omitted, the rate applies until a newer rate replaces it.',
  ).orNull(),
  tolerancePct: decimal(
    'The maximum deviation of a posting from the rate, from 0 to 10 percent. Defaults to 1.',
  ).defaultsTo('1'),
})
export type ExchangeRateInput = TypeOf<typeof ExchangeRateInput>
