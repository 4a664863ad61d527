import {
  currency,
  date,
  decimal,
  enumeration,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  reference,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { GeneralLedgerAccountType } from './account.ts'
import { dimensionMembers } from './dimension.ts'
import { EntrySide } from './journal-entry.ts'

export const PostingInstructionStub = reference('PostingInstruction', {
  postingInstructionId: id(),
})

export const TrialBalanceLine = shape(
  'GeneralLedgerTrialBalanceLine',
  'An account in the trial balance of a period. Opening + reclassified + debits − credits = closing.',
  {
    accountNumber: string(
      'The number of the account; `unmapped` for ledger accounts that belong to no account.',
    ),
    name: string('The name of the account.'),
    type: oneOf(
      GeneralLedgerAccountType,
      'The type of the account; null if it is unmapped.',
    ).orNull(),
    opening: decimal('The balance at the start of the period. A debit balance is positive.'),
    reclassified: decimal(
      'What a mapping rule that begins with the period moved to the account. Negative if it moved the balance away.',
    ),
    debit: decimal('The total of the debits in the period.'),
    credit: decimal('The total of the credits in the period.'),
    closing: decimal('The balance at the end of the period. A debit balance is positive.'),
  },
)
export type TrialBalanceLine = TypeOf<typeof TrialBalanceLine>

export const GeneralLedgerTrialBalance = shape(
  'GeneralLedgerTrialBalance',
  'The trial balance of an accounting period in one currency, by account of the general ledger.',
  {
    accountingPeriodId: id('The period, such as `2026-03`.'),
    currency: currency('The currency of the amounts.'),
    ...dimensionMembers,
    debit: decimal('The total of all debits in the period.'),
    credit: decimal(
      'The total of all credits in the period. Equal to the debits, except in a report by product or segment.',
    ),
    lines: list(object(TrialBalanceLine), 'The accounts with a balance or a movement, by number.'),
  },
)
export type GeneralLedgerTrialBalance = TypeOf<typeof GeneralLedgerTrialBalance>

export const FinancialStatementLine = shape(
  'FinancialStatementLine',
  'An account in a balance sheet or in a profit and loss statement.',
  {
    accountNumber: string('The number of the account.'),
    name: string('The name of the account.'),
    type: oneOf(GeneralLedgerAccountType, 'The type of the account.'),
    level: integer('The level of the account in the chart, 0 at the top.'),
    amount: decimal(
      'The balance on the normal side of the account. For a header account, the total of the accounts below it.',
    ),
  },
)
export type FinancialStatementLine = TypeOf<typeof FinancialStatementLine>

export const BalanceSheet = shape(
  'BalanceSheet',
  'The balance sheet of the bank in one currency. Assets = liabilities + equity + result, except for one product or segment: the difference is what it lends to the rest of the bank.',
  {
    asOf: date('The day at whose end the balances are.'),
    currency: currency('The currency of the amounts.'),
    ...dimensionMembers,
    assets: decimal('The total of the assets.'),
    liabilities: decimal('The total of the liabilities.'),
    equity: decimal('The total of the equity accounts.'),
    result: decimal(
      'Income less expenses that no year-end entry has transferred to retained earnings.',
    ),
    unmapped: decimal(
      'The balance of ledger accounts that belong to no account; zero if the mapping is complete.',
    ),
    lines: list(
      object(FinancialStatementLine),
      'The accounts with a balance, in the order of the chart.',
    ),
  },
)
export type BalanceSheet = TypeOf<typeof BalanceSheet>

export const ProfitAndLoss = shape(
  'ProfitAndLoss',
  'The income and the expenses of a range of days in one currency, without year-end entries.',
  {
    from: date('The first day.'),
    to: date('The last day.'),
    currency: currency('The currency of the amounts.'),
    ...dimensionMembers,
    income: decimal('The total of the income.'),
    expenses: decimal('The total of the expenses.'),
    result: decimal('The income less the expenses.'),
    lines: list(
      object(FinancialStatementLine),
      'The accounts with a movement, in the order of the chart.',
    ),
  },
)
export type ProfitAndLoss = TypeOf<typeof ProfitAndLoss>

export const GeneralLedgerEntry = shape(
  'GeneralLedgerEntry',
  'An entry of a ledger account, as it is shown in the general ledger.',
  {
    accountingDate: date('The day on which the entry is shown. It never changes.'),
    valueDate: date('The value date of the posting.'),
    bookedAt: instant('When the posting was booked, in UTC.'),
    accountNumber: string('The number of the account; `unmapped` if the entry belongs to none.'),
    ledgerAccountId: id('The ledger account of the entry.'),
    productId: id('The product to which the entry belongs; null if it belongs to none.').orNull(),
    segment: string(
      'The customer segment to which the entry belongs, in lower case; null if it belongs to none.',
    ).orNull(),
    postingInstruction: object(
      PostingInstructionStub,
      'The posting instruction of the entry.',
    ).orNull(),
    side: oneOf(EntrySide, 'Whether the amount is debited or credited.'),
    amount: decimal('The amount, greater than zero.'),
    currency: currency('The currency of the amount.'),
  },
)
export type GeneralLedgerEntry = TypeOf<typeof GeneralLedgerEntry>

export const GeneralLedgerFindingKind = enumeration(
  'GeneralLedgerFindingKind',
  'The rule of the general ledger that is violated.',
  {
    unmapped: 'Ledger accounts belong to no account of the general ledger.',
    'type-mismatch':
      'Ledger accounts belong to an account of another type, or to a header account.',
    difference: 'The total of an account differs from the balances of its ledger accounts.',
    'dimension-difference':
      'The total of a product or a segment is not the sum of the entries that belong to it.',
    'closed-period':
      'The totals of a closed period differ from those that were stored when it was closed.',
    'not-revalued':
      'The last closed period ended with positions in other currencies that were not revalued.',
    'outdated-revaluation':
      'A position, its cost or its closing rate changed after the revaluation of a period.',
  },
)
export type GeneralLedgerFindingKind = TypeOf<typeof GeneralLedgerFindingKind>

export const GeneralLedgerFinding = shape(
  'GeneralLedgerFinding',
  'A violated rule of the general ledger.',
  {
    kind: oneOf(GeneralLedgerFindingKind, 'The rule that is violated.'),
    subject: string('The code of the ledger accounts, the account or the period concerned.'),
    detail: string('What was found.'),
  },
)
export type GeneralLedgerFinding = TypeOf<typeof GeneralLedgerFinding>

export const ReconciliationLine = shape(
  'LedgerReconciliationLine',
  'An account of the general ledger with the balances of its ledger accounts in one currency. Debit balances are positive.',
  {
    accountNumber: string(
      'The number of the account; `unmapped` for ledger accounts that belong to no account.',
    ),
    currency: currency('The currency of the amounts.'),
    generalLedger: decimal('The balance of the account in the general ledger.'),
    notDated: decimal(
      'The entries of postings that do not have an accounting date yet. They are dated within seconds.',
    ),
    ledger: decimal('The sum of the balances of the ledger accounts.'),
    difference: decimal('The ledger less the general ledger and the entries without a date; zero.'),
  },
)
export type ReconciliationLine = TypeOf<typeof ReconciliationLine>

export const CurrencyPosition = shape(
  'CurrencyPosition',
  'The position of the bank in a currency, which exchanges between currencies create.',
  {
    currency: currency('The currency of the position.'),
    position: decimal(
      'What the bank is long in the currency; negative if it is short: credits less debits of the position account.',
    ),
    reportingCurrency: currency('The currency in which the position is valued.'),
    rate: decimal(
      'The value of one unit of the currency in the reporting currency; null if there is no rate in force.',
    ).orNull(),
    value: decimal(
      'The value of the position in the reporting currency; null if there is no rate in force.',
    ).orNull(),
  },
)
export type CurrencyPosition = TypeOf<typeof CurrencyPosition>

export const AccountingReport = enumeration('AccountingReport', 'A report that can be exported.', {
  'trial-balance': 'The trial balance of the period in all currencies.',
  'translated-trial-balance':
    'The trial balance of the period, translated into the functional currency.',
  'translated-profit-and-loss':
    'The income and the expenses of the period, translated into the functional currency.',
  'translated-balance-sheet':
    'The balance sheet at the end of the period, or of today, translated into the functional currency.',
  detail: 'The entries of one account in the period, in the order of the accounting dates.',
  journal: 'The entries of all accounts in the period, in the order of the accounting dates.',
})
export type AccountingReport = TypeOf<typeof AccountingReport>

export const ExportFormat = enumeration('AccountingExportFormat', 'The format of an export.', {
  csv: 'Comma-separated values (RFC 4180) in UTF-8, with a header.',
  json: 'A JSON array with one object per row.',
})
export type ExportFormat = TypeOf<typeof ExportFormat>

export const AccountingExport = shape(
  'AccountingExport',
  'A part of an exported report, with up to 5,000 rows.',
  {
    fileName: string('A name for the file, such as `journal-2026-03.csv`.'),
    mediaType: string('The media type of the content.'),
    content: string(
      'The content. In CSV, only the first part has the header, so that the parts can be joined.',
    ),
    rowCount: integer('The number of rows in this part.'),
    next: string('Pass it as `after` to get the next part; null if this is the last one.').orNull(),
  },
)
export type AccountingExport = TypeOf<typeof AccountingExport>
