import { thirdPartyPattern } from '../../kernel/domain/fee.ts'

/** The side of an entry. An entry on the normal side of an account increases its balance. */
export type Side = 'debit' | 'credit'

export const accountTypes = ['asset', 'liability', 'equity', 'income', 'expense'] as const
export type AccountType = (typeof accountTypes)[number]

/**
 * How postings treat the balance of an account. If it is `guarded`, no posting except an advice
 * lowers the available balance, which includes the overdraft limit, below zero. If it is
 * `unguarded`, any balance is possible. If it is `deferred`, the account is accumulating: postings
 * insert entries without updating the balance, so that concurrent postings do not wait for each
 * other; a job aggregates the entries later.
 */
export const policies = ['guarded', 'unguarded', 'deferred'] as const
export type Policy = (typeof policies)[number]

/** An account of the general ledger. */
export interface LedgerAccount {
  accountId: string
  /**
   * `customer` for customer accounts, `loan` for loan accounts, otherwise the account's code in the
   * chart of accounts.
   */
  code: string
  arrangementId: string | null
  /**
   * The owner, stored here so that permissions can be checked without asking another area. null if
   * the account has no owner in the ledger.
   */
  partyId: string | null
  type: AccountType
  normalSide: Side
  currency: string
  policy: Policy
}

/**
 * Returns the normal side of an account type: debit for assets and expenses, credit for all others.
 */
export function normalSideOf(type: AccountType): Side {
  return type === 'asset' || type === 'expense' ? 'debit' : 'credit'
}

interface ChartLine {
  type: AccountType
  meaning: string
  /** Set if money enters and leaves the bank through the account. */
  isTransit?: true
}

/**
 * The chart of accounts: the bank's internal accounts by code. Each exists once per currency, from
 * its first use. All of them are accumulating.
 */
export const chart = {
  settlement: {
    type: 'asset',
    meaning: 'Money in transit on rails without a settlement account of their own.',
    isTransit: true,
  },
  'settlement-sct': {
    type: 'asset',
    meaning: 'Money in transit in SEPA credit transfers.',
    isTransit: true,
  },
  nostro: {
    type: 'asset',
    meaning: "The bank's account at its correspondent bank.",
    isTransit: true,
  },
  suspense: { type: 'liability', meaning: 'Money whose owner is not known yet.', isTransit: true },
  'fx-position': { type: 'asset', meaning: "The bank's position in a currency." },
  'fee-receivable': { type: 'asset', meaning: 'Fees that are due but not collected yet.' },
  'fee-payable': {
    type: 'liability',
    meaning: 'Fees charged on behalf of third parties and not passed on to them yet.',
  },
  'fee-income': { type: 'income', meaning: 'Fees charged.' },
  'interest-income': { type: 'income', meaning: 'Interest earned on loans and overdrafts.' },
  'default-interest-income': {
    type: 'income',
    meaning: 'Interest charged for the late payment of loans.',
  },
  'interest-expense': { type: 'expense', meaning: 'Interest paid on deposits.' },
  'accrued-interest-payable': {
    type: 'liability',
    meaning: 'Interest accrued on deposits and not paid yet.',
  },
  'accrued-interest-receivable': {
    type: 'asset',
    meaning: 'Interest and commitment fees accrued on overdrafts and not charged yet.',
  },
  'withholding-tax-payable': {
    type: 'liability',
    meaning: 'Tax withheld from interest and not remitted to the tax authority yet.',
  },
  'loan-losses': { type: 'expense', meaning: 'Loans written off.' },
  'loan-loss-allowance': {
    type: 'asset',
    meaning: 'Expected credit losses of loans, which reduce their value: its balance is negative.',
  },
  'impairment-expense': { type: 'expense', meaning: 'Changes of expected credit losses.' },
  capital: { type: 'equity', meaning: 'Capital paid in by the owners.' },
} as const satisfies Record<string, ChartLine>

export type ChartCode = keyof typeof chart

/**
 * The control accounts. Their balance equals the total of a subledger, so only the area that keeps
 * the subledger may post to them. `fee-receivable` equals the open fee receivables in its currency,
 * `loan-loss-allowance` the loss allowances, `accrued-interest-payable` the interest that is
 * accrued and not paid, and `accrued-interest-receivable` the interest and the commitment fees of
 * overdrafts that are accrued and not charged.
 */
export const controlAccounts: ReadonlySet<string> = new Set<ChartCode>([
  'fee-receivable',
  'loan-loss-allowance',
  'accrued-interest-payable',
  'accrued-interest-receivable',
])

/**
 * Whether an amount on an internal account belongs to the product and the customer segment for which it was
 * booked: income, expenses and control accounts. What is on the other accounts, such as money in transit,
 * taxes and positions, belongs to the bank as a whole.
 */
export function isAttributable({ code, type }: Pick<LedgerAccount, 'code' | 'type'>): boolean {
  return type === 'income' || type === 'expense' || controlAccounts.has(code)
}

/** Internal accounts through which money enters and leaves the bank. */
export const transitAccounts: ReadonlySet<string> = new Set(
  Object.entries<ChartLine>(chart).flatMap(([code, { isTransit }]) => (isTransit ? [code] : [])),
)

export function isChartCode(code: string): code is ChartCode {
  return Object.hasOwn(chart, code)
}

/**
 * Returns the ID of an internal account. The slash distinguishes it from IDs that clients can
 * choose.
 */
export function internalAccountId(code: ChartCode, currency: string): string {
  return `${code}/${currency}`
}

/** Returns the ID of the internal account with what the bank owes to a third party. */
export function thirdPartyAccountId(thirdParty: string, currency: string): string {
  return `${internalAccountId('fee-payable', currency)}/${thirdParty}`
}

/**
 * Returns the internal account with an ID such as `settlement/EUR` or, for a third party,
 * `fee-payable/EUR/notary`; null for any other ID.
 */
export function internalAccount(accountId: string): LedgerAccount | null {
  const [code, currency, thirdParty, ...rest] = accountId.split('/')
  if (!code || !currency || rest.length > 0 || !isChartCode(code)) return null
  const isAllowed = code === 'fee-payable' && thirdPartyPattern.test(thirdParty ?? '')
  if (thirdParty !== undefined && !isAllowed) return null
  const { type } = chart[code]
  return {
    accountId,
    code,
    arrangementId: null,
    partyId: null,
    type,
    normalSide: normalSideOf(type),
    currency,
    policy: 'deferred',
  }
}
