import {
  boolean,
  currency,
  date,
  decimal,
  id,
  list,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { GeneralLedgerAccountType } from './account.ts'
import { FinancialStatementLine } from './reports.ts'
import { TranslationRate } from './revaluation.ts'

export const TranslatedTrialBalanceLine = shape(
  'TranslatedTrialBalanceLine',
  'An account in the translated trial balance. Opening + reclassified + debits − credits + translation difference = closing.',
  {
    accountNumber: string(
      'The number of the account; `unmapped` for ledger accounts that belong to no account.',
    ),
    name: string('The name of the account.'),
    type: oneOf(
      GeneralLedgerAccountType,
      'The type of the account; null if it is unmapped.',
    ).orNull(),
    opening: decimal(
      'The balance at the start of the period, at the closing rates of the day before. A debit balance is positive.',
    ),
    reclassified: decimal(
      'What a mapping rule that begins with the period moved to the account. Negative if it moved the balance away.',
    ),
    debit: decimal('The total of the debits, at the closing rates of their accounting dates.'),
    credit: decimal('The total of the credits, at the closing rates of their accounting dates.'),
    translationDifference: decimal(
      'What changes of the rates between the days of the amounts and the last day add to the balance. Positive if they increase a debit balance.',
    ),
    closing: decimal(
      'The balance at the end of the period, at the closing rates of the last day. A debit balance is positive.',
    ),
  },
)
export type TranslatedTrialBalanceLine = TypeOf<typeof TranslatedTrialBalanceLine>

export const TranslatedTrialBalance = shape(
  'TranslatedTrialBalance',
  'The trial balance of an accounting period in all currencies, translated into the functional currency. The closing balances are those of the translated balance sheet of the last day.',
  {
    accountingPeriodId: id('The period, such as `2026-03`.'),
    asOf: date('The last day of the period, or today if the period has not ended.'),
    functionalCurrency: currency('The currency of the amounts.'),
    debit: decimal('The total of all debits.'),
    credit: decimal('The total of all credits; equal to the debits apart from rounding.'),
    roundingDifference: decimal(
      'What the rounding of translated closing balances to minor units adds up to.',
    ),
    isBalanced: boolean(
      'Whether the debit balances equal the credit balances in each currency, so that only rounding remains.',
    ),
    lines: list(object(TranslatedTrialBalanceLine), 'The accounts with an amount, by number.'),
    rates: list(
      object(TranslationRate),
      'The closing rates of the last day, in the order of the currencies.',
    ),
  },
)
export type TranslatedTrialBalance = TypeOf<typeof TranslatedTrialBalance>

export const TranslatedProfitAndLoss = shape(
  'TranslatedProfitAndLoss',
  'The income and the expenses of a range of days in all currencies, translated into the functional currency at the closing rates of their accounting dates, without year-end entries.',
  {
    from: date('The first day.'),
    to: date('The last day, or today if the requested day is later.'),
    functionalCurrency: currency('The currency of the amounts.'),
    income: decimal('The total of the income.'),
    expenses: decimal('The total of the expenses.'),
    result: decimal('The income less the expenses.'),
    translationDifference: decimal(
      'What changes of the rates until the last day add to the result. Negative if they reduce it.',
    ),
    resultAtClosingRates: decimal(
      'The result at the closing rates of the last day: result + translation difference. The translated balance sheet contains it.',
    ),
    lines: list(
      object(FinancialStatementLine),
      'The accounts with a movement, in the order of the chart.',
    ),
    rates: list(
      object(TranslationRate),
      'The closing rates of the last day, in the order of the currencies.',
    ),
  },
)
export type TranslatedProfitAndLoss = TypeOf<typeof TranslatedProfitAndLoss>
