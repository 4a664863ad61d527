import {
  controlAccounts,
  internalAccount,
  internalAccountId,
  isChartCode,
} from '../../../ledger/domain/account.ts'
import { Problem } from './problems.ts'

/**
 * Returns the ID of the ledger account of an entry: of a customer, or an internal account such as
 * `settlement/EUR` or `fee-payable/EUR/notary`. Throws INTERNAL_ACCOUNT_NOT_FOUND,
 * CONTROL_ACCOUNT_NOT_POSTABLE.
 */
export function accountIdOf(account: string, currency: string, pointer: string): string {
  const [code, accountCurrency, ...rest] = account.split('/')
  const isThirdParty = rest.length === 1 && internalAccount(account) !== null
  const isInternal = accountCurrency === currency && (rest.length === 0 || isThirdParty)
  // With a plus sign, it is an account of the general ledger, on which two people book entries.
  if (/[/+]/.test(account) && !isInternal) throw noInternalAccount(account, pointer)
  return isInternal && !isThirdParty ? internalId(code!, currency, pointer) : account
}

/**
 * Returns the ID of an internal account that clients can post to. Throws INTERNAL_ACCOUNT_NOT_FOUND,
 * CONTROL_ACCOUNT_NOT_POSTABLE.
 */
export function internalId(code: string, currency: string, pointer: string): string {
  if (controlAccounts.has(code)) {
    const detail = `${code} is a control account; clients cannot post to it.`
    const errors = [{ pointer, code: 'CONTROL_ACCOUNT_NOT_POSTABLE', detail }]
    throw new Problem('CONTROL_ACCOUNT_NOT_POSTABLE', { detail, errors })
  }
  if (isChartCode(code)) return internalAccountId(code, currency)
  throw noInternalAccount(code, pointer)
}

function noInternalAccount(code: string, pointer: string): Problem {
  const detail = `The bank has no internal account with the code "${code.slice(0, 64)}".`
  const errors = [{ pointer, code: 'INTERNAL_ACCOUNT_NOT_FOUND', detail }]
  return new Problem('INTERNAL_ACCOUNT_NOT_FOUND', { detail, errors })
}
