import {
  boolean,
  currency,
  date,
  decimal,
  entity,
  id,
  instant,
  list,
  object,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { FinancialStatementLine } from './reports.ts'

export const CurrencyRevaluationLine = shape(
  'CurrencyRevaluationLine',
  'A position in another currency, revalued in the functional currency. Value − cost = booked before + difference.',
  {
    currency: currency('The currency of the position.'),
    position: decimal(
      'What the bank is long in the currency at the end of the period; negative if it is short.',
    ),
    cost: decimal(
      'What the bank paid for the position, in the functional currency; negative if it is short. Includes the results of exchanges that reduced the position.',
    ),
    rate: decimal(
      'The value of one unit of the currency in the functional currency at the closing rate; null if the position is zero.',
    ).orNull(),
    exchangeRateId: id('The exchange rate used; null if the position is zero.').orNull(),
    value: decimal('The position at the closing rate, in the functional currency.'),
    bookedBefore: decimal(
      'The gains less the losses that earlier revaluations of the period and of the periods before it booked, in the functional currency.',
    ),
    difference: decimal(
      'The gain to book in the functional currency; negative for a loss. It is what the earlier revaluations have not booked.',
    ),
  },
)
export type CurrencyRevaluationLine = TypeOf<typeof CurrencyRevaluationLine>

/** A line as it is stored. Amounts are in minor units, of the functional currency except the position. */
export interface StoredRevaluationLine {
  currency: string
  positionMinor: bigint
  costMinor: bigint
  rate: string | null
  exchangeRateId: string | null
  valueMinor: bigint
  bookedBeforeMinor: bigint
  differenceMinor: bigint
}

export const CurrencyRevaluation = entity(
  'CurrencyRevaluation',
  'currencyRevaluationId',
  'A revaluation of the positions of the bank in other currencies at the end of an accounting period. A later one of the same period corrects it.',
  {
    currencyRevaluationId: id('The ID of the revaluation, such as `cre_…`.').inEvents(),
    accountingPeriodId: id('The accounting period, such as `2026-03`.').inEvents(),
    functionalCurrency: currency('The currency in which the positions are valued.').inEvents(),
    gain: decimal(
      'The gains less the losses that the revaluation booked, in the functional currency.',
    ).inEvents(),
    sequence: stored<bigint>(),
    lines: stored<readonly StoredRevaluationLine[]>(),
    journalEntryId: id(
      'The journal entry that books the gains and losses; null if there was nothing to book.',
    )
      .orNull()
      .inEvents(),
    revaluedBy: string('The person who revalued the positions.').inEvents(),
    createdAt: instant('When the positions were revalued, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type CurrencyRevaluation = TypeOf<typeof CurrencyRevaluation>

export const CurrencyRevaluationPreview = shape(
  'CurrencyRevaluationPreview',
  'What a revaluation of the positions in other currencies would book now.',
  {
    accountingPeriodId: id('The accounting period, such as `2026-03`.'),
    functionalCurrency: currency('The currency in which the positions are valued.'),
    gain: decimal('The gains less the losses that would be booked, in the functional currency.'),
    isUpToDate: boolean(
      'Whether the period was revalued and its last revaluation still agrees with the positions, the costs and the rates.',
    ),
    positions: list(
      object(CurrencyRevaluationLine),
      'The positions in the order of their currencies.',
    ),
  },
)
export type CurrencyRevaluationPreview = TypeOf<typeof CurrencyRevaluationPreview>

export const TranslationRate = shape(
  'TranslationRate',
  'The closing rate with which amounts of a currency were translated.',
  {
    currency: currency('The currency of the amounts.'),
    rate: decimal('The value of one unit of the currency in the functional currency.'),
    exchangeRateId: id('The exchange rate used.'),
    asOf: instant('The time to which the rate applies, in UTC.'),
  },
)
export type TranslationRate = TypeOf<typeof TranslationRate>

export const TranslatedBalanceSheet = shape(
  'TranslatedBalanceSheet',
  'The balance sheet of the bank in all currencies, translated into the functional currency at the closing rates of the day. Assets + unmapped = liabilities + equity + result + rounding difference.',
  {
    asOf: date('The day at whose end the balances are.'),
    functionalCurrency: currency('The currency of the amounts.'),
    assets: decimal('The total of the assets.'),
    liabilities: decimal('The total of the liabilities.'),
    equity: decimal('The total of the equity accounts.'),
    result: decimal(
      'Income less expenses that no year-end entry has transferred to retained earnings.',
    ),
    unmapped: decimal(
      'The balance of ledger accounts that belong to no account; zero if the mapping is complete.',
    ),
    roundingDifference: decimal(
      'What the rounding of translated balances to minor units adds up to.',
    ),
    isBalanced: boolean(
      'Whether the debit balances equal the credit balances in each currency, so that only rounding remains.',
    ),
    lines: list(
      object(FinancialStatementLine),
      'The accounts with a balance, in the order of the chart.',
    ),
    rates: list(object(TranslationRate), 'The rates used, in the order of the currencies.'),
  },
)
export type TranslatedBalanceSheet = TypeOf<typeof TranslatedBalanceSheet>
