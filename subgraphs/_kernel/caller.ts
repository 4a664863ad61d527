/** Who calls: what a verified access token says, and nothing else. */
export interface Caller {
  /** The OAuth client that asked for the token. */
  clientId: string
  /** The person behind the client, or the client itself when it acts for nobody. */
  subject: string
  scopes: ReadonlySet<string>
  /** The party a delegated user acts for; `null` for machines. */
  partyId: string | null
  /** What the person allowed the client, which this token was issued under; `null` for machines. */
  grantId: string | null
  /** The token's `jti`. */
  tokenId: string
  /** When the token was made, in milliseconds since the epoch. */
  issuedAt: number
  /** Milliseconds since the epoch. */
  expiresAt: number
}
