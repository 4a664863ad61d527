import { randomUUID } from 'node:crypto'
import { accessTokenSeconds } from './grants.ts'
import { signWithPrivateKey, type Sign, type SigningJwk } from './keys.ts'

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
  sign = signWithPrivateKey,
  now,
}: {
  issuer: string
  audience: string
  now: () => Date
  /** Returns the signing keys. The first one signs. */
  signingJwks: () => SigningKeys
  sign?: Sign
}) {
  return ({ clientId, scope, subject, ttlSeconds, ...delegation }: IssuedClaims): string => {
    const iat = Math.floor(now().getTime() / 1000)
    const exp = iat + (ttlSeconds ?? accessTokenSeconds)
    const { partyId: party_id, grantId: grant_id } = delegation
    const delegationClaims = { ...(party_id && { party_id }), ...(grant_id && { grant_id }) }
    const claims = { scope, client_id: clientId, iat, exp, ...delegationClaims }
    const [signingJwk] = signingJwks()
    const about = { iss: issuer, aud: audience, sub: subject ?? clientId, jti: randomUUID() }
    const header = { alg: 'ES256', typ: 'at+jwt', kid: signingJwk.kid }
    // RFC 7515, section 7.1. The libraries for JWTs cannot sign with a key outside of the process.
    const text = [header, { ...claims, ...about }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${text}.${sign(signingJwk, Buffer.from(text)).toString('base64url')}`
  }
}
