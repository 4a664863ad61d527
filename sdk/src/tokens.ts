import * as oauth from 'oauth4webapi'
import { authorizationServer, heldFrom, throwRefusal } from './authorization-server.ts'
import { privateKeyAuthentication } from './private-key.ts'
import type { PrivateJwk, ProofOption } from './proof-keys.ts'
import { proofsOf, withNonce } from './proofs.ts'
import type { HeldToken, TokenProofs, TokenSource } from './token-source.ts'

/** The tokens of a program that acts for itself (OAuth 2.0 client credentials). */
export interface ClientCredentials {
  /** The origin of the bank's authorization server, such as `https://bank.example`. */
  issuer: string
  clientId: string
  /** The secret of the client. Give this or `privateKey`. */
  clientSecret?: string
  /** The private key of the client, whose public half is registered at the bank. */
  privateKey?: PrivateJwk
  /** The scopes, separated by blanks. Default: all scopes of the client. */
  scope?: string
  /**
   * Binds the tokens to a key (DPoP, RFC 9449), so that a stolen token is useless: `true` for a new key
   * in memory, or a store of the key. Default: false.
   */
  dpop?: ProofOption
}

/** A token is replaced this long before it expires. */
const marginMs = 30_000

/** Uses one token, for scripts. It is not replaced when it expires. */
export const fixedToken = (token: string): TokenSource => ({ token: () => Promise.resolve(token) })

/**
 * Requests tokens with client credentials, and replaces them before they expire. However many calls
 * need a token, it is requested once. Throws a TypeError if a credential is missing, since no retry
 * helps then.
 */
export function clientCredentials(credentials: ClientCredentials): TokenSource {
  requireCredentials(credentials)
  const client: oauth.Client = { client_id: credentials.clientId }
  const authentication = once(() => authenticationOf(credentials))
  const proofs = proofsOf(credentials.dpop)
  const parameters = new URLSearchParams(credentials.scope ? { scope: credentials.scope } : {})
  return renewed(async () => {
    const { server, options } = await authorizationServer(credentials.issuer)
    const authenticate = await authentication()
    const bound = { ...options, ...(proofs && { DPoP: await proofs.forTokens() }) }
    const tokens = await withNonce(async () => {
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authenticate,
        parameters,
        bound,
      )
      return oauth.processClientCredentialsResponse(server, client, response)
    })
    return heldFrom(tokens, proofs)
  }, proofs)
}

async function authenticationOf({ clientSecret, privateKey }: ClientCredentials) {
  return privateKey ? privateKeyAuthentication(privateKey) : oauth.ClientSecretBasic(clientSecret!)
}

/** Rejects what a program passes if a variable of its environment is not set. */
function requireCredentials({ clientId, clientSecret, privateKey }: ClientCredentials): void {
  if (!clientId) throw new TypeError('`clientId` is empty: give the ID of an OAuth client.')
  if (clientSecret || privateKey) return
  throw new TypeError('`clientSecret` is empty: give the secret of the client, or a `privateKey`.')
}

/** Returns a function that calls `create` at most once. */
function once<Result>(create: () => Result): () => Result {
  let created: { result: Result } | null = null
  return () => (created ??= { result: create() }).result
}

/** Returns a source that calls `request` once for each new token. */
export function renewed(
  request: () => Promise<HeldToken>,
  proofs: TokenProofs | null,
): TokenSource {
  let held: HeldToken | null = null
  let pending: Promise<HeldToken> | null = null
  return {
    ...(proofs && { proofs }),
    async token(rejected) {
      const isUsable = held && held.token !== rejected && held.expiresAt - marginMs > Date.now()
      if (isUsable) return held!.token
      pending ??= request()
        .catch(throwRefusal)
        .finally(() => (pending = null))
      held = await pending
      return held.token
    },
  }
}
