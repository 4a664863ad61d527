import { Problem } from '../domain/problems.ts'
import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { currenciesToTranslate, translatedBalanceSheetOf } from '../domain/translation.ts'
import {
  balancesAfter,
  incomeAndExpensesOf,
  ratesForMovements,
  translatedProfitAndLossOf,
  translatedTrialBalanceOf,
} from '../domain/translated-movements.ts'
import type { ClosingRates, CurrencyDay } from '../domain/closing-rate.ts'
import { firstDayOf, lastDayOf, requirePeriodId } from '../domain/period.ts'
import type { KeyBalance } from '../domain/reports.ts'
import type { TranslatedBalanceSheet, TranslationRate } from '../model/revaluation.ts'
import type { TranslatedProfitAndLoss, TranslatedTrialBalance } from '../model/translation.ts'
import { readChart } from '../store/account.ts'
import { readMapping } from '../store/mapping-rule.ts'
import { readBalances, readDayTotals } from '../store/totals.ts'
import { readClosingRates } from './closing-rates.ts'
import { requireDateRange, statementLineOut } from './reports.ts'

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
    rates: ratesOut(needed, rates),
  }
}

function ratesOut(needed: readonly CurrencyDay[], rates: ClosingRates): TranslationRate[] {
  return needed.map((at) => {
    const { exchangeRateId, asOf } = rates.rateOf(at)
    return { currency: at.currency, rate: rates.valueOf(0n, at).rate, exchangeRateId, asOf }
  })
}

/** Returns the day, or today if the day is later: there are no closing rates of later days. */
function notAfterToday(context: Context, day: LocalDate): LocalDate {
  const today = dateOf(context.now())
  return day < today ? day : today
}

/**
 * Returns the trial balance of a period in all currencies, translated into the functional currency.
 * Throws VALIDATION_FAILED and CLOSING_RATE_MISSING.
 */
export async function readTranslatedTrialBalance(
  context: Context,
  accountingPeriodId: string,
): Promise<TranslatedTrialBalance> {
  requirePeriodId(accountingPeriodId)
  const { functionalCurrency } = context.bank.config
  const first = firstDayOf(accountingPeriodId)
  const days = {
    first,
    before: notAfterToday(context, addDays(first, -1)),
    last: notAfterToday(context, lastDayOf(accountingPeriodId)),
  }
  const [openings, movements, mapping, chart] = await Promise.all([
    readBalances(context, days.before),
    readDayTotals(context, first, days.last),
    readMapping(context),
    readChart(context),
  ])
  const closings = balancesAfter(openings, movements, days.last)
  const at = (day: LocalDate, balances: readonly KeyBalance[]) =>
    currenciesToTranslate(balances, functionalCurrency).map((currency) => ({ currency, day }))
  const needed = at(days.last, closings)
  const rates = await readClosingRates(context, [
    ...needed,
    ...at(days.before, openings),
    ...ratesForMovements(movements),
  ])
  const accounts = translatedTrialBalanceOf(openings, movements, { mapping, rates }, days)
  const sheet = translatedBalanceSheetOf(closings, mapping, chart, rates, days.last)
  const money = (minor: bigint) => formatAmount(minor, functionalCurrency)
  const sum = (member: 'debitMinor' | 'creditMinor') =>
    money(accounts.reduce((total, each) => total + each[member], 0n))
  return {
    accountingPeriodId,
    asOf: days.last,
    functionalCurrency,
    debit: sum('debitMinor'),
    credit: sum('creditMinor'),
    roundingDifference: money(sheet.roundingDifferenceMinor),
    isBalanced: sheet.isBalanced,
    lines: accounts.map((totals) => ({
      accountNumber: totals.accountNumber,
      name: chart.get(totals.accountNumber)?.name ?? totals.accountNumber,
      type: chart.get(totals.accountNumber)?.type ?? null,
      opening: money(totals.openingMinor),
      reclassified: money(totals.reclassifiedMinor),
      debit: money(totals.debitMinor),
      credit: money(totals.creditMinor),
      translationDifference: money(totals.translationDifferenceMinor),
      closing: money(totals.closingMinor),
    })),
    rates: ratesOut(needed, rates),
  }
}

/**
 * Returns the profit and loss statement of a range of days in all currencies, translated into the
 * functional currency. Throws INVALID_DATE_RANGE and CLOSING_RATE_MISSING.
 */
export async function readTranslatedProfitAndLoss(
  context: Context,
  range: { from: LocalDate; to: LocalDate },
): Promise<TranslatedProfitAndLoss> {
  requireDateRange(range.from, range.to)
  const { functionalCurrency } = context.bank.config
  const day = notAfterToday(context, range.to)
  if (range.from > day) {
    const detail = `The first day is ${range.from}; there are rates only up to today, ${day}.`
    const errors = [{ pointer: '/from', code: 'INVALID_DATE_RANGE', detail }]
    throw new Problem('INVALID_DATE_RANGE', { detail, errors })
  }
  const [booked, mapping, chart] = await Promise.all([
    readDayTotals(context, range.from, day),
    readMapping(context),
    readChart(context),
  ])
  const movements = incomeAndExpensesOf(booked, mapping, chart)
  const needed = currenciesToTranslate(balancesAfter([], movements, day), functionalCurrency).map(
    (currency) => ({ currency, day }),
  )
  const rates = await readClosingRates(context, [...needed, ...ratesForMovements(movements)])
  const statement = translatedProfitAndLossOf(movements, { mapping, chart, rates }, day)
  const money = (minor: bigint) => formatAmount(minor, functionalCurrency)
  return {
    from: range.from,
    to: day,
    functionalCurrency,
    income: money(statement.incomeMinor),
    expenses: money(statement.expensesMinor),
    result: money(statement.resultMinor),
    translationDifference: money(statement.translationDifferenceMinor),
    resultAtClosingRates: money(statement.resultMinor + statement.translationDifferenceMinor),
    lines: statement.lines.map((line) => statementLineOut(line, functionalCurrency)),
    rates: ratesOut(needed, rates),
  }
}
