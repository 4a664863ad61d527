import { approvedOverdraft } from './domain/overdraft.ts'
import type { Arrangement } from './model/arrangement.ts'
import type { Overdraft } from './model/overdraft.ts'

/**
 * Returns the published fact by which payments look up the account of an IBAN. The fact never
 * changes and is not emitted as an event.
 */
export function accountNumberFact({ accountNumber, ...arrangement }: Arrangement) {
  const { arrangementId, partyId, currency } = arrangement
  return { subject: `account-number/${accountNumber}`, data: { arrangementId, partyId, currency } }
}

/**
 * Returns the published fact of the approved overdrafts of an account, in the order of their approval.
 * The interest of the account is accrued by it.
 */
export function overdraftsFact(arrangementId: string, approved: readonly Overdraft[]) {
  const data = { arrangementId, overdrafts: approved.map(approvedOverdraft) }
  return { subject: `overdrafts/${arrangementId}`, data }
}
