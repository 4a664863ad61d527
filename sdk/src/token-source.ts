import type { Proofs } from './proofs.ts'

/** Where the access tokens of a client come from. */
export interface TokenSource {
  /**
   * Returns a token that is valid now. `rejected` is a token that the bank has just rejected, so that
   * it must not be returned again.
   */
  token(rejected?: string): Promise<string>
  /** Makes the proofs of tokens that are bound to a key; omitted for bearer tokens. */
  readonly proofs?: Proofs
}

/** A token and when it expires, in milliseconds since the epoch. */
export interface HeldToken {
  token: string
  expiresAt: number
}
