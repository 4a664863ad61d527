import jwt from 'jsonwebtoken'
import { credentialsIn, onlyHeader, type Authorization } from './authorization-header.ts'
import type { Caller } from './caller.ts'
import { requirePossession, type PossessionRules } from './possession.ts'
import { Problem } from '../domain/problem.ts'
import { logInOf } from './step-up.ts'
import { isDelegable } from '../domain/scopes.ts'
import type { ProvenRequest } from './proofs.ts'
import { invalidToken as invalid } from './token-problems.ts'
import {
  currentKeys,
  publishedKeys,
  staticKeys,
  type FindKey,
  type PublicJwks,
  type VerificationKey,
} from './token-keys.ts'

/**
 * A trusted issuer of tokens, with either its key set (`jwks`, verified synchronously; a function if
 * the keys can be replaced) or the URL of its key set (`jwksUri`).
 */
export interface TrustedIssuer {
  issuer: string
  audience: string
  jwks?: PublicJwks | (() => PublicJwks)
  jwksUri?: string
  /**
   * Returns the scopes of a token from its claims; null if the claim `scope` names them. If omitted,
   * the claim `scope` always does.
   */
  scopesOf?: (claims: Readonly<Record<string, unknown>>) => readonly string[] | null
}

export interface TokenVerifierOptions extends PossessionRules {
  trusted: readonly TrustedIssuer[]
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number
  /**
   * Returns whether the caller's token is revoked. Called on every use of a token, even if the
   * token is cached.
   */
  isRevoked?: (caller: Caller) => boolean
  /** The maximum number of cached tokens. Default: 10,000. */
  maxCachedTokens?: number
}

export interface TokenVerifier {
  /**
   * Verifies the token in the `Authorization` header and returns the caller; a promise if the token
   * is not cached and its issuer publishes its key set at `jwksUri`, or if the token is bound to a
   * key. `request` is the request that sent the token, with the proof of possession. Throws
   * UNAUTHENTICATED if there is no token, TOKEN_EXPIRED, TOKEN_INVALID, what `ProofVerifier` throws,
   * and DEPENDENCY_UNAVAILABLE if the keys of the issuer could not be loaded yet.
   */
  verify(authorization: Authorization, request?: ProvenRequest): Caller | Promise<Caller>
  /**
   * Does the same without a proof of possession, for a token that another process of the bank
   * forwards, or that its client revokes.
   */
  verifyWithoutProof(authorization: Authorization): Caller | Promise<Caller>
}

/**
 * The accepted algorithms, all asymmetric. EdDSA is missing because jsonwebtoken does not support
 * it.
 */
const algorithms = ['ES256', 'PS256', 'RS256'] as const
const toleranceSeconds = 5

interface Source extends Pick<TrustedIssuer, 'issuer' | 'audience' | 'scopesOf'> {
  findKey: FindKey
}

/**
 * Creates a verifier of JWT access tokens (RFC 9068). Throws if a trusted issuer has neither `jwks`
 * nor `jwksUri`, or if its key set is not valid.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { now, isRevoked = () => false } = options
  const sources = new Map(options.trusted.map((item) => [item.issuer, sourceOf(item, now)]))
  const tokenCache = createTokenCache(options.maxCachedTokens ?? 10_000)

  const admit = (header: string, token: string, key: VerificationKey | null, source: Source) => {
    const caller = readCaller(token, key, source, now())
    if (isRevoked(caller)) throw revoked()
    tokenCache.add(header, caller)
    return caller
  }

  const verifyWithoutProof: TokenVerifier['verifyWithoutProof'] = (authorization) => {
    if (typeof authorization === 'string') {
      const caller = tokenCache.find(authorization)
      if (caller && now() < caller.expiresAt) {
        if (isRevoked(caller)) throw revoked()
        return caller
      }
      if (caller) tokenCache.remove(authorization)
    }
    const header = onlyHeader(authorization)
    const { token } = credentialsIn(header)
    const { kid, issuer } = readUnverified(token)
    const source = sources.get(issuer)
    if (!source) throw invalid('The issuer of the token is not trusted here.')
    const key = source.findKey(kid)
    if (key instanceof Promise) return key.then((found) => admit(header, token, found, source))
    return admit(header, token, key, source)
  }
  const verify: TokenVerifier['verify'] = (authorization, request) => {
    const caller = verifyWithoutProof(authorization)
    return caller instanceof Promise
      ? caller.then((found) => requirePossession(options, found, authorization, request))
      : requirePossession(options, caller, authorization, request)
  }
  return { verify, verifyWithoutProof }
}

function sourceOf({ jwks, jwksUri, ...source }: TrustedIssuer, now: () => number): Source {
  if (typeof jwks === 'function') return { ...source, findKey: currentKeys(jwks) }
  if (jwks) return { ...source, findKey: staticKeys(jwks) }
  if (jwksUri) return { ...source, findKey: publishedKeys(jwksUri, now) }
  throw new Error(`The issuer ${source.issuer} needs either jwks or jwksUri.`)
}

/**
 * Creates an LRU cache of verified tokens. Its key is the header itself. Hashing the header would
 * add no security: an attacker who can read this memory can read the same tokens in the request
 * buffers. Only verified tokens are added, so invalid tokens cannot flood the cache.
 */
function createTokenCache(maxTokens: number) {
  const callers = new Map<string, Caller>()
  return {
    find(header: string): Caller | undefined {
      const caller = callers.get(header)
      // Moving an entry on each use would double the cost, and the order only matters when the
      // cache is full.
      if (caller && callers.size >= maxTokens) {
        callers.delete(header)
        callers.set(header, caller)
      }
      return caller
    },
    add(header: string, caller: Caller) {
      if (callers.size >= maxTokens) callers.delete(callers.keys().next().value!)
      callers.set(header, caller)
    },
    remove(header: string) {
      callers.delete(header)
    },
  }
}

/**
 * Reads the key ID and the issuer, which select the key. They are not trusted until the signature
 * is verified.
 */
function readUnverified(token: string): { kid: string; issuer: string } {
  const parts = token.split('.')
  if (parts.length !== 3) throw invalid('The token is not a signed JWT of three parts.')
  if (!parts.every(isBase64Url)) throw invalid('The token is not base64url.')
  const header = jsonObject(parts[0]!)
  const { kid, typ, alg } = header
  if (typeof typ !== 'string' || !/^(application\/)?at\+jwt$/i.test(typ)) {
    throw invalid('The token is not an access token: its typ is not at+jwt.')
  }
  if (!algorithms.some((known) => known === alg)) {
    throw invalid(`The token is not signed with one of ${algorithms.join(', ')}.`)
  }
  if ('crit' in header)
    throw invalid('The token requires an extension (crit) that is not supported.')
  if (typeof kid !== 'string' || kid === '') throw invalid('The token does not name its key.')
  const { iss } = jsonObject(parts[1]!)
  if (typeof iss !== 'string') throw invalid('The token does not name its issuer.')
  return { kid, issuer: iss }
}

/**
 * Whether a part is canonical base64url. Other encodings are rejected, because one signature could
 * then be written in several ways.
 */
function isBase64Url(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part
}

function jsonObject(part: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    throw invalid('A part of the token is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('A part of the token is not a JSON object.')
  }
  return value as Record<string, unknown>
}

function readCaller(
  token: string,
  key: VerificationKey | null,
  source: Source,
  nowMs: number,
): Caller {
  if (!key) throw invalid('The token is signed with an unknown key.')
  const claims = verifiedClaims(token, key, source, nowMs)
  const { exp, iat, sub, jti, client_id: clientId, scope, party_id: partyId } = claims
  if (!Number.isFinite(exp)) throw invalid('The token has no exp.')
  if (!Number.isFinite(iat)) throw invalid('The token has no iat.')
  if ((iat as number) > nowMs / 1000 + toleranceSeconds) {
    throw invalid('The token was issued in the future.')
  }
  if (!isText(sub) || !isText(jti) || !isText(clientId)) {
    throw invalid('The token has no sub, jti or client_id.')
  }
  if (scope !== undefined && typeof scope !== 'string') throw invalid('The scope is not a string.')
  if (partyId !== undefined && !isText(partyId)) throw invalid('The party_id is not a string.')
  const grantId = claims['grant_id']
  if (grantId !== undefined && !isText(grantId)) throw invalid('The grant_id is not a string.')
  const sessionId = claims['session_id']
  const requested = source.scopesOf?.(claims) ?? (scope ?? '').split(' ').filter(Boolean)
  return Object.freeze({
    clientId,
    subject: isOfClient(sub, clientId, claims) ? clientId : sub,
    // Another issuer may have granted scopes that a person cannot delegate.
    scopes: new Set(partyId === undefined ? requested : requested.filter(isDelegable)),
    partyId: partyId ?? null,
    grantId: grantId ?? null,
    sessionId: isText(sessionId) ? sessionId : null,
    ...logInOf(claims),
    ...readBinding(claims['cnf']),
    tokenId: jti,
    issuedAt: (iat as number) * 1000,
    expiresAt: (exp as number) * 1000,
  })
}

/**
 * Whether the token was issued to a client that acts for itself. Its `sub` should be the client's ID
 * (RFC 9068, section 2.2); Auth0 adds a suffix, and Keycloak names a user whom it creates for the
 * client.
 */
function isOfClient(sub: string, clientId: string, claims: Record<string, unknown>): boolean {
  return (
    sub === `${clientId}@clients` || claims['preferred_username'] === `service-account-${clientId}`
  )
}

/** Returns the thumbprints of the key and of the certificate to which the token is bound. */
function readBinding(
  confirmation: unknown,
): Pick<Caller, 'keyThumbprint' | 'certificateThumbprint'> {
  if (confirmation === undefined) return { keyThumbprint: null, certificateThumbprint: null }
  const members = Object.entries(confirmation ?? {}) as [string, unknown][]
  const isKnown = ([name, value]: [string, unknown]) =>
    (name === 'jkt' || name === 'x5t#S256') && isText(value)
  if (members.length === 0 || !members.every(isKnown)) {
    throw invalid('The token is bound in a way that is not supported; use DPoP or mutual TLS.')
  }
  const { jkt = null, 'x5t#S256': certificate = null } = Object.fromEntries(members) as Partial<
    Record<string, string>
  >
  return { keyThumbprint: jkt, certificateThumbprint: certificate }
}

function verifiedClaims(
  token: string,
  { key, alg }: VerificationKey,
  source: Source,
  nowMs: number,
) {
  const allowedAlgorithms = algorithms.filter((known) => alg === undefined || known === alg)
  try {
    return jwt.verify(token, key, {
      algorithms: allowedAlgorithms,
      issuer: source.issuer,
      audience: source.audience,
      clockTimestamp: Math.floor(nowMs / 1000),
      clockTolerance: toleranceSeconds,
    }) as Record<string, unknown>
  } catch (cause) {
    if (cause instanceof jwt.TokenExpiredError) {
      throw new Problem('TOKEN_EXPIRED', { detail: 'The token has expired.' }, { cause })
    }
    throw invalid('The signature, the audience or a time claim of the token is not valid.', {
      cause,
    })
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function revoked(): Problem {
  return invalid('The token was revoked.')
}
