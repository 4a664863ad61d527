import { defaultAddress, type Balance } from './balance.ts'
import type { Authorisation, Posted } from './instruction.ts'

/** The books as a decision sees them. */
export interface Books {
  balance(accountId: string, address: string): Balance | null
  authorisation(clientId: string, clientTransactionId: string): Authorisation | null
  posted(postingInstructionId: string): Posted | null
}

/** Almost every account has one address: its key is the id alone, which costs no new text. */
export function balanceKey(accountId: string, address: string): string {
  return address === defaultAddress ? accountId : `${accountId}\n${address}`
}

export function authorisationKey(clientId: string, clientTransactionId: string): string {
  return `${clientId}\n${clientTransactionId}`
}
