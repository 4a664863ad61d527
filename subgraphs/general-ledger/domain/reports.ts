import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { GeneralLedgerAccount, GeneralLedgerAccountType } from '../model/account.ts'
import { treeOf, type Chart } from './chart.ts'
import type { LedgerKey, Mapping } from './mapping.ts'

/**
 * The totals of the ledger accounts with the same code, product and currency, in minor units. A
 * debit balance is positive.
 */
export interface KeyTotals extends LedgerKey {
  currency: string
  openingMinor: bigint
  debitMinor: bigint
  creditMinor: bigint
  /** What changed rates add to the balance of a translated total. Omitted: zero. */
  translationDifferenceMinor?: bigint
}

/** The totals of an account in one currency. A debit balance is positive. */
export interface AccountTotals {
  accountNumber: string
  openingMinor: bigint
  /** What a mapping rule moved to the account, or away from it, at the start of the period. */
  reclassifiedMinor: bigint
  debitMinor: bigint
  creditMinor: bigint
  /** What changed rates add to a translated balance; zero if nothing is translated. */
  translationDifferenceMinor: bigint
  closingMinor: bigint
}

/** The trial balance of a period in one currency. */
export interface PeriodTotals {
  currency: string
  accounts: AccountTotals[]
}

/** The account number of totals to which no mapping rule applies. */
export const unmapped = 'unmapped'

/**
 * Returns the trial balance of a period for each currency. `firstDay` is the first day of the
 * period. The opening balances are those with which the previous period ended; a mapping rule that
 * begins on the first day reclassifies the balances of its ledger accounts. Opening + reclassified +
 * debits − credits + translation difference = closing for each account, and all balances of a currency
 * add up to zero.
 */
export function trialBalanceOf(
  keys: readonly KeyTotals[],
  mapping: Mapping,
  firstDay: LocalDate,
  dayBefore: LocalDate,
): PeriodTotals[] {
  const currencies = new Map<string, Map<string, AccountTotals>>()
  const totalsOf = (currency: string, accountNumber: string): AccountTotals => {
    const accounts = currencies.get(currency) ?? new Map<string, AccountTotals>()
    currencies.set(currency, accounts)
    const totals = accounts.get(accountNumber) ?? {
      accountNumber,
      openingMinor: 0n,
      reclassifiedMinor: 0n,
      debitMinor: 0n,
      creditMinor: 0n,
      translationDifferenceMinor: 0n,
      closingMinor: 0n,
    }
    accounts.set(accountNumber, totals)
    return totals
  }
  for (const key of keys) {
    const { currency, openingMinor, debitMinor, creditMinor } = key
    const { translationDifferenceMinor = 0n } = key
    const before = totalsOf(currency, mapping.accountOf(key, dayBefore) ?? unmapped)
    const totals = totalsOf(currency, mapping.accountOf(key, firstDay) ?? unmapped)
    before.openingMinor += openingMinor
    before.closingMinor += openingMinor
    if (before !== totals) {
      before.reclassifiedMinor -= openingMinor
      before.closingMinor -= openingMinor
      totals.reclassifiedMinor += openingMinor
      totals.closingMinor += openingMinor
    }
    totals.debitMinor += debitMinor
    totals.creditMinor += creditMinor
    totals.translationDifferenceMinor += translationDifferenceMinor
    totals.closingMinor += debitMinor - creditMinor + translationDifferenceMinor
  }
  return [...currencies]
    .map(([currency, accounts]) => ({
      currency,
      accounts: [...accounts.values()].filter(isUsed).sort(byNumber),
    }))
    .filter(({ accounts }) => accounts.length > 0)
    .sort((one, other) => (one.currency < other.currency ? -1 : 1))
}

function isUsed(totals: AccountTotals): boolean {
  const { openingMinor, reclassifiedMinor, debitMinor, creditMinor } = totals
  const { translationDifferenceMinor } = totals
  return [
    openingMinor,
    reclassifiedMinor,
    debitMinor,
    creditMinor,
    translationDifferenceMinor,
  ].some((minor) => minor !== 0n)
}

function byNumber(one: AccountTotals, other: AccountTotals): number {
  return one.accountNumber < other.accountNumber ? -1 : 1
}

/** A line of a balance sheet or of a profit and loss statement, in minor units. */
export interface StatementLine {
  account: GeneralLedgerAccount
  /** The level of the account in the tree, 0 at the top. */
  level: number
  /** The balance on the normal side of the account, with all accounts below a header account. */
  balanceMinor: bigint
}

/** A balance sheet in one currency, in minor units. */
export interface BalanceSheetTotals {
  currency: string
  lines: StatementLine[]
  assetsMinor: bigint
  liabilitiesMinor: bigint
  equityMinor: bigint
  /** Income less expenses that no year-end entry has transferred to retained earnings. */
  resultMinor: bigint
  /** What belongs to no account of the chart; zero if the mapping is complete. */
  unmappedMinor: bigint
}

/** A profit and loss statement in one currency, in minor units. */
export interface ProfitAndLossTotals {
  currency: string
  lines: StatementLine[]
  incomeMinor: bigint
  expensesMinor: bigint
  resultMinor: bigint
}

/** A balance of ledger accounts on a day. A debit balance is positive. */
export interface KeyBalance extends LedgerKey {
  currency: string
  balanceMinor: bigint
  /** The day by which the ledger accounts are assigned to an account of the general ledger. */
  day: LocalDate
}

/** Returns the balance sheet of each currency. Assets = liabilities + equity + result. */
export function balanceSheetsOf(
  balances: readonly KeyBalance[],
  mapping: Mapping,
  chart: Chart,
): BalanceSheetTotals[] {
  return inCurrencies(balances, mapping, (currency, byAccount) => {
    const total = (type: GeneralLedgerAccountType) => totalOf(byAccount, chart, type)
    const known = [...byAccount].filter(([accountNumber]) => !chart.has(accountNumber))
    return {
      currency,
      lines: linesOf(byAccount, chart, ['asset', 'liability', 'equity']),
      assetsMinor: total('asset'),
      liabilitiesMinor: total('liability'),
      equityMinor: total('equity'),
      resultMinor: total('income') - total('expense'),
      unmappedMinor: known.reduce((sum, [, minor]) => sum + minor, 0n),
    }
  })
}

/** Returns the profit and loss statement of each currency. Result = income − expenses. */
export function profitAndLossOf(
  movements: readonly KeyBalance[],
  mapping: Mapping,
  chart: Chart,
): ProfitAndLossTotals[] {
  const statements = inCurrencies(movements, mapping, (currency, byAccount) => {
    const [incomeMinor, expensesMinor] = [
      totalOf(byAccount, chart, 'income'),
      totalOf(byAccount, chart, 'expense'),
    ]
    const lines = linesOf(byAccount, chart, ['income', 'expense'])
    return {
      currency,
      lines,
      incomeMinor,
      expensesMinor,
      resultMinor: incomeMinor - expensesMinor,
    }
  })
  return statements.filter(({ lines }) => lines.length > 0)
}

function inCurrencies<Statement>(
  balances: readonly KeyBalance[],
  mapping: Mapping,
  make: (currency: string, byAccount: ReadonlyMap<string, bigint>) => Statement,
): Statement[] {
  const currencies = [...new Set(balances.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const byAccount = new Map<string, bigint>()
    for (const each of balances) {
      if (each.currency !== currency) continue
      const accountNumber = mapping.accountOf(each, each.day) ?? unmapped
      byAccount.set(accountNumber, (byAccount.get(accountNumber) ?? 0n) + each.balanceMinor)
    }
    return make(currency, byAccount)
  })
}

/** Whether a credit balance of the type is shown as a positive amount. */
export function isCreditType(type: GeneralLedgerAccountType): boolean {
  return type !== 'asset' && type !== 'expense'
}

function totalOf(
  byAccount: ReadonlyMap<string, bigint>,
  chart: Chart,
  type: GeneralLedgerAccountType,
): bigint {
  const minors = [...byAccount].filter(([accountNumber]) => chart.get(accountNumber)?.type === type)
  const debitMinor = minors.reduce((sum, [, minor]) => sum + minor, 0n)
  return isCreditType(type) ? -debitMinor : debitMinor
}

/** Returns the lines of accounts with a balance and of the header accounts above them. */
function linesOf(
  byAccount: ReadonlyMap<string, bigint>,
  chart: Chart,
  types: readonly GeneralLedgerAccountType[],
): StatementLine[] {
  const totals = new Map<string, bigint>()
  for (const [accountNumber, minor] of byAccount) {
    if (minor === 0n) continue
    for (let account = chart.get(accountNumber); account;) {
      totals.set(account.accountNumber, (totals.get(account.accountNumber) ?? 0n) + minor)
      account = account.parentNumber === null ? undefined : chart.get(account.parentNumber)
    }
  }
  return treeOf(chart).flatMap(({ account, level }) => {
    const minor = totals.get(account.accountNumber)
    if (minor === undefined || !types.includes(account.type)) return []
    return [{ account, level, balanceMinor: isCreditType(account.type) ? -minor : minor }]
  })
}
