import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { UnsecuredJWT } from 'jose'
import type { Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import { acrOf } from '../kernel/domain/log-in-method.ts'
import type { SeededClient } from './clients.ts'
import { publicJwk, type SigningJwk } from './keys.ts'
import { acrParameter, maxAgeParameter } from './log-in-policy.ts'
import { paths } from './metadata.ts'
import { findPerson, type Person } from './people.ts'

/** The log-in of the browser that requests a page of this server. */
export interface PageSession {
  /** The ID of the session, which stays the same until the person logs out. */
  uid: string
  person: Person
  /** How the person logged in, as in the claim `acr` of tokens; null for an older session. */
  acr: string | null
  /** When the person logged in. */
  loggedInAt: Date
}

const pagesClientId = 'bankgraph-pages'
const pushedSeconds = 60

/**
 * Returns the client as which the pages of this server ask a person to log in. It has no scopes, so
 * no token can be issued to it: the pages need only the session. It has a key, because the security
 * profile `fapi2` knows no public clients.
 */
export const pagesClient = (issuer: string, signingJwks: readonly SigningJwk[]): SeededClient => ({
  clientId: pagesClientId,
  label: 'your security settings',
  scopes: [],
  grantTypes: ['authorization_code'],
  redirectUris: [paths.passkeys, paths.approve].map((path) => new URL(path, issuer).href),
  isFirstParty: true,
  jwks: { keys: signingJwks.map(publicJwk) },
})

/**
 * Returns the session of the browser; null if nobody is logged in, the person may no longer log in,
 * or the password was changed after the log-in.
 */
export async function pageSessionOf(
  provider: Provider,
  pool: Pool,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<PageSession | null> {
  const context = provider.createContext(request, response)
  const { uid, accountId, loginTs, acr } = await provider.Session.get(context)
  const person = accountId && loginTs ? await findPerson(pool, accountId) : null
  if (!person) return null
  const passwordSetAt = Math.floor((person.passwordSetAt?.getTime() ?? 0) / 1000)
  if (loginTs! < passwordSetAt) return null
  return { uid, person, acr: acr ?? null, loggedInAt: new Date(loginTs! * 1000) }
}

/** What a page requires of the log-in. */
export interface LogInRequirement {
  /** The maximum age of the log-in, in seconds. */
  maxAgeSeconds: number
  isPasskeyRequired: boolean
}

/** Whether a session meets a requirement now. */
export function meets(
  { acr, loggedInAt }: PageSession,
  { maxAgeSeconds, isPasskeyRequired }: LogInRequirement,
  now: Date,
): boolean {
  const isRecent = now.getTime() - loggedInAt.getTime() <= maxAgeSeconds * 1000
  return isRecent && (!isPasskeyRequired || acr === acrOf.passkey)
}

/**
 * Returns the path to which a page redirects the browser so that the person logs in. The browser
 * comes back to `returnPath` with `state`, and with an error, because no scope is requested. The
 * request is stored as if the client had pushed it (RFC 9126), so that the pages work in every
 * security profile. The path is valid for a minute.
 */
export async function logInPath(
  provider: Provider,
  issuer: string,
  returnPath: string,
  { maxAgeSeconds, isPasskeyRequired }: LogInRequirement,
  state: string,
): Promise<string> {
  const claims = {
    response_type: 'code',
    client_id: pagesClientId,
    redirect_uri: new URL(returnPath, issuer).href,
    // The client never exchanges a code, so nobody needs the verifier of this challenge.
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
    [maxAgeParameter]: String(maxAgeSeconds),
    ...(isPasskeyRequired && { [acrParameter]: acrOf.passkey }),
    state,
  }
  const request = new UnsecuredJWT(claims)
    .setIssuer(pagesClientId)
    .setAudience(issuer)
    .setExpirationTime(`${pushedSeconds}s`)
    .encode()
  const pushed = new provider.PushedAuthorizationRequest({ request, trusted: true } as never)
  const id = await pushed.save(pushedSeconds)
  const requestUri = `urn:ietf:params:oauth:request_uri:${id}`
  const query = new URLSearchParams({ client_id: pagesClientId, request_uri: requestUri })
  return `${paths.authorize}?${query.toString()}`
}
