import type { Caller } from './caller.ts'
import { acrOf } from '../domain/log-in-method.ts'
import { Problem } from '../domain/problem.ts'

/** How old the log-in may be for a sensitive change (RTS, article 4 (3) (d): five minutes). */
const maxAgeSeconds = 300

/**
 * Requires that the user logged in with a passkey during the last five minutes. `nowMs` is real time
 * in milliseconds since the epoch. Throws INSUFFICIENT_USER_AUTHENTICATION, whose members tell the
 * client which log-in to request (RFC 9470).
 */
export function requireRecentPasskey({ acr, authenticatedAt }: Caller, nowMs: number): void {
  const isRecent = authenticatedAt !== null && nowMs - authenticatedAt <= maxAgeSeconds * 1000
  if (isRecent && acr === acrOf.passkey) return
  throw new Problem('INSUFFICIENT_USER_AUTHENTICATION', {
    detail: 'Log in with a passkey; the log-in must be at most five minutes old.',
    acrValues: [acrOf.passkey],
    maxAgeSeconds,
  })
}

/**
 * Reads how and when the user logged in from the claims of a token (RFC 9068, 2.2.1). Throws
 * TOKEN_INVALID.
 */
export function logInOf(claims: Record<string, unknown>): Pick<Caller, 'acr' | 'authenticatedAt'> {
  const { acr, auth_time: authTime } = claims
  if (acr !== undefined && (typeof acr !== 'string' || acr === '')) {
    throw new Problem('TOKEN_INVALID', { detail: 'The acr is not a string.' })
  }
  if (authTime !== undefined && !(typeof authTime === 'number' && Number.isFinite(authTime))) {
    throw new Problem('TOKEN_INVALID', { detail: 'The auth_time is not a number.' })
  }
  return { acr: acr ?? null, authenticatedAt: authTime === undefined ? null : authTime * 1000 }
}

/**
 * Returns the parameters of the `WWW-Authenticate` header for INSUFFICIENT_USER_AUTHENTICATION (RFC
 * 9470, section 3); empty for any other problem.
 */
export function stepUpParameters(problem: Problem): [string, string | undefined][] {
  if (problem.code !== 'INSUFFICIENT_USER_AUTHENTICATION') return []
  const { message, members } = problem
  const { acrValues, maxAgeSeconds: age } = members
  return [
    ['error', 'insufficient_user_authentication'],
    ['error_description', message],
    ['acr_values', acrValues?.join(' ')],
    ['max_age', age === undefined ? undefined : String(age)],
  ]
}

/** The subject of the fact that says whether the person of a party has a passkey. */
export const passkeyHolderSubject = (partyId: string) => `passkey-holder/${partyId}`
