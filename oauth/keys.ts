import { createHash, generateKeyPairSync } from 'node:crypto'

/** The private key that signs an environment's tokens: ES256, named by its RFC 7638 thumbprint. */
export interface SigningJwk {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  d: string
  kid: string
  alg: 'ES256'
  use: 'sig'
}

/** Promises a new signing key. Keep it: tokens of a lost key are refused everywhere. */
export function generateSigningJwk(): SigningJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y, d } = privateKey.export({ format: 'jwk' }) as { x: string; y: string; d: string }
  const thumbprint = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y })
  const kid = createHash('sha256').update(thumbprint).digest('base64url')
  return { kty: 'EC', crv: 'P-256', x, y, d, kid, alg: 'ES256', use: 'sig' }
}

/** Promises the half of the key that everyone may see. */
export function publicJwk({ kty, crv, x, y, kid, alg, use }: SigningJwk) {
  return { kty, crv, x, y, kid, alg, use }
}
