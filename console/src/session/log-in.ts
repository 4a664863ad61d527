import * as oauth from 'oauth4webapi'
import { settings } from './settings.ts'

/** A person who is logged in, and the token that acts for the person. */
export interface Session {
  username: string
  /** The customer's own party; null for employees. */
  partyId: string | null
  roles: readonly string[]
  scopes: ReadonlySet<string>
  accessToken: string
  idToken: string
  expiresAt: number
}

/** What must survive the visit to the pages of the authorization server. */
interface PendingLogIn {
  verifier: string
  state: string
  nonce: string
  returnTo: string
}

const server = settings.authorizationServer
const client: oauth.Client = { client_id: settings.clientId }
const redirectUri = `${location.origin}/console/callback`
const pendingKey = 'bankgraph.pending-log-in'
// Only the sandbox on the developer's machine uses plain http.
const options = { [oauth.allowInsecureRequests]: location.protocol === 'http:' }

/** How a log-in differs from the usual one. */
export interface LogInOptions {
  /** The user name to log in, if another person may still be logged in. */
  username?: string
  /** The path in the console that is shown afterwards. */
  returnTo?: string
  /** The parameters that a step-up challenge names (RFC 9470). */
  acrValues?: string
  maxAge?: string
}

/** Sends the browser to the bank's log-in pages. */
export async function logIn({ username, returnTo, acrValues, maxAge }: LogInOptions = {}) {
  const pending = newPending(returnTo ?? location.pathname + location.search)
  const url = await authorizationUrl(pending, {
    ...(username && { login_hint: username, prompt: 'login' }),
    ...(acrValues && { acr_values: acrValues }),
    ...(maxAge && { max_age: maxAge }),
  })
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
  location.assign(url)
}

/**
 * Ends the log-in after the browser returned from the log-in pages. Returns the session and the path
 * to show. Throws if the log-in was denied or did not start in this tab.
 */
export async function finishLogIn(): Promise<{ session: Session; returnTo: string }> {
  const text = sessionStorage.getItem(pendingKey)
  sessionStorage.removeItem(pendingKey)
  if (!text) throw new Error('This log-in did not start in this tab. Log in again.')
  const pending = JSON.parse(text) as PendingLogIn
  return { session: await exchange(new URL(location.href), pending), returnTo: pending.returnTo }
}

/**
 * Returns a session without asking the person, if the browser is logged in at the authorization
 * server; null if it is not. The tokens are kept in memory only: no other script and no other tab
 * can read them, and a page that is loaded again gets new ones this way. `onSent` is called when the
 * request is sent.
 */
export async function resumeSession(onSent?: () => void): Promise<Session | null> {
  if (new URL(server.issuer).origin !== location.origin) return null
  const pending = newPending('/')
  const url = await authorizationUrl(pending, { prompt: 'none' })
  const answer = fetch(url, { headers: { accept: 'text/html' } })
  onSent?.()
  const { url: reached } = await answer
  const result = new URL(reached)
  if (!result.searchParams.has('code')) return null
  return exchange(result, pending)
}

/** Ends the session at the authorization server, and with it all its tokens. */
export function logOut({ idToken }: Session): void {
  const { end_session_endpoint: endpoint } = server
  if (!endpoint) return location.assign('/console/')
  const url = new URL(endpoint)
  url.search = String(
    new URLSearchParams({
      client_id: client.client_id,
      id_token_hint: idToken,
      post_logout_redirect_uri: `${location.origin}/`,
    }),
  )
  location.assign(url)
}

function newPending(returnTo: string): PendingLogIn {
  return {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    returnTo,
  }
}

/** The console requests every scope; a person gets those that the person may have. */
async function authorizationUrl(
  { verifier, state, nonce }: PendingLogIn,
  parameters: Record<string, string>,
): Promise<URL> {
  const url = new URL(server.authorization_endpoint!)
  const scopes = new Set(['openid', ...(server.scopes_supported ?? [])])
  url.search = String(
    new URLSearchParams({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: [...scopes].join(' '),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    }),
  )
  return url
}

async function exchange(url: URL, { verifier, state, nonce }: PendingLogIn): Promise<Session> {
  const callback = oauth.validateAuthResponse(server, client, url, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    callback,
    redirectUri,
    verifier,
    options,
  )
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  return sessionOf(result)
}

function sessionOf(result: oauth.TokenEndpointResponse): Session {
  const claims = oauth.getValidatedIdTokenClaims(result)!
  return {
    username: claims.sub,
    partyId: typeof claims['party_id'] === 'string' ? claims['party_id'] : null,
    roles: Array.isArray(claims['roles']) ? (claims['roles'] as string[]) : [],
    scopes: new Set((result.scope ?? '').split(' ')),
    accessToken: result.access_token,
    idToken: result.id_token!,
    expiresAt: Date.now() + (result.expires_in ?? 60) * 1000,
  }
}
