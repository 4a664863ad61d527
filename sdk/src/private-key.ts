import * as oauth from 'oauth4webapi'
import type { PrivateJwk } from './proof-keys.ts'

/** Returns how a client authenticates with its private key (`private_key_jwt`, RFC 7523). */
export async function privateKeyAuthentication(jwk: PrivateJwk): Promise<oauth.ClientAuth> {
  const { kid, kty, crv } = jwk
  const key = await crypto.subtle.importKey('jwk', jwk, algorithmOf(kty, crv), false, ['sign'])
  return oauth.PrivateKeyJwt(kid === undefined ? key : { key, kid })
}

/** The algorithms that the bank accepts: ES256, EdDSA and PS256. */
function algorithmOf(kty: string | undefined, crv: string | undefined) {
  if (kty === 'EC' && crv === 'P-256') return { name: 'ECDSA', namedCurve: crv }
  if (kty === 'OKP' && crv === 'Ed25519') return { name: crv }
  if (kty === 'RSA') return { name: 'RSA-PSS', hash: 'SHA-256' }
  throw new TypeError('The private key must be an EC (P-256), OKP (Ed25519) or RSA key.')
}
