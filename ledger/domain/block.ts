import type { Block } from './balance.ts'

/** Whether a block keeps money from leaving an account. */
export const blocksDebits = (block: Block | null): boolean => block === 'debit' || block === 'all'

/** What decides for which entries a customer account is blocked. */
export interface BlockedAccount {
  /** The lifecycle state of the account. */
  state: string
  /** The block that the bank has set; null if there is none. */
  blockedFor: Block | null
}

/**
 * Returns the block of a customer account in the ledger. Until an account is approved, all postings
 * to it are blocked; while it is dormant, only credits are accepted; while its money is deposited for
 * a term, the customer can move nothing. Advices, by which the bank books what it owes or is owed,
 * are always accepted.
 */
export function blockOf(
  { state, blockedFor }: BlockedAccount,
  isDepositedForTerm: boolean,
): Block | null {
  if (state === 'pending' || isDepositedForTerm) return 'all'
  return state === 'dormant' ? 'debit' : blockedFor
}
