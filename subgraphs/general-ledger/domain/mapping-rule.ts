import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { chart as internalAccounts, isChartCode } from '../../../ledger/domain/account.ts'
import type { GeneralLedgerAccountType } from '../model/account.ts'
import type { ProposeMappingRuleInput } from '../model/mapping-rule.ts'
import { invalidInput, requirePostingAccount, type Chart } from './chart.ts'
import { isProductKey } from './mapping.ts'
import { requireNotClosed, type Periods } from './period.ts'
import { Problem } from './problems.ts'

/** Returns the type of the ledger accounts with a code; null if the ledger has no such code. */
export function typeOfCode(ledgerCode: string): GeneralLedgerAccountType | null {
  if (ledgerCode === 'customer') return 'liability'
  if (ledgerCode === 'loan') return 'asset'
  return isChartCode(ledgerCode) ? internalAccounts[ledgerCode].type : null
}

/** Checks a filter by the code of ledger accounts. Throws VALIDATION_FAILED for an unknown code. */
export function requireKnownCode(ledgerCode: string | null): void {
  if (ledgerCode === null || typeOfCode(ledgerCode) !== null) return
  throw invalidInput('/ledgerCode', `The ledger has no accounts with the code "${ledgerCode}".`)
}

/**
 * Checks a mapping rule. Throws LEDGER_CODE_UNKNOWN, GENERAL_LEDGER_ACCOUNT_NOT_FOUND (422),
 * ACCOUNT_NOT_POSTABLE, ACCOUNT_TYPE_MISMATCH, VALIDATION_FAILED and PERIOD_CLOSED.
 */
export function requireValidRule(
  { ledgerCode, productId, accountNumber, validFrom }: Omit<ProposeMappingRuleInput, 'reason'>,
  chart: Chart,
  periods: Periods,
): void {
  const type = typeOfCode(ledgerCode)
  if (type === null) {
    const detail = `The ledger has no accounts with the code "${ledgerCode}".`
    throw new Problem('LEDGER_CODE_UNKNOWN', { detail, resourceId: ledgerCode })
  }
  if (productId && !isProductKey(ledgerCode)) {
    throw invalidInput('/productId', `The accounts with the code ${ledgerCode} have no product.`)
  }
  const account = requirePostingAccount(chart, accountNumber)
  if (account.type !== type) {
    const detail = `${accountNumber} has the type ${account.type}; the code ${ledgerCode} has the type ${type}.`
    throw new Problem('ACCOUNT_TYPE_MISMATCH', { detail, resourceId: accountNumber })
  }
  requireFirstDay(validFrom)
  requireNotClosed(validFrom, periods)
}

function requireFirstDay(validFrom: LocalDate): void {
  if (validFrom.endsWith('-01')) return
  throw invalidInput('/validFrom', `${validFrom} is not the first day of a month.`)
}
