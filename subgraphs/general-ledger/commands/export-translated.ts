import type { CsvRow } from '../../../kernel/domain/csv.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { translatedStatementColumns, translatedTrialBalanceColumns } from '../domain/export.ts'
import { firstDayOf, lastDayOf, requirePeriodId } from '../domain/period.ts'
import type { FinancialStatementLine } from '../model/reports.ts'
import {
  readTranslatedBalanceSheet,
  readTranslatedProfitAndLoss,
  readTranslatedTrialBalance,
} from './translation.ts'

interface ExportedRows {
  columns: readonly string[]
  rows: CsvRow[]
}

/** Returns the rows of a translated trial balance. Throws VALIDATION_FAILED and CLOSING_RATE_MISSING. */
export async function translatedTrialBalanceRows(
  context: Context,
  accountingPeriodId: string,
): Promise<ExportedRows> {
  const balance = await readTranslatedTrialBalance(context, accountingPeriodId)
  const rows = balance.lines.map((line) => ({
    accounting_period: accountingPeriodId,
    as_of: balance.asOf,
    account_number: line.accountNumber,
    account_name: line.name,
    account_type: line.type ?? '',
    functional_currency: balance.functionalCurrency,
    opening: line.opening,
    reclassified: line.reclassified,
    debit: line.debit,
    credit: line.credit,
    translation_difference: line.translationDifference,
    closing: line.closing,
  }))
  return { columns: translatedTrialBalanceColumns, rows }
}

/** Returns the rows of a translated statement. Throws VALIDATION_FAILED and CLOSING_RATE_MISSING. */
export async function translatedStatementRows(
  context: Context,
  report: 'translated-profit-and-loss' | 'translated-balance-sheet',
  accountingPeriodId: string,
): Promise<ExportedRows> {
  requirePeriodId(accountingPeriodId)
  const [from, to] = [firstDayOf(accountingPeriodId), lastDayOf(accountingPeriodId)]
  const { asOf, functionalCurrency, lines } =
    report === 'translated-balance-sheet'
      ? await readTranslatedBalanceSheet(context, earlierOf(to, dateOf(context.now())))
      : await readTranslatedProfitAndLoss(context, { from, to }).then((statement) => ({
          ...statement,
          asOf: statement.to,
        }))
  const rows = lines.map((line: FinancialStatementLine) => ({
    accounting_period: accountingPeriodId,
    as_of: asOf,
    account_number: line.accountNumber,
    account_name: line.name,
    account_type: line.type,
    level: String(line.level),
    functional_currency: functionalCurrency,
    amount: line.amount,
  }))
  return { columns: translatedStatementColumns, rows }
}

const earlierOf = (one: string, other: string) => (one < other ? one : other)
