import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import jwksRsa from 'jwks-rsa'
import { Problem } from './domain/problem.ts'

/** One public key as RFC 7517 writes it; which members it has depends on its type. */
export interface PublicJwk {
  kty?: string
  kid?: string
  alg?: string
  use?: string
  [member: string]: unknown
}

/** RFC 7517 key set, public members only. */
export interface PublicJwks {
  keys: readonly PublicJwk[]
}

/** A key and the one algorithm its owner bound it to, if any. */
export interface VerificationKey {
  key: KeyObject | string
  alg: string | undefined
}

export type FindKey = (kid: string) => VerificationKey | null | Promise<VerificationKey | null>

const fetchTimeoutMs = 5_000
const cacheMaxAgeMs = 10 * 60_000
const cooldownMs = 30_000

/** Promises keys of a set that never changes, without waiting. Throws where a key is not one. */
export function staticKeys(jwks: PublicJwks): FindKey {
  const keys = new Map<string, VerificationKey>()
  for (const jwk of jwks.keys) {
    if (!jwk.kid) throw new Error('Every key of a trusted key set needs a kid.')
    // A set that carries private or secret members is a configuration mistake: refuse it at start.
    if ('d' in jwk || jwk.kty === 'oct') throw new Error('A trusted key set must be public.')
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    keys.set(jwk.kid, { key, alg: jwk.alg })
  }
  return (kid) => keys.get(kid) ?? null
}

/**
 * Promises keys that another issuer publishes, remembered for ten minutes and longer while its
 * address does not answer. However many unknown key ids arrive, it is asked twice a minute at most.
 * Refuses with DEPENDENCY_UNAVAILABLE while no key was ever loaded.
 */
export function publishedKeys(jwksUri: string, now: () => number): FindKey {
  const client = jwksRsa({
    jwksUri,
    cacheMaxEntries: 16,
    cacheMaxAge: cacheMaxAgeMs,
    fetcher: withCooldown(now),
  })
  return async (kid) => {
    try {
      const key = await client.getSigningKey(kid)
      return { key: key.getPublicKey(), alg: key.alg }
    } catch (error) {
      if (error instanceof jwksRsa.SigningKeyNotFoundError) return null
      throw new Problem(
        'DEPENDENCY_UNAVAILABLE',
        { detail: 'The keys of the identity provider cannot be read at the moment.' },
        { cause: error },
      )
    }
  }
}

type Fetcher = (uri: string) => Promise<{ keys: unknown }>

/** One fetch at a time, and none within the cool-down of the last: unknown key ids cost nothing. */
function withCooldown(now: () => number): Fetcher {
  let last: { keys: unknown } | null = null
  let failure: unknown = null
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null
  const ask = async (uri: string) => {
    try {
      last = await fetchKeys(uri)
      failure = null
    } catch (error) {
      failure = error
    } finally {
      asking = null
    }
  }
  return async (uri) => {
    if (!asking && Math.abs(now() - askedAt) >= cooldownMs) {
      askedAt = now()
      asking = ask(uri)
    }
    await asking
    if (last) return last
    throw failure
  }
}

async function fetchKeys(uri: string): Promise<{ keys: unknown }> {
  const response = await fetch(uri, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(fetchTimeoutMs),
  })
  if (!response.ok) throw new Error(`The key set answered ${response.status}.`)
  const body = (await response.json()) as { keys?: unknown } | null
  if (!Array.isArray(body?.keys)) throw new Error('The key set has no keys.')
  return { keys: body.keys }
}
