import jwt from 'jsonwebtoken'
import type { Caller } from './caller.ts'
import { Problem } from './domain/problem.ts'
import { isDelegable } from './scopes.ts'
import {
  publishedKeys,
  staticKeys,
  type FindKey,
  type PublicJwks,
  type VerificationKey,
} from './token-keys.ts'

/** An issuer whose tokens are good here: its keys by value (no waiting), or by address. */
export interface TrustedIssuer {
  issuer: string
  audience: string
  jwks?: PublicJwks
  jwksUri?: string
}

export interface TokenVerifierOptions {
  trusted: readonly TrustedIssuer[]
  /** Milliseconds since the epoch. */
  now: () => number
  /** Asked on every use of a token, remembered or not. */
  isRevoked?: (caller: Caller) => boolean
  /** How many verified tokens are remembered. */
  rememberedMax?: number
}

export interface TokenVerifier {
  /**
   * Promises who calls, from the value (or all values) of the `Authorization` header. Answers at
   * once unless a key has to be fetched. Refuses with UNAUTHENTICATED when no bearer token was
   * sent, TOKEN_EXPIRED, TOKEN_INVALID, or DEPENDENCY_UNAVAILABLE while no key was ever loaded.
   */
  verify(authorization: string | readonly string[] | undefined): Caller | Promise<Caller>
}

/** What jsonwebtoken can check with a public key alone; it has no EdDSA. */
const algorithms = ['ES256', 'PS256', 'RS256'] as const
const toleranceSeconds = 5
const tokenMaxLength = 8192

interface Source {
  issuer: string
  audience: string
  findKey: FindKey
}

/** Promises a verifier of RFC 9068 access tokens. Throws where a trusted issuer has no usable keys. */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { now, isRevoked = () => false } = options
  const sources = new Map(options.trusted.map((item) => [item.issuer, sourceOf(item, now)]))
  const remembered = createMemory(options.rememberedMax ?? 10_000)

  const admit = (header: string, token: string, key: VerificationKey | null, source: Source) => {
    const caller = readCaller(token, key, source, now())
    if (isRevoked(caller)) throw revoked()
    remembered.keep(header, caller)
    return caller
  }

  const verify: TokenVerifier['verify'] = (authorization) => {
    if (typeof authorization === 'string') {
      const caller = remembered.find(authorization)
      if (caller && now() < caller.expiresAt) {
        if (isRevoked(caller)) throw revoked()
        return caller
      }
      if (caller) remembered.forget(authorization)
    }
    const header = onlyHeader(authorization)
    const token = bearerToken(header)
    const { kid, issuer } = readUnverified(token)
    const source = sources.get(issuer)
    if (!source) throw invalid('The token was issued by someone who is not trusted here.')
    const key = source.findKey(kid)
    if (key instanceof Promise) return key.then((found) => admit(header, token, found, source))
    return admit(header, token, key, source)
  }
  return { verify }
}

/**
 * Promises the `WWW-Authenticate` header of a 401 or 403 (RFC 6750 section 3, RFC 9728 section 5.1):
 * an error only where a token was sent, and the missing scope by name.
 */
export function wwwAuthenticate(problem: Problem, resourceMetadataUrl: string): string {
  const members: [string, string | undefined][] = []
  if (problem.code === 'TOKEN_INVALID' || problem.code === 'TOKEN_EXPIRED') {
    members.push(['error', 'invalid_token'], ['error_description', problem.message])
  }
  if (problem.code === 'INSUFFICIENT_SCOPE') {
    members.push(['error', 'insufficient_scope'], ['scope', problem.members.scope])
  }
  members.push(['resource_metadata', resourceMetadataUrl])
  return `Bearer ${members.flatMap(([name, value]) => quoted(name, value)).join(', ')}`
}

/** RFC 6750 allows printable ASCII without the quotation mark and the backslash. */
function quoted(name: string, value: string | undefined): string[] {
  return value ? [`${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, ' ')}"`] : []
}

function sourceOf({ issuer, audience, jwks, jwksUri }: TrustedIssuer, now: () => number): Source {
  if (jwks) return { issuer, audience, findKey: staticKeys(jwks) }
  if (jwksUri) return { issuer, audience, findKey: publishedKeys(jwksUri, now) }
  throw new Error(`The issuer ${issuer} needs either jwks or jwksUri.`)
}

/**
 * Forgets the least recently used first. Keyed by the header itself and not by its SHA-256: that is
 * no slower and one step less, only verified tokens get in, so nobody can flood the map, and whoever
 * can read this memory can read the same tokens in the request buffers.
 */
function createMemory(max: number) {
  const callers = new Map<string, Caller>()
  return {
    find(header: string): Caller | undefined {
      const caller = callers.get(header)
      // Moving to the end on each use would double the price; a full memory is where it matters.
      if (caller && callers.size >= max) {
        callers.delete(header)
        callers.set(header, caller)
      }
      return caller
    },
    keep(header: string, caller: Caller) {
      if (callers.size >= max) callers.delete(callers.keys().next().value!)
      callers.set(header, caller)
    },
    forget(header: string) {
      callers.delete(header)
    },
  }
}

function onlyHeader(authorization: string | readonly string[] | undefined): string {
  if (typeof authorization === 'string') return authorization
  if (authorization && authorization.length > 1) throw invalid('Send exactly one token.')
  return authorization?.[0] ?? ''
}

function bearerToken(header: string): string {
  if (header === '') throw unauthenticated('No Authorization header was sent.')
  const space = header.indexOf(' ')
  const scheme = space === -1 ? header : header.slice(0, space)
  if (scheme.toLowerCase() !== 'bearer') {
    throw unauthenticated('The Authorization header has another scheme than Bearer.')
  }
  const token = space === -1 ? '' : header.slice(space).trim()
  if (token === '') throw unauthenticated('The Authorization header has no token.')
  if (token.length > tokenMaxLength) throw invalid('The token is longer than 8192 characters.')
  if (/[\s,]/.test(token)) throw invalid('Send exactly one token.')
  return token
}

/** Looks at the outside only, to choose the key; nothing read here is believed before the signature is. */
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
  if ('crit' in header) throw invalid('The token demands an extension that is not known here.')
  if (typeof kid !== 'string' || kid === '') throw invalid('The token does not name its key.')
  const { iss } = jsonObject(parts[1]!)
  if (typeof iss !== 'string') throw invalid('The token does not name its issuer.')
  return { kid, issuer: iss }
}

/** Canonical only: otherwise one signature could be spelled in several ways. */
function isBase64Url(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part
}

function jsonObject(part: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    throw invalid('The token is not JSON inside.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The token is not a JSON object inside.')
  }
  return value as Record<string, unknown>
}

function readCaller(
  token: string,
  key: VerificationKey | null,
  source: Source,
  nowMs: number,
): Caller {
  if (!key) throw invalid('The token is signed with a key that is not known here.')
  const claims = verifiedClaims(token, key, source, nowMs)
  const { exp, iat, sub, jti, client_id: clientId, scope, party_id: partyId } = claims
  if (!Number.isFinite(exp)) throw invalid('The token has no exp.')
  if (!Number.isFinite(iat)) throw invalid('The token has no iat.')
  if ((iat as number) > nowMs / 1000 + toleranceSeconds) {
    throw invalid('The token was issued in the future.')
  }
  // Without the proof that belongs to it, a bound token is a stolen one.
  if (claims['cnf'] !== undefined)
    throw invalid('The token is bound to a key; send a bearer token.')
  if (!isText(sub) || !isText(jti) || !isText(clientId)) {
    throw invalid('The token has no sub, jti or client_id.')
  }
  if (scope !== undefined && typeof scope !== 'string') throw invalid('The scope is not a string.')
  if (partyId !== undefined && !isText(partyId)) throw invalid('The party_id is not a string.')
  const grantId = claims['grant_id']
  if (grantId !== undefined && !isText(grantId)) throw invalid('The grant_id is not a string.')
  const asked = (scope ?? '').split(' ').filter(Boolean)
  return Object.freeze({
    clientId,
    subject: sub,
    // Another issuer may hand out more than a person has to give.
    scopes: new Set(partyId === undefined ? asked : asked.filter(isDelegable)),
    partyId: partyId ?? null,
    grantId: grantId ?? null,
    tokenId: jti,
    issuedAt: (iat as number) * 1000,
    expiresAt: (exp as number) * 1000,
  })
}

function verifiedClaims(
  token: string,
  { key, alg }: VerificationKey,
  source: Source,
  nowMs: number,
) {
  const allowed = algorithms.filter((known) => alg === undefined || known === alg)
  try {
    return jwt.verify(token, key, {
      algorithms: allowed,
      issuer: source.issuer,
      audience: source.audience,
      clockTimestamp: Math.floor(nowMs / 1000),
      clockTolerance: toleranceSeconds,
    }) as Record<string, unknown>
  } catch (cause) {
    if (cause instanceof jwt.TokenExpiredError) {
      throw new Problem('TOKEN_EXPIRED', { detail: 'The token has expired.' }, { cause })
    }
    throw invalid('The token was refused: its signature, audience or times are wrong.', { cause })
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function unauthenticated(detail: string): Problem {
  return new Problem('UNAUTHENTICATED', { detail })
}

function invalid(detail: string, options?: ErrorOptions): Problem {
  return new Problem('TOKEN_INVALID', { detail }, options)
}

function revoked(): Problem {
  return invalid('The token was revoked.')
}
