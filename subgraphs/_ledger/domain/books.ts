import type { Balance } from './balance.ts'
import type { Authorisation, Posted } from './instruction.ts'

/** The books as a decision sees them. */
export interface Books {
  balance(accountId: string, address: string): Balance | null
  authorisation(clientId: string, clientTransactionId: string): Authorisation | null
  posted(postingInstructionId: string): Posted | null
}

export function balanceKey(accountId: string, address: string): string {
  return `${accountId}\n${address}`
}

export function authorisationKey(clientId: string, clientTransactionId: string): string {
  return `${clientId}\n${clientTransactionId}`
}
