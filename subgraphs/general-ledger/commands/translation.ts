import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { currenciesToTranslate, translatedBalanceSheetOf } from '../domain/translation.ts'
import type { TranslatedBalanceSheet } from '../model/revaluation.ts'
import { readChart } from '../store/account.ts'
import { readMapping } from '../store/mapping-rule.ts'
import { readBalances } from '../store/totals.ts'
import { readClosingRates } from './closing-rates.ts'
import { statementLineOut } from './reports.ts'

/**
 * Returns the balance sheet of all currencies at the end of a day, by default today, translated at the
 * closing rates of the day. Throws CLOSING_RATE_MISSING.
 */
export async function readTranslatedBalanceSheet(
  context: Context,
  asOf: LocalDate | null,
): Promise<TranslatedBalanceSheet> {
  const { functionalCurrency } = context.bank.config
  const day = asOf ?? dateOf(context.now())
  const [balances, mapping, chart] = await Promise.all([
    readBalances(context, day),
    readMapping(context),
    readChart(context),
  ])
  const currencies = currenciesToTranslate(balances, functionalCurrency)
  const needed = currencies.map((currency) => ({ currency, day }))
  const rates = await readClosingRates(context, needed)
  const sheet = translatedBalanceSheetOf(balances, mapping, chart, rates, day)
  const money = (minor: bigint) => formatAmount(minor, functionalCurrency)
  return {
    asOf: day,
    functionalCurrency,
    assets: money(sheet.assetsMinor),
    liabilities: money(sheet.liabilitiesMinor),
    equity: money(sheet.equityMinor),
    result: money(sheet.resultMinor),
    unmapped: money(sheet.unmappedMinor),
    roundingDifference: money(sheet.roundingDifferenceMinor),
    isBalanced: sheet.isBalanced,
    lines: sheet.lines.map((line) => statementLineOut(line, functionalCurrency)),
    rates: needed.map((at) => {
      const { exchangeRateId, asOf: rateAsOf } = rates.rateOf(at)
      return {
        currency: at.currency,
        rate: rates.valueOf(0n, at).rate,
        exchangeRateId,
        asOf: rateAsOf,
      }
    }),
  }
}
