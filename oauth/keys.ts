import {
  createPrivateKey,
  createPublicKey,
  sign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider/lib/helpers/keystore.js'

/**
 * An ES256 key, with its key ID, that signs an environment's tokens. The private part is missing if
 * it never leaves an HSM.
 */
export type SigningJwk = JsonWebKey & { kid: string }

/** Signs with ES256, in the form of JSON Web Signatures: r and s, 32 bytes each. */
export type Sign = (jwk: SigningJwk, data: Buffer) => Buffer

const privateKeys = new WeakMap<SigningJwk, KeyObject>()

/** Signs with the private part of a key. Throws an Error if the key does not contain it. */
export const signWithPrivateKey: Sign = (jwk, data) => {
  if (jwk.d === undefined)
    throw new Error(`The signing key ${jwk.kid} is in an HSM: set PKCS11_MODULE.`)
  const key = privateKeys.get(jwk) ?? createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  privateKeys.set(jwk, key)
  return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
}

/** A signing key for oidc-provider whose private part is elsewhere. */
class OutsideKey extends ExternalSigningKey {
  readonly #jwk: SigningJwk
  readonly #sign: Sign

  constructor(jwk: SigningJwk, signWith: Sign) {
    super()
    this.#jwk = jwk
    this.#sign = signWith
    Object.assign(this, { kid: jwk.kid, alg: 'ES256' })
  }

  override keyObject() {
    return createPublicKey({ key: publicJwk(this.#jwk) as JsonWebKey, format: 'jwk' })
  }

  override sign(data: Buffer) {
    return this.#sign(this.#jwk, data)
  }
}

/** Returns a signing key in the form that oidc-provider expects. */
export const providerKey = (jwk: SigningJwk, signWith: Sign) =>
  jwk.d === undefined ? new OutsideKey(jwk, signWith) : { ...jwk }

/**
 * Returns the public part of a signing key. Throws an Error if it is not an ES256 key with a key
 * ID.
 */
export function publicJwk({ kty, crv, x, y, kid }: SigningJwk) {
  if (kty !== 'EC' || crv !== 'P-256' || !kid)
    throw new Error('A signing key must be an ES256 key (EC, P-256) with a kid.')
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }
}
