import type { JsonWebKey } from 'node:crypto'

/** The private ES256 key that signs an environment's tokens, with the id that tokens name it by. */
export type SigningJwk = JsonWebKey & { kid: string }

/** Promises the half of the key that everyone may see. Refuses another key than one for ES256. */
export function publicJwk({ kty, crv, x, y, kid }: SigningJwk) {
  if (kty !== 'EC' || crv !== 'P-256' || !kid) throw new Error('Tokens are signed with ES256.')
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }
}
