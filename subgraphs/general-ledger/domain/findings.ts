import { formatAmount } from '../../../kernel/domain/money.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { GeneralLedgerFinding } from '../model/reports.ts'
import type { Chart } from './chart.ts'
import type { LedgerKey, Mapping } from './mapping.ts'
import { unmapped } from './reports.ts'

/**
 * The ledger accounts with the same code, product and currency: their balance, and what the general
 * ledger shows for them. A debit balance is positive.
 */
export interface KeyComparison extends LedgerKey {
  currency: string
  /** The types of the ledger accounts. */
  types: readonly string[]
  ledgerMinor: bigint
  generalLedgerMinor: bigint
  /** The entries of postings without an accounting date. */
  notDatedMinor: bigint
}

/** A balance that was stored when a period was closed, and what the totals come to now. */
export interface StoredTotals extends LedgerKey {
  accountingPeriodId: string
  currency: string
  storedMinor: bigint
  currentMinor: bigint
}

/** The comparison of an account of the general ledger in one currency. */
export interface AccountComparison {
  accountNumber: string
  currency: string
  ledgerMinor: bigint
  generalLedgerMinor: bigint
  notDatedMinor: bigint
}

/** Returns the comparison of each account and currency, in the order of the numbers. */
export function compareAccounts(
  keys: readonly KeyComparison[],
  mapping: Mapping,
  day: LocalDate,
): AccountComparison[] {
  const byAccount = new Map<string, AccountComparison>()
  for (const key of keys) {
    const accountNumber = mapping.accountOf(key, day) ?? unmapped
    const id = `${accountNumber} ${key.currency}`
    const sum = byAccount.get(id)
    byAccount.set(id, {
      accountNumber,
      currency: key.currency,
      ledgerMinor: (sum?.ledgerMinor ?? 0n) + key.ledgerMinor,
      generalLedgerMinor: (sum?.generalLedgerMinor ?? 0n) + key.generalLedgerMinor,
      notDatedMinor: (sum?.notDatedMinor ?? 0n) + key.notDatedMinor,
    })
  }
  return [...byAccount].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
}

/** Returns what is in the ledger and not in the general ledger, in minor units. */
export function differenceOf(comparison: Omit<AccountComparison, 'accountNumber'>): bigint {
  const { ledgerMinor, generalLedgerMinor, notDatedMinor } = comparison
  return ledgerMinor - generalLedgerMinor - notDatedMinor
}

/**
 * Returns the violations: ledger accounts without an account of the general ledger on a day, with one
 * of another type or with a header account, and differences between the ledger and the general
 * ledger.
 */
export function findingsOf(
  keys: readonly KeyComparison[],
  mapping: Mapping,
  chart: Chart,
  day: LocalDate,
): GeneralLedgerFinding[] {
  return keys.flatMap((key) => {
    const findings: GeneralLedgerFinding[] = []
    const { ledgerCode, productId, currency, types } = key
    const subject = [ledgerCode, productId, currency].filter((part) => part !== '').join(' ')
    const accountNumber = mapping.accountOf(key, day)
    const account = accountNumber === null ? undefined : chart.get(accountNumber)
    if (!account) {
      const detail = `No account of the general ledger applies on ${day}.`
      findings.push({ kind: 'unmapped', subject, detail })
    } else if (account.usage === 'header' || types.some((type) => type !== account.type)) {
      const detail = `${accountNumber} is a ${account.usage} account of the type ${account.type}; the ledger accounts have the type ${types.join(', ')}.`
      findings.push({ kind: 'type-mismatch', subject, detail })
    }
    const difference = differenceOf(key)
    if (difference !== 0n) {
      const detail = `The ledger differs from the general ledger by ${formatAmount(difference, currency)} ${currency}.`
      findings.push({ kind: 'difference', subject, detail })
    }
    return findings
  })
}

/** Returns the findings of days whose total is not the sum of their entries. */
export const totalFindings = (
  wrong: readonly { day: string; subject: string }[],
): GeneralLedgerFinding[] =>
  wrong.map(({ day, subject }) => ({
    kind: 'difference',
    subject,
    detail: `The total of ${day} is not the sum of its entries.`,
  }))

/** Returns the findings of days whose total of a product or a segment is not the sum of their entries. */
export const dimensionFindings = (
  wrong: readonly { day: string; subject: string }[],
): GeneralLedgerFinding[] =>
  wrong.map(({ day, subject }) => ({
    kind: 'dimension-difference',
    subject,
    detail: `The total of ${day} is not the sum of the entries that belong to the product or the segment.`,
  }))

/** Returns the violations of closed periods, whose stored balances must not change. */
export function closingFindings(changed: readonly StoredTotals[]): GeneralLedgerFinding[] {
  return changed.map(({ accountingPeriodId, ledgerCode, currency, storedMinor, currentMinor }) => {
    const [stored, current] = [storedMinor, currentMinor].map((each) =>
      formatAmount(each, currency),
    )
    const detail = `${ledgerCode} was closed with ${stored} ${currency}; it is now ${current} ${currency}.`
    return { kind: 'closed-period', subject: accountingPeriodId, detail }
  })
}
