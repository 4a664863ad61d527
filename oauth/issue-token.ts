import { createPrivateKey, randomUUID, type KeyObject } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { accessTokenSeconds } from './grants.ts'
import type { SigningJwk } from './keys.ts'

/** The signing keys. The first one signs; tokens of the others stay valid until they expire. */
export type SigningKeys = readonly [SigningJwk, ...SigningJwk[]]

/** The claims of a token that is issued without the token endpoint. */
export interface IssuedClaims {
  clientId: string
  scope: string
  /** The subject of the token. If omitted, the subject is the client ID. */
  subject?: string
  partyId?: string
  grantId?: string
  ttlSeconds?: number
}

/** Creates a function that signs tokens with the same claims as those from the token endpoint. */
export function createTokenIssuer({
  issuer,
  audience,
  signingJwks,
  now,
}: {
  issuer: string
  audience: string
  now: () => Date
  /** Returns the signing keys. The first one signs. */
  signingJwks: () => SigningKeys
}) {
  const keys = new WeakMap<SigningJwk, KeyObject>()
  const keyOf = (jwk: SigningJwk) => {
    const key = keys.get(jwk) ?? createPrivateKey({ key: { ...jwk }, format: 'jwk' })
    keys.set(jwk, key)
    return key
  }
  return ({ clientId, scope, subject, ttlSeconds, ...delegation }: IssuedClaims): string => {
    const iat = Math.floor(now().getTime() / 1000)
    const exp = iat + (ttlSeconds ?? accessTokenSeconds)
    const { partyId: party_id, grantId: grant_id } = delegation
    const delegationClaims = { ...(party_id && { party_id }), ...(grant_id && { grant_id }) }
    const claims = { scope, client_id: clientId, iat, exp, ...delegationClaims }
    const [signingJwk] = signingJwks()
    return jwt.sign(claims, keyOf(signingJwk), {
      algorithm: 'ES256',
      header: { alg: 'ES256', typ: 'at+jwt', kid: signingJwk.kid },
      issuer,
      audience,
      subject: subject ?? clientId,
      jwtid: randomUUID(),
    })
  }
}
