import { defaultAddress, type Balance } from './balance.ts'
import type { Authorization, PostedInstruction } from './instruction.ts'

/**
 * The books on which instructions are decided. Each method returns null if the record does not
 * exist.
 */
export interface Books {
  balance(accountId: string, address: string): Balance | null
  authorization(clientId: string, clientTransactionId: string): Authorization | null
  posted(postingInstructionId: string): PostedInstruction | null
}

/**
 * Returns the key of a balance. For the default address, it is the account ID itself, which saves
 * allocating a string: almost every account has only this address.
 */
export function balanceKey(accountId: string, address: string): string {
  return address === defaultAddress ? accountId : `${accountId}\n${address}`
}

export function authorizationKey(clientId: string, clientTransactionId: string): string {
  return `${clientId}\n${clientTransactionId}`
}
