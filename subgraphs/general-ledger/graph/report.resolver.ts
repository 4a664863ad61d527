import { formatAmount } from '../../../kernel/domain/money.ts'
import { currency, date, id, oneOf, string } from '../../../kernel/domain/model.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { readPeriodEntries, type AccountEntry } from '../commands/entries.ts'
import { exportReport } from '../commands/export.ts'
import { requestJournalFile } from '../commands/journal-file.ts'
import {
  readBalanceSheets,
  readFindings,
  readPositions,
  readProfitAndLoss,
  readReconciliation,
  readTrialBalances,
} from '../commands/reports.ts'
import { GeneralLedgerDimension } from '../model/dimension.ts'
import { JournalFile, JournalFileFormat } from '../model/journal-file.ts'
import {
  AccountingExport,
  AccountingReport,
  BalanceSheet,
  CurrencyPosition,
  ExportFormat,
  GeneralLedgerEntry,
  GeneralLedgerFinding,
  GeneralLedgerTrialBalance,
  ProfitAndLoss,
  ReconciliationLine,
} from '../model/reports.ts'

const accountingPeriodId = id('The month, such as `2026-03`.')
const ofCurrency = currency('Returns only amounts in this currency.').orNull()
const by = oneOf(
  GeneralLedgerDimension,
  'Divides the report: there is one for each product or segment, and one for what belongs to none. Together, they add up to the report of the whole bank.',
).orNull()
const access = { scope: 'accounting:read', isForBankOnly: true } as const

/** The reports of the general ledger. They contain all postings that have an accounting date. */
export const ReportOperations = resolverOf({
  queries: {
    generalLedgerTrialBalances: operation({
      ...access,
      description:
        'Returns the trial balance of an accounting period for each currency. Not available to delegated users.',
      returns: [GeneralLedgerTrialBalance],
      args: { accountingPeriodId, currency: ofCurrency, by },
      resolve: (context, args) => readTrialBalances(context, args.accountingPeriodId, args),
    }),
    balanceSheets: operation({
      ...access,
      description:
        'Returns the balance sheet at the end of a day for each currency. Not available to delegated users.',
      returns: [BalanceSheet],
      args: { asOf: date('The day. Defaults to today.').orNull(), currency: ofCurrency, by },
      resolve: (context, args) => readBalanceSheets(context, args.asOf, args),
    }),
    profitAndLoss: operation({
      ...access,
      description:
        'Returns the income and the expenses of a range of days for each currency. Not available to delegated users.',
      returns: [ProfitAndLoss],
      args: {
        from: date('The first day.'),
        to: date('The last day.'),
        currency: ofCurrency,
        by,
      },
      resolve: (context, args) => readProfitAndLoss(context, args),
    }),
    generalLedgerEntries: listing(GeneralLedgerEntry, {
      ...access,
      description:
        'Lists the entries of an account in an accounting period, in the order of their accounting dates. Not available to delegated users.',
      filters: {
        accountingPeriodId,
        accountNumber: string(
          'Returns only entries of this account. If omitted, the entries of all accounts are returned.',
        ).orNull(),
        currency: ofCurrency,
        productId: id('Returns only entries that belong to this product.').orNull(),
        segment: string(
          'Returns only entries that belong to this customer segment, in lower case.',
        ).orNull(),
        unassignedBy: oneOf(
          GeneralLedgerDimension,
          'Returns only entries that belong to no product, or to no segment.',
        ).orNull(),
      },
      list: async (context, filter, after, take) =>
        (await readPeriodEntries(context, filter, after, take)).map(entryOut),
      sortKey: (entry) => (entry as ListedEntry).sortKey,
    }),
    ledgerReconciliation: operation({
      ...access,
      description:
        'Compares each account of the general ledger with the balances of its ledger accounts. Reads all entries. Not available to delegated users.',
      returns: [ReconciliationLine],
      args: {},
      resolve: (context) => readReconciliation(context),
    }),
    generalLedgerFindings: operation({
      ...access,
      description:
        'Verifies the rules of the general ledger and returns the violations; the list is empty if there are none. Reads all entries. Not available to delegated users.',
      returns: [GeneralLedgerFinding],
      args: {},
      resolve: (context) => readFindings(context),
    }),
    currencyPositions: operation({
      ...access,
      description:
        'Returns the position of the bank in each currency, valued at the exchange rates in force. Not available to delegated users.',
      returns: [CurrencyPosition],
      args: {
        reportingCurrency: currency(
          'The currency in which the positions are valued. Defaults to the functional currency of the bank.',
        ).orNull(),
      },
      resolve: (context, { reportingCurrency }) =>
        readPositions(context, reportingCurrency ?? context.bank.config.functionalCurrency),
    }),
    journalFile: operation({
      ...access,
      description:
        'Returns signed URLs for the journal of an accounting period as a file of any size, and its totals. The URLs are valid for five minutes, unless the token of the caller is revoked. Not available to delegated users.',
      returns: JournalFile,
      args: {
        accountingPeriodId,
        format: oneOf(JournalFileFormat, 'The format of the file. Defaults to CSV.').defaultsTo(
          'csv',
        ),
      },
      resolve: (context, args) => requestJournalFile(context, args.accountingPeriodId, args.format),
    }),
    accountingExport: operation({
      ...access,
      description:
        'Exports a report of an accounting period, in parts of up to 5,000 rows. Not available to delegated users.',
      returns: AccountingExport,
      args: {
        report: oneOf(AccountingReport, 'The report to export.'),
        accountingPeriodId,
        format: oneOf(ExportFormat, 'The format of the content. Defaults to CSV.').defaultsTo(
          'csv',
        ),
        accountNumber: string(
          'The account; required for a detail, and only for a detail.',
        ).orNull(),
        by: oneOf(
          GeneralLedgerDimension,
          'Divides a trial balance: the last column of each row is its product or its segment, empty for what belongs to none. Only for a trial balance.',
        ).orNull(),
        after: string(
          '`next` of the previous part. If omitted, the first part is returned.',
        ).orNull(),
      },
      resolve: (context, args) => exportReport(context, args),
    }),
  },
})

type ListedEntry = GeneralLedgerEntry & { sortKey: string[] }

function entryOut(entry: AccountEntry): ListedEntry {
  const { postingInstructionId, amountMinor, currency: of } = entry
  return {
    accountingDate: entry.accountingDate,
    valueDate: entry.valueDate,
    bookedAt: entry.bookedAt,
    accountNumber: entry.accountNumber,
    ledgerAccountId: entry.ledgerAccountId,
    productId: entry.attribution.productId || null,
    segment: entry.attribution.segment || null,
    postingInstruction: { postingInstructionId },
    side: entry.side,
    amount: formatAmount(amountMinor, of),
    currency: of,
    sortKey: [entry.accountingDate, entry.position.toString(), String(entry.ordinal)],
  }
}
