/** The subject of the bank itself. */
export const bankSubject = 'bankgraph'

/** The caller of a request, read from a verified access token. */
export interface Caller {
  /** The OAuth client to which the token was issued. */
  clientId: string
  /**
   * The user for whom the client acts (the token's `sub`); the client itself if it acts for no
   * user.
   */
  subject: string
  scopes: ReadonlySet<string>
  /**
   * The party of the delegated user for whom the client acts; null if the client does not act for a
   * party.
   */
  partyId: string | null
  /** The grant under which the token was issued; null if the token was issued without a grant. */
  grantId: string | null
  /**
   * The log-in session of the user, which ends the token when it ends; null if the token does not
   * depend on one.
   */
  sessionId: string | null
  /**
   * How the user logged in: the authentication context class (`acr`), such as
   * `urn:bankgraph:acr:passkey`; null if the token does not name it.
   */
  acr: string | null
  /**
   * When the user logged in (`auth_time`), in milliseconds since the epoch; null if the token does
   * not say it.
   */
  authenticatedAt: number | null
  /** The JWK thumbprint of the key to which the token is bound (DPoP); null for a bearer token. */
  keyThumbprint: string | null
  /**
   * The thumbprint (`x5t#S256`) of the certificate to which the token is bound (RFC 8705); null if
   * it is bound to none.
   */
  certificateThumbprint: string | null
  /** The ID of the token, its `jti`. */
  tokenId: string
  /** When the token was issued, in milliseconds since the epoch. */
  issuedAt: number
  /** When the token expires, in milliseconds since the epoch. */
  expiresAt: number
}

/**
 * Returns who acts: the party of a delegated user, the person whose token it is, or the client that
 * acts for nobody.
 */
export const actorOf = ({ partyId, subject }: Caller): string => partyId ?? subject

/** Whether the token names a person who acts for no party: a person who works at the bank. */
const isPersonOfBank = ({ clientId, partyId, subject }: Caller): boolean =>
  partyId === null && subject !== clientId

/**
 * Returns a text that is different for each caller: for each client, for each party for which a
 * client acts, and for each person of the bank who uses a client. Nothing may be shared between
 * callers with different keys. It is JSON, because all parts come from the token and may contain any
 * character.
 */
export function callerKey(caller: Caller): string {
  const { clientId, partyId, subject } = caller
  return JSON.stringify([clientId, partyId, ...(isPersonOfBank(caller) ? [subject] : [])])
}
