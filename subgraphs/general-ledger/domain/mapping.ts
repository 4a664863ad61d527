import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { internalAccountId, isChartCode } from '../../../ledger/domain/account.ts'
import type { AccountMappingRule } from '../model/mapping-rule.ts'
import { defaultMapping } from './default-chart.ts'

/** The first day of the rules of the default chart. */
const beginning: LocalDate = '0001-01-01'

/** What the general ledger knows of a ledger account: its code and its product, if it has one. */
export interface LedgerKey {
  ledgerCode: string
  /** The product of the account; empty if there is none. */
  productId: string
}

/** Whether mapping rules distinguish ledger accounts with a code by their products. */
export function isProductKey(ledgerCode: string): boolean {
  return ledgerCode === 'customer' || ledgerCode === 'loan'
}

type Rule = Pick<AccountMappingRule, 'ledgerCode' | 'productId' | 'accountNumber' | 'validFrom'>

/**
 * The code of the ledger accounts that belong to an account of the general ledger itself, because a
 * journal entry was made on it.
 */
export function ownCode(accountNumber: string): string {
  return `gl-${accountNumber}`
}

/** Returns the ID of an own ledger account. The plus sign distinguishes it from the IDs of clients. */
export function ownLedgerAccountId(accountNumber: string, currency: string): string {
  return `gl+${accountNumber}+${currency}`
}

/**
 * Returns the ID of the only ledger account with a code in a currency; null for the codes of which there
 * are several, those of customers, loans and third parties.
 */
export function ledgerAccountIdOf(ledgerCode: string, currency: string): string | null {
  if (ledgerCode.startsWith('gl-')) {
    return ownLedgerAccountId(ledgerCode.slice('gl-'.length), currency)
  }
  if (!isChartCode(ledgerCode) || ledgerCode === 'fee-payable') return null
  return internalAccountId(ledgerCode, currency)
}

/** Which ledger accounts belong to which account of the general ledger, at any date. */
export class Mapping {
  readonly #rules: readonly Rule[]

  /** `active` has the active rules of the bank, in any order. */
  constructor(active: readonly Rule[]) {
    const defaults = Object.entries(defaultMapping).map(([ledgerCode, accountNumber]) => ({
      ledgerCode,
      productId: null,
      accountNumber,
      validFrom: beginning,
    }))
    this.#rules = [...defaults, ...active].sort((one, other) =>
      one.validFrom < other.validFrom ? 1 : one.validFrom > other.validFrom ? -1 : 0,
    )
  }

  /**
   * Returns the number of the account to which a ledger account belongs on a day; null if no rule
   * applies. A rule for the product goes before one for all products, and a later rule before an
   * earlier one.
   */
  accountOf({ ledgerCode, productId }: LedgerKey, day: LocalDate): string | null {
    if (ledgerCode.startsWith('gl-')) return ledgerCode.slice('gl-'.length)
    const rules = this.#rules.filter(
      (rule) => rule.ledgerCode === ledgerCode && rule.validFrom <= day,
    )
    const rule =
      rules.find((each) => each.productId !== null && each.productId === productId) ??
      rules.find((each) => each.productId === null)
    return rule?.accountNumber ?? null
  }

  /** Returns the codes for which some rule, of any date, names the account. */
  codesOf(accountNumber: string): string[] {
    const rules = this.#rules.filter((rule) => rule.accountNumber === accountNumber)
    return [...new Set(rules.map(({ ledgerCode }) => ledgerCode))]
  }

  /** Returns the accounts that some rule, of any date, names for a code. */
  accountsOf(ledgerCode: string): string[] {
    const rules = this.#rules.filter((rule) => rule.ledgerCode === ledgerCode)
    return [...new Set(rules.map(({ accountNumber }) => accountNumber))]
  }

  /** Returns the days on which a rule begins to apply, from a day to another, in order. */
  changesBetween(from: LocalDate, to: LocalDate): LocalDate[] {
    const days = this.#rules.map(({ validFrom }) => validFrom)
    return [...new Set(days)].filter((day) => day >= from && day <= to).sort()
  }
}
