import * as oauth from 'oauth4webapi'
import { authorizationServer, heldFrom } from './authorization-server.ts'
import type { ProofOption } from './proof-keys.ts'
import { proofsOf, withNonce } from './proofs.ts'
import type { TokenSource } from './token-source.ts'
import { renewed } from './tokens.ts'

/** The registration of an app in which people log in (authorization code with PKCE). */
export interface LogInOptions {
  /** The origin of the bank's authorization server, such as `https://bank.example`. */
  issuer: string
  clientId: string
  /** The registered page to which the bank sends the browser back. */
  redirectUri: string
  /** The scopes, separated by blanks. Default: all scopes that a customer can delegate. */
  scope?: string
  /** Further parameters of the authorization request, such as `acr_values` or `prompt`. */
  parameters?: Record<string, string>
  /**
   * Binds the tokens to a key (DPoP, RFC 9449), so that a stolen token is useless. With a store of the
   * key, such as `browserProofKeyStore()`, the log-in itself is bound to it as well. Default: false.
   */
  dpop?: ProofOption
  /** Keeps what must survive the visit to the bank's pages. Default: `sessionStorage`. */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

interface Pending {
  state: string
  verifier: string
}

const pendingName = 'bankgraph-log-in'

/**
 * Starts a log-in. Returns the URL of the bank's pages, to which the app then sends the browser:
 * `location.assign(await startLogIn(options))`.
 */
export async function startLogIn(options: LogInOptions): Promise<URL> {
  const { server } = await authorizationServer(options.issuer)
  const pending: Pending = {
    state: oauth.generateRandomState(),
    verifier: oauth.generateRandomCodeVerifier(),
  }
  storageOf(options).setItem(pendingName, JSON.stringify(pending))
  const url = new URL(server.authorization_endpoint!)
  const parameters = {
    ...options.parameters,
    client_id: options.clientId,
    redirect_uri: options.redirectUri,
    response_type: 'code',
    state: pending.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(options.scope && { scope: options.scope }),
    ...(await keyBindingOf(options)),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** Returns the thumbprint of a stored key. A key in memory does not survive the bank's pages. */
async function keyBindingOf({ dpop }: LogInOptions): Promise<Record<string, string>> {
  if (typeof dpop !== 'object') return {}
  const handle = await proofsOf(dpop)!.forTokens()
  return { dpop_jkt: await handle.calculateThumbprint() }
}

/**
 * Finishes a log-in on the page to which the bank returned. `url` is the URL of this page, with its
 * query. Returns the tokens of the person, which are kept in memory and replaced before they expire.
 * Throws an Error if the log-in was denied, or did not start in this browser.
 */
export async function finishLogIn(options: LogInOptions, url: string): Promise<TokenSource> {
  const storage = storageOf(options)
  const stored = storage.getItem(pendingName)
  storage.removeItem(pendingName)
  if (stored === null) throw new Error('This log-in did not start in this browser.')
  const { state, verifier } = JSON.parse(stored) as Pending
  const { server, options: request } = await authorizationServer(options.issuer)
  const client: oauth.Client = { client_id: options.clientId }
  const callback = oauth.validateAuthResponse(server, client, new URL(url), state)
  const proofs = proofsOf(options.dpop)
  const bound = { ...request, ...(proofs && { DPoP: await proofs.forTokens() }) }
  let tokens = await withNonce(async () => {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      callback,
      options.redirectUri,
      verifier,
      bound,
    )
    return oauth.processAuthorizationCodeResponse(server, client, response)
  })
  let isFirst = true
  return renewed(async () => {
    if (isFirst) {
      isFirst = false
      return heldFrom(tokens, proofs)
    }
    if (tokens.refresh_token === undefined) throw new Error('The session has ended. Log in again.')
    const { refresh_token: refreshToken } = tokens
    const answer = await withNonce(async () => {
      const refreshed = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        refreshToken,
        bound,
      )
      return oauth.processRefreshTokenResponse(server, client, refreshed)
    })
    tokens = { ...tokens, ...answer }
    return heldFrom(tokens, proofs)
  }, proofs)
}

const storageOf = ({ storage }: LogInOptions) => storage ?? sessionStorage
