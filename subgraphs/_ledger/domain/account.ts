/** Money moves in two directions; which of them makes an account grow is its normal side. */
export type Side = 'debit' | 'credit'

export const accountTypes = ['asset', 'liability', 'equity', 'income', 'expense'] as const
export type AccountType = (typeof accountTypes)[number]

/**
 * How an account is written. `guarded`: its available balance may not fall below nothing (or its
 * overdraft limit). `unguarded`: it may have any balance. `deferred`: any number write to it at
 * once, so its entries are inserted without touching its balance, which a job folds in later.
 */
export const policies = ['guarded', 'unguarded', 'deferred'] as const
export type Policy = (typeof policies)[number]

/** One account of the general ledger. */
export interface LedgerAccount {
  accountId: string
  /** `customer` for what customers hold, `loan` for what they owe, else the code in the chart. */
  code: string
  arrangementId: string | null
  /** Whose account it is, so that the owner's rights can be told without asking another area. */
  partyId: string | null
  type: AccountType
  normalSide: Side
  currency: string
  policy: Policy
}

/** The side that makes an account of a type grow: what the bank owns and spends is a debit. */
export function normalSideOf(type: AccountType): Side {
  return type === 'asset' || type === 'expense' ? 'debit' : 'credit'
}

interface ChartLine {
  type: AccountType
  meaning: string
}

/** The bank's own accounts by code. Each exists once per currency, from its first use. All are deferred. */
export const chart = {
  settlement: { type: 'asset', meaning: 'Money on its way to and from others inside the bank.' },
  'settlement-sct': { type: 'asset', meaning: 'Money on its way over credit transfers.' },
  nostro: { type: 'asset', meaning: 'What the bank holds with its correspondent.' },
  suspense: { type: 'liability', meaning: 'Money whose owner is not known yet.' },
  'fx-position': { type: 'asset', meaning: "The bank's position in a currency." },
  'fee-receivable': { type: 'asset', meaning: 'Fees that are due and not collected yet.' },
  'fee-income': { type: 'income', meaning: 'Fees charged.' },
  'interest-income': { type: 'income', meaning: 'Interest earned on loans.' },
  'interest-expense': { type: 'expense', meaning: 'Interest paid on deposits.' },
  'loan-losses': { type: 'expense', meaning: 'Loans written off.' },
  capital: { type: 'equity', meaning: 'What the owners put in.' },
} as const satisfies Record<string, ChartLine>

export type ChartCode = keyof typeof chart

/**
 * Control accounts: their balance is the sum of records that one area keeps, so nobody else posts to
 * them. `fee-receivable` is the sum of the open fee receivables in its currency.
 */
export const controlAccounts: ReadonlySet<string> = new Set<ChartCode>(['fee-receivable'])

export function isChartCode(code: string): code is ChartCode {
  return Object.hasOwn(chart, code)
}

/** The id of an account of the bank's own; the slash keeps it apart from every id a client may choose. */
export function internalAccountId(code: ChartCode, currency: string): string {
  return `${code}/${currency}`
}

/** The account behind such an id; null for any other id. */
export function internalAccount(accountId: string): LedgerAccount | null {
  const [code, currency, ...rest] = accountId.split('/')
  if (!code || !currency || rest.length > 0 || !isChartCode(code)) return null
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
