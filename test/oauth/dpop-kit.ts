import { createHash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import type { Platform } from '../kit/platform.ts'

export interface Prover {
  privateKey: CryptoKey
  jwk: object
  thumbprint: string
  /** A proof for a request. `claims` and `header` replace what a right proof says. */
  proof(request: ProofParts): Promise<string>
}

export interface ProofParts {
  method?: string
  url: string
  token?: string
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
}

/** A client with a key of its own. */
export async function aProver(alg = 'ES256'): Promise<Prover> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return {
    privateKey,
    jwk,
    thumbprint: await calculateJwkThumbprint(jwk),
    proof({ method = 'GET', url, token, claims = {}, header = {} }) {
      const all = {
        htm: method,
        htu: url,
        jti: randomUUID(),
        iat: Math.floor(Date.now() / 1000),
        ...(token && { ath: createHash('sha256').update(token).digest('base64url') }),
        ...claims,
      }
      const said = Object.fromEntries(
        Object.entries(all).filter(([, value]) => value !== undefined),
      )
      return new SignJWT(said)
        .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk, ...header })
        .sign(privateKey)
    },
  }
}

/** Requests a token of the environment's own client that is bound to the key of a prover. */
export async function boundToken(bank: Platform, prover: Prover): Promise<string> {
  const { clientId, clientSecret, tokenEndpoint } = bank.credentials
  const answer = await fetch(tokenEndpoint, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      dpop: await prover.proof({ method: 'POST', url: tokenEndpoint }),
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token: token, token_type: type } = (await answer.json()) as Record<string, string>
  if (type !== 'DPoP') throw new Error(`The token has the type ${type}.`)
  return token!
}
