import { invalidToken, unauthenticated } from './token-problems.ts'

/** The values of the `Authorization` headers of a request. */
export type Authorization = string | readonly string[] | undefined

const tokenMaxLength = 8192

/** Returns the only value of the header; empty if there is none. Throws TOKEN_INVALID. */
export function onlyHeader(authorization: Authorization): string {
  if (typeof authorization === 'string') return authorization
  if (authorization && authorization.length > 1) throw invalidToken('Send exactly one token.')
  return authorization?.[0] ?? ''
}

/**
 * Returns the scheme, in lowercase, and the token of an `Authorization` header. Throws
 * UNAUTHENTICATED and TOKEN_INVALID.
 */
export function credentialsIn(header: string): { scheme: 'bearer' | 'dpop'; token: string } {
  if (header === '') throw unauthenticated('No Authorization header was sent.')
  const space = header.indexOf(' ')
  const scheme = (space === -1 ? header : header.slice(0, space)).toLowerCase()
  if (scheme !== 'bearer' && scheme !== 'dpop') {
    throw unauthenticated('The scheme of the Authorization header must be Bearer or DPoP.')
  }
  const token = space === -1 ? '' : header.slice(space).trim()
  if (token === '') throw unauthenticated('The Authorization header has no token.')
  if (token.length > tokenMaxLength) throw invalidToken('The token is longer than 8192 characters.')
  if (/[\s,]/.test(token)) throw invalidToken('Send exactly one token.')
  return { scheme, token }
}
