import { csvOf, type CsvRow } from '../../../kernel/domain/csv.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dimensionColumns, entryColumns, trialBalanceColumns } from '../domain/export.ts'
import { invalidInput } from '../domain/chart.ts'
import type { GeneralLedgerDimension } from '../model/dimension.ts'
import type { AccountingExport, AccountingReport, ExportFormat } from '../model/reports.ts'
import { entrySortKey } from '../store/entries.ts'
import { allEntries, readPeriodEntries, type AccountEntry } from './entries.ts'
import { translatedStatementRows, translatedTrialBalanceRows } from './export-translated.ts'
import { readTrialBalances } from './reports.ts'

const maxRows = 5000

/** What to export. */
export interface ExportRequest {
  report: AccountingReport
  format: ExportFormat
  accountingPeriodId: string
  /** The account of a detail. */
  accountNumber: string | null
  /** By which dimension a trial balance is divided, if any. */
  by: GeneralLedgerDimension | null
  /** Where the next part begins; null for the first part. */
  after: string | null
}

/**
 * Exports a report of a period, in parts of up to 5,000 rows. Throws VALIDATION_FAILED and
 * GENERAL_LEDGER_ACCOUNT_NOT_FOUND (422), and CLOSING_RATE_MISSING for a translated report.
 */
export async function exportReport(
  context: Context,
  request: ExportRequest,
): Promise<AccountingExport> {
  const { report, format, accountingPeriodId, after } = request
  if ((report === 'detail') !== (request.accountNumber !== null)) {
    throw invalidInput(
      '/accountNumber',
      'Send the account number for a detail, and for no other report.',
    )
  }
  if (request.by !== null && report !== 'trial-balance') {
    throw invalidInput('/by', 'Only a trial balance is exported by product or segment.')
  }
  const part = await partOf(context, request)
  const { columns } = part
  const isCsv = format === 'csv'
  const name = [
    report,
    ...(request.accountNumber ? [request.accountNumber] : []),
    ...(request.by ? ['by', request.by] : []),
    accountingPeriodId,
  ]
  return {
    fileName: `${name.join('-')}.${format}`,
    mediaType: isCsv ? 'text/csv; charset=utf-8' : 'application/json',
    content: isCsv ? csvOf(columns, part.rows, after === null) : JSON.stringify(part.rows),
    rowCount: part.rows.length,
    next: part.next,
  }
}

interface ExportedPart {
  columns: readonly string[]
  rows: CsvRow[]
  next: string | null
}

async function partOf(context: Context, request: ExportRequest): Promise<ExportedPart> {
  const { report, accountingPeriodId, by } = request
  switch (report) {
    case 'trial-balance':
      return {
        columns: [...trialBalanceColumns, ...(by === null ? [] : [dimensionColumns[by]])],
        rows: await trialBalanceRows(context, accountingPeriodId, by),
        next: null,
      }
    case 'translated-trial-balance':
      return { ...(await translatedTrialBalanceRows(context, accountingPeriodId)), next: null }
    case 'translated-profit-and-loss':
    case 'translated-balance-sheet':
      return { ...(await translatedStatementRows(context, report, accountingPeriodId)), next: null }
    case 'detail':
    case 'journal':
      return { columns: entryColumns, ...(await entryRows(context, request)) }
  }
}

async function trialBalanceRows(
  context: Context,
  accountingPeriodId: string,
  by: GeneralLedgerDimension | null,
): Promise<CsvRow[]> {
  const balances = await readTrialBalances(context, accountingPeriodId, { currency: null, by })
  return balances.flatMap(({ currency, productId, segment, lines }) =>
    lines.map((line) => ({
      accounting_period: accountingPeriodId,
      account_number: line.accountNumber,
      account_name: line.name,
      account_type: line.type ?? '',
      currency,
      opening: line.opening,
      reclassified: line.reclassified,
      debit: line.debit,
      credit: line.credit,
      closing: line.closing,
      ...(by !== null && { [dimensionColumns[by]]: productId ?? segment ?? '' }),
    })),
  )
}

async function entryRows(
  context: Context,
  { accountingPeriodId, accountNumber, after }: ExportRequest,
): Promise<{ rows: CsvRow[]; next: string | null }> {
  const filter = { accountingPeriodId, accountNumber, currency: null, ...allEntries }
  const entries = await readPeriodEntries(context, filter, sortKeyFrom(after), maxRows + 1)
  const page = entries.slice(0, maxRows)
  const hasMore = entries.length > maxRows
  return { rows: page.map(entryTexts), next: hasMore ? entrySortKey(page.at(-1)!).join('~') : null }
}

function sortKeyFrom(after: string | null): string[] | null {
  if (after === null) return null
  if (/^\d{4}-\d\d-\d\d~\d{1,18}~\d{1,6}$/.test(after)) return after.split('~')
  throw invalidInput('/after', 'The value is not `next` of another part.')
}

/** Returns the texts of an exported entry by the names of their columns. */
export function entryTexts(entry: AccountEntry): CsvRow {
  const amount = formatAmount(entry.amountMinor, entry.currency)
  return {
    accounting_date: entry.accountingDate,
    value_date: entry.valueDate,
    booked_at: entry.bookedAt.toISOString(),
    account_number: entry.accountNumber,
    account_name: entry.accountName,
    ledger_account_id: entry.ledgerAccountId,
    posting_instruction_id: entry.postingInstructionId,
    entry_number: String(entry.ordinal),
    debit: entry.side === 'debit' ? amount : '',
    credit: entry.side === 'credit' ? amount : '',
    currency: entry.currency,
  }
}
