import type { ChartCode } from '../../../ledger/domain/account.ts'
import type { GeneralLedgerAccount, GeneralLedgerAccountType } from '../model/account.ts'

/** When the default chart was created: before everything else. */
const createdAt = new Date('2000-01-01T00:00:00Z')

type Line = readonly [
  accountNumber: string,
  name: string,
  type: GeneralLedgerAccountType,
  parentNumber: string | null,
  usage?: 'header' | 'subledger',
]

/**
 * The accounts that exist from the start. A `subledger` account shows what another area keeps, so
 * nothing is booked on it by hand.
 */
const lines: readonly Line[] = [
  ['1000', 'Assets', 'asset', null, 'header'],
  ['1100', 'Balances with other banks', 'asset', '1000', 'header'],
  ['1110', 'Nostro accounts', 'asset', '1100'],
  ['1120', 'Payments in transit', 'asset', '1100'],
  ['1121', 'SEPA credit transfers in transit', 'asset', '1100'],
  ['1200', 'Loans to customers', 'asset', '1000', 'header'],
  ['1210', 'Loans', 'asset', '1200', 'subledger'],
  ['1220', 'Loan loss allowance', 'asset', '1200', 'subledger'],
  ['1300', 'Other assets', 'asset', '1000', 'header'],
  ['1310', 'Fees receivable', 'asset', '1300', 'subledger'],
  ['1320', 'Other receivables', 'asset', '1300'],
  ['1330', 'Accrued interest receivable', 'asset', '1300', 'subledger'],
  ['1900', 'Foreign exchange positions', 'asset', '1000'],
  ['1910', 'Revaluation of foreign exchange positions', 'asset', '1000', 'subledger'],
  ['2000', 'Liabilities', 'liability', null, 'header'],
  ['2100', 'Customer deposits', 'liability', '2000', 'subledger'],
  ['2200', 'Suspense accounts', 'liability', '2000'],
  ['2300', 'Accrued interest payable', 'liability', '2000', 'subledger'],
  ['2400', 'Withholding tax payable', 'liability', '2000'],
  ['2500', 'Fees payable to third parties', 'liability', '2000'],
  ['2900', 'Other liabilities', 'liability', '2000'],
  ['3000', 'Equity', 'equity', null, 'header'],
  ['3100', 'Share capital', 'equity', '3000'],
  ['3200', 'Retained earnings', 'equity', '3000'],
  ['4000', 'Income', 'income', null, 'header'],
  ['4100', 'Interest income', 'income', '4000'],
  ['4110', 'Default interest income', 'income', '4000'],
  ['4200', 'Fee income', 'income', '4000'],
  ['4300', 'Foreign exchange gains', 'income', '4000', 'subledger'],
  ['4900', 'Other income', 'income', '4000'],
  ['5000', 'Expenses', 'expense', null, 'header'],
  ['5100', 'Interest expense', 'expense', '5000'],
  ['5200', 'Loan losses', 'expense', '5000'],
  ['5300', 'Changes of the loan loss allowance', 'expense', '5000'],
  ['5400', 'Foreign exchange losses', 'expense', '5000', 'subledger'],
  ['5900', 'Other expenses', 'expense', '5000'],
]

/** The accounts that exist from the start, by number. A stored account replaces one of these. */
export const defaultAccounts: ReadonlyMap<string, GeneralLedgerAccount> = new Map(
  lines.map(([accountNumber, name, type, parentNumber, usage]) => [
    accountNumber,
    {
      accountNumber,
      name,
      type,
      usage: usage === 'header' ? 'header' : 'posting',
      parentNumber,
      currencies: [],
      allowsManualEntries: usage === undefined,
      isActive: true,
      contentHash: '',
      version: 0,
      createdAt,
      updatedAt: createdAt,
    },
  ]),
)

/** The codes of ledger accounts that are not internal accounts. */
type SubledgerCode = 'customer' | 'loan'

/**
 * The account of the general ledger to which the ledger accounts with a code belong, unless a
 * mapping rule says otherwise. If you add a code to the chart of the ledger, add it here; the
 * program does not compile without it.
 */
export const defaultMapping: Readonly<Record<ChartCode | SubledgerCode, string>> = {
  customer: '2100',
  loan: '1210',
  settlement: '1120',
  'settlement-sct': '1121',
  nostro: '1110',
  suspense: '2200',
  'fx-position': '1900',
  'fee-receivable': '1310',
  'fee-payable': '2500',
  'fee-income': '4200',
  'interest-income': '4100',
  'default-interest-income': '4110',
  'interest-expense': '5100',
  'accrued-interest-payable': '2300',
  'accrued-interest-receivable': '1330',
  'withholding-tax-payable': '2400',
  'loan-losses': '5200',
  'loan-loss-allowance': '1220',
  'impairment-expense': '5300',
  capital: '3100',
}

/** The accounts of a revaluation of positions in other currencies. */
export const revaluationAccounts = { position: '1910', gains: '4300', losses: '5400' } as const

/** The code of the ledger accounts against which exchanges are booked. */
export const positionCode = 'fx-position' satisfies ChartCode

/** The account into which a fiscal year is closed. */
export const retainedEarnings = '3200'
