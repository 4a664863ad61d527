/** Makes the proofs of tokens that are bound to a key (DPoP, RFC 9449). */
export interface TokenProofs {
  /** Returns the headers of one request with a token. `url` is that of HTTP, also for a WebSocket. */
  headers(token: string, method: string, url: string): Promise<Record<string, string>>
  /** Notes the nonce that the bank wants in the next proof. */
  noteNonce(nonce: string | null): void
}

/** Where the access tokens of a client come from. */
export interface TokenSource {
  /**
   * Returns a token that is valid now. `rejected` is a token that the bank has just rejected, so that
   * it must not be returned again.
   */
  token(rejected?: string): Promise<string>
  /** Makes the proofs of tokens that are bound to a key; omitted for bearer tokens. */
  readonly proofs?: TokenProofs
}

/** A token and when it expires, in milliseconds since the epoch. */
export interface HeldToken {
  token: string
  expiresAt: number
}
