import * as oauth from 'oauth4webapi'
import { authorizationServer, heldFrom, throwRefusal } from './authorization-server.ts'
import type { HeldToken, TokenSource } from './token-source.ts'

/** The tokens of a program that acts for itself (OAuth 2.0 client credentials). */
export interface ClientCredentials {
  /** The origin of the bank's authorization server, such as `https://bank.example`. */
  issuer: string
  clientId: string
  clientSecret: string
  /** The scopes, separated by blanks. Default: all scopes of the client. */
  scope?: string
}

/** A token is replaced this long before it expires. */
const marginMs = 30_000

/** Uses one token, for scripts. It is not replaced when it expires. */
export const fixedToken = (token: string): TokenSource => ({ token: () => Promise.resolve(token) })

/**
 * Requests tokens with client credentials, and replaces them before they expire. However many calls
 * need a token, it is requested once.
 */
export function clientCredentials(credentials: ClientCredentials): TokenSource {
  const client: oauth.Client = { client_id: credentials.clientId }
  const authenticate = oauth.ClientSecretBasic(credentials.clientSecret)
  const parameters = new URLSearchParams(credentials.scope ? { scope: credentials.scope } : {})
  return renewed(async () => {
    const { server, options } = await authorizationServer(credentials.issuer)
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authenticate,
      parameters,
      options,
    )
    return heldFrom(await oauth.processClientCredentialsResponse(server, client, response))
  })
}

/** Returns a source that calls `request` once for each new token. */
export function renewed(request: () => Promise<HeldToken>): TokenSource {
  let held: HeldToken | null = null
  let pending: Promise<HeldToken> | null = null
  return {
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
