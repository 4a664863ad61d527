import { formatAmount } from '../../../kernel/domain/money.ts'
import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { byValue, membersOf } from '../domain/dimension.ts'
import { compareAccounts, differenceOf } from '../domain/findings.ts'
import { firstDayOf, lastDayOf, requirePeriodId } from '../domain/period.ts'
import { positionCode } from '../domain/default-chart.ts'
import { valueOf } from '../domain/position.ts'
import {
  balanceSheetsOf,
  profitAndLossOf,
  trialBalanceOf,
  type BalanceSheetTotals,
  type StatementLine,
} from '../domain/reports.ts'
import type { GeneralLedgerDimension } from '../model/dimension.ts'
import type {
  BalanceSheet,
  CurrencyPosition,
  FinancialStatementLine,
  GeneralLedgerFinding,
  GeneralLedgerTrialBalance,
  ProfitAndLoss,
  ReconciliationLine,
} from '../model/reports.ts'
import { RateInForceDocument } from '../queries.generated.ts'
import { readChart } from '../store/account.ts'
import { readMapping } from '../store/mapping-rule.ts'
import { readComparison } from '../store/reconciliation.ts'
import { readBalances, readMovements, readTotals } from '../store/totals.ts'
import { checkBooks } from './check-books.ts'
import { readRevaluationFindings } from './revaluation-findings.ts'

/** What a report contains: one currency or all, and by which dimension it is divided, if any. */
export interface ReportFilter {
  currency: string | null
  by: GeneralLedgerDimension | null
}

/**
 * Returns the trial balance of a period for each currency, and for each product or segment if it is
 * divided. Throws VALIDATION_FAILED.
 */
export async function readTrialBalances(
  context: Context,
  accountingPeriodId: string,
  { currency, by }: ReportFilter,
): Promise<GeneralLedgerTrialBalance[]> {
  requirePeriodId(accountingPeriodId)
  const [from, to] = [firstDayOf(accountingPeriodId), lastDayOf(accountingPeriodId)]
  const [keys, mapping, chart] = await Promise.all([
    readTotals(context, from, to, currency, by),
    readMapping(context),
    readChart(context),
  ])
  const balances = byValue(keys).flatMap(([value, ofValue]) =>
    trialBalanceOf(ofValue, mapping, from, addDays(from, -1)).map((each) => ({
      ...each,
      ...membersOf(by, value),
    })),
  )
  return balances.map(({ currency: of, accounts, productId, segment }) => {
    const money = (minor: bigint) => formatAmount(minor, of)
    const sum = (member: 'debitMinor' | 'creditMinor') =>
      money(accounts.reduce((total, each) => total + each[member], 0n))
    return {
      accountingPeriodId,
      currency: of,
      productId,
      segment,
      debit: sum('debitMinor'),
      credit: sum('creditMinor'),
      lines: accounts.map((totals) => {
        const account = chart.get(totals.accountNumber)
        return {
          accountNumber: totals.accountNumber,
          name: account?.name ?? totals.accountNumber,
          type: account?.type ?? null,
          opening: money(totals.openingMinor),
          reclassified: money(totals.reclassifiedMinor),
          debit: money(totals.debitMinor),
          credit: money(totals.creditMinor),
          closing: money(totals.closingMinor),
        }
      }),
    }
  })
}

/** Returns a line of a statement with its amount as a decimal. */
export function statementLineOut(
  { account, level, balanceMinor }: StatementLine,
  currency: string,
): FinancialStatementLine {
  const { accountNumber, name, type } = account
  return { accountNumber, name, type, level, amount: formatAmount(balanceMinor, currency) }
}

/**
 * Returns the balance sheet at the end of a day, by default today, for each currency, and for each
 * product or segment if it is divided.
 */
export async function readBalanceSheets(
  context: Context,
  asOf: LocalDate | null,
  { currency, by }: ReportFilter,
): Promise<BalanceSheet[]> {
  const day = asOf ?? dateOf(context.now())
  const [balances, mapping, chart] = await Promise.all([
    readBalances(context, day, currency, by),
    readMapping(context),
    readChart(context),
  ])
  const sheets = byValue(balances).flatMap(([value, ofValue]) =>
    balanceSheetsOf(ofValue, mapping, chart)
      .filter((sheet) => by === null || hasAmounts(sheet))
      .map((sheet) => ({ ...sheet, ...membersOf(by, value) })),
  )
  return sheets.map((sheet) => {
    const money = (minor: bigint) => formatAmount(minor, sheet.currency)
    return {
      asOf: day,
      currency: sheet.currency,
      productId: sheet.productId,
      segment: sheet.segment,
      assets: money(sheet.assetsMinor),
      liabilities: money(sheet.liabilitiesMinor),
      equity: money(sheet.equityMinor),
      result: money(sheet.resultMinor),
      unmapped: money(sheet.unmappedMinor),
      lines: sheet.lines.map((line) => statementLineOut(line, sheet.currency)),
    }
  })
}

/**
 * Whether a balance sheet has an amount. A product can have a result alone, if its customers have
 * withdrawn everything.
 */
const hasAmounts = ({ lines, resultMinor, unmappedMinor }: BalanceSheetTotals): boolean =>
  lines.length > 0 || resultMinor !== 0n || unmappedMinor !== 0n

/** Throws INVALID_DATE_RANGE if the first day is after the last. */
export function requireDateRange(from: LocalDate, to: LocalDate): void {
  if (from <= to) return
  const detail = `The first day is ${from}; it must not be after the last day, ${to}.`
  const errors = [{ pointer: '/to', code: 'INVALID_DATE_RANGE', detail }]
  throw new Problem('INVALID_DATE_RANGE', { detail, errors })
}

/**
 * Returns the profit and loss statement of a range of days for each currency, and for each product or
 * segment if it is divided. Throws INVALID_DATE_RANGE.
 */
export async function readProfitAndLoss(
  context: Context,
  { from, to, currency, by }: ReportFilter & { from: LocalDate; to: LocalDate },
): Promise<ProfitAndLoss[]> {
  requireDateRange(from, to)
  const [movements, mapping, chart] = await Promise.all([
    readMovements(context, from, to, currency, by),
    readMapping(context),
    readChart(context),
  ])
  const statements = byValue(movements).flatMap(([value, ofValue]) =>
    profitAndLossOf(ofValue, mapping, chart).map((each) => ({ ...each, ...membersOf(by, value) })),
  )
  return statements.map((statement) => {
    const money = (minor: bigint) => formatAmount(minor, statement.currency)
    return {
      from,
      to,
      currency: statement.currency,
      productId: statement.productId,
      segment: statement.segment,
      income: money(statement.incomeMinor),
      expenses: money(statement.expensesMinor),
      result: money(statement.resultMinor),
      lines: statement.lines.map((line) => statementLineOut(line, statement.currency)),
    }
  })
}

/** Compares each account of the general ledger with its ledger accounts. */
export async function readReconciliation(context: Context): Promise<ReconciliationLine[]> {
  const [keys, mapping] = await Promise.all([
    readComparison(context.bank.pool),
    readMapping(context),
  ])
  return compareAccounts(keys, mapping, dateOf(context.now())).map((each) => {
    const money = (minor: bigint) => formatAmount(minor, each.currency)
    return {
      accountNumber: each.accountNumber,
      currency: each.currency,
      generalLedger: money(each.generalLedgerMinor),
      notDated: money(each.notDatedMinor),
      ledger: money(each.ledgerMinor),
      difference: money(differenceOf(each)),
    }
  })
}

/** Returns the violated rules of the general ledger. */
export async function readFindings(context: Context): Promise<GeneralLedgerFinding[]> {
  const [books, revaluations] = await Promise.all([
    checkBooks(context, context.bank.pool),
    readRevaluationFindings(context),
  ])
  return [...books, ...revaluations]
}

/** Returns the position of the bank in each currency, valued at the rates in force. */
export async function readPositions(
  context: Context,
  reportingCurrency: string,
): Promise<CurrencyPosition[]> {
  const balances = await readBalances(context, dateOf(context.now()))
  const positions = balances.filter(({ ledgerCode }) => ledgerCode === positionCode)
  return Promise.all(
    positions.map(async ({ currency, balanceMinor }) => {
      // A credit of the position account is what the bank received, so that it is long.
      const positionMinor = -balanceMinor
      const rate = await readRate(context, currency, reportingCurrency)
      const valued = rate && valueOf(positionMinor, currency, reportingCurrency, rate)
      return {
        currency,
        position: formatAmount(positionMinor, currency),
        reportingCurrency,
        rate: valued && valued.rate,
        value: valued && formatAmount(valued.valueMinor, reportingCurrency),
      }
    }),
  )
}

async function readRate({ bank }: Context, baseCurrency: string, quoteCurrency: string) {
  if (baseCurrency === quoteCurrency) return { baseCurrency, rate: '1' }
  const variables = { baseCurrency, quoteCurrency }
  const { exchangeRate } = await bank.queryGraph(RateInForceDocument, variables)
  return exchangeRate ?? null
}
