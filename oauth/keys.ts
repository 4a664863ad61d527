import type { JsonWebKey } from 'node:crypto'

/** A private ES256 key, with its key ID, that signs an environment's tokens. */
export type SigningJwk = JsonWebKey & { kid: string }

/**
 * Returns the public part of a signing key. Throws an Error if it is not an ES256 key with a key
 * ID.
 */
export function publicJwk({ kty, crv, x, y, kid }: SigningJwk) {
  if (kty !== 'EC' || crv !== 'P-256' || !kid)
    throw new Error('A signing key must be an ES256 key (EC, P-256) with a kid.')
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }
}
