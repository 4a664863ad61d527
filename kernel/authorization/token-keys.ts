import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import jwksRsa from 'jwks-rsa'
import { Problem } from '../domain/problem.ts'

/** A public key as a JSON Web Key (RFC 7517). Its properties depend on its type. */
export interface PublicJwk {
  kty?: string
  kid?: string
  alg?: string
  use?: string
  [member: string]: unknown
}

/** A JSON Web Key Set (RFC 7517) that contains only public keys. */
export interface PublicJwks {
  keys: readonly PublicJwk[]
}

/**
 * A public key. `alg` is the only algorithm allowed with this key; undefined if the key set names
 * no algorithm.
 */
export interface VerificationKey {
  key: KeyObject | string
  alg: string | undefined
}

export type FindKey = (kid: string) => VerificationKey | null | Promise<VerificationKey | null>

const fetchTimeoutMs = 5_000
const cacheMaxAgeMs = 10 * 60_000
const cooldownMs = 30_000

/**
 * Returns a synchronous lookup in a fixed key set. Throws if a key has no `kid` or is not a valid
 * public key.
 */
export function staticKeys(jwks: PublicJwks): FindKey {
  const keys = new Map<string, VerificationKey>()
  for (const jwk of jwks.keys) {
    if (!jwk.kid) throw new Error('A key of a trusted key set has no kid; add one.')
    // A private or secret key in the set is a configuration error, so the startup fails.
    if ('d' in jwk || jwk.kty === 'oct')
      throw new Error('A trusted key set contains a private or secret key; remove it.')
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    keys.set(jwk.kid, { key, alg: jwk.alg })
  }
  return (kid) => keys.get(kid) ?? null
}

/**
 * Returns a function that looks up keys in a key set that can be replaced while the process runs.
 * Throws what `staticKeys` throws.
 */
export function currentKeys(read: () => PublicJwks): FindKey {
  let jwks = read()
  let findKey = staticKeys(jwks)
  return (kid) => {
    const latest = read()
    if (latest !== jwks) {
      jwks = latest
      findKey = staticKeys(latest)
    }
    return findKey(kid)
  }
}

/**
 * Returns a function that looks up keys in the key set that an external issuer publishes. Keys are
 * cached for ten minutes, and longer while the issuer does not respond. Requests with unknown key
 * IDs cause at most two fetches a minute. It throws DEPENDENCY_UNAVAILABLE if the key set has never
 * been loaded successfully.
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
        { detail: 'The keys of the identity provider cannot be read; try again later.' },
        { cause: error },
      )
    }
  }
}

type Fetcher = (uri: string) => Promise<{ keys: unknown }>

/**
 * Returns a fetcher that runs one fetch at a time, and none within 30 seconds after the start of
 * the last one, so that unknown key IDs cannot flood the issuer.
 */
function withCooldown(now: () => number): Fetcher {
  let loadedKeys: { keys: unknown } | null = null
  let failure: unknown = null
  let requestedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | null = null
  const load = async (uri: string) => {
    try {
      loadedKeys = await fetchKeys(uri)
      failure = null
    } catch (error) {
      failure = error
    } finally {
      pending = null
    }
  }
  return async (uri) => {
    if (!pending && Math.abs(now() - requestedAt) >= cooldownMs) {
      requestedAt = now()
      pending = load(uri)
    }
    await pending
    if (loadedKeys) return loadedKeys
    throw failure
  }
}

async function fetchKeys(uri: string): Promise<{ keys: unknown }> {
  const response = await fetch(uri, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(fetchTimeoutMs),
  })
  if (!response.ok)
    throw new Error(`The request for the key set failed with status ${response.status}.`)
  const body = (await response.json()) as { keys?: unknown } | null
  if (!Array.isArray(body?.keys)) throw new Error('The key set has no "keys" array.')
  return { keys: body.keys }
}
