import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '../../kernel/domain/problem.ts'
import { wwwAuthenticate } from '../../kernel/authorization/challenge.ts'
import { createTokenVerifier } from '../../kernel/authorization/token.ts'

const issuer = 'http://127.0.0.1:4000'
const audience = 'http://127.0.0.1:4000/api'
const nowMs = Date.UTC(2026, 5, 1)
const now = nowMs / 1000
const ours = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicJwk = { ...ours.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }
const rsaJwk = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'r1', alg: 'PS256' }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const goodHeader = { alg: 'ES256', typ: 'at+jwt', kid: 'k1' }
const goodClaims = {
  iss: issuer,
  aud: audience,
  sub: 'ada',
  client_id: 'web',
  scope: 'accounts:read offers:read',
  jti: 'j1',
  iat: now,
  exp: now + 600,
}

/** Signs any claims and header; a member that is `undefined` is left out. */
function aToken(
  claims: object = {},
  header: object = {},
  key: KeyObject = ours.privateKey,
): string {
  const input = `${encode({ ...goodHeader, ...header })}.${encode({ ...goodClaims, ...claims })}`
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

function withHmac(secret: string | Buffer): string {
  const input = `${encode({ ...goodHeader, alg: 'HS256' })}.${encode(goodClaims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

function unsigned(alg: string): string {
  return `${encode({ ...goodHeader, alg })}.${encode(goodClaims)}.`
}

function tampered(): string {
  const [header, , signature] = aToken().split('.')
  return `${header}.${encode({ ...goodClaims, sub: 'grace' })}.${signature}`
}

const aVerifier = (options: { time?: () => number; revoked?: Set<string>; max?: number } = {}) =>
  createTokenVerifier({
    trusted: [{ issuer, audience, jwks: { keys: [publicJwk, rsaJwk] } }],
    now: options.time ?? (() => nowMs),
    isRevoked: ({ tokenId }) => options.revoked?.has(tokenId) ?? false,
    maxCachedTokens: options.max ?? 100,
  })

function refusal(authorization: string | string[] | undefined, verifier = aVerifier()): Problem {
  try {
    void verifier.verify(authorization)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('The token was accepted.')
}

let outbound: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  outbound = vi.spyOn(Socket.prototype, 'connect')
})
afterEach(() => {
  expect(outbound).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

describe('Accepted tokens', () => {
  test('returns the caller synchronously', () => {
    expect(aVerifier().verify(`Bearer ${aToken()}`)).toEqual({
      clientId: 'web',
      subject: 'ada',
      scopes: new Set(['accounts:read', 'offers:read']),
      partyId: null,
      grantId: null,
      sessionId: null,
      acr: null,
      authenticatedAt: null,
      keyThumbprint: null,
      certificateThumbprint: null,
      tokenId: 'j1',
      issuedAt: now * 1000,
      expiresAt: (now + 600) * 1000,
    })
  })
  test('reads how and when the person logged in', () => {
    const token = aToken({ acr: 'urn:bankgraph:acr:passkey', auth_time: now - 60 })
    expect(aVerifier().verify(`Bearer ${token}`)).toMatchObject({
      acr: 'urn:bankgraph:acr:passkey',
      authenticatedAt: (now - 60) * 1000,
    })
  })
  const good: [string, string][] = [
    ['scheme in lower case', `bearer ${aToken()}`],
    ['audience in a list', `Bearer ${aToken({ aud: ['urn:other', audience] })}`],
    ['the long media type', `Bearer ${aToken({}, { typ: 'application/at+jwt' })}`],
    ['expired within the tolerance', `Bearer ${aToken({ exp: now - 3 })}`],
    ['from a clock slightly ahead', `Bearer ${aToken({ iat: now + 3, nbf: now + 3 })}`],
    ['without a scope', `Bearer ${aToken({ scope: undefined })}`],
    ['with a party', `Bearer ${aToken({ party_id: 'pty_ada' })}`],
  ]
  test.each(good)('accepts a token: %s', (_, authorization) => {
    expect(aVerifier().verify(authorization)).toMatchObject({ subject: 'ada' })
  })
})

describe('Rejected tokens', () => {
  const publicPem = ours.publicKey.export({ format: 'pem', type: 'spki' })
  const nothing: [string, string | undefined][] = [
    ['no header', undefined],
    ['an empty header', ''],
    ['Basic', 'Basic YTpi'],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a space', 'Bearer  '],
    ['a token without scheme', aToken()],
  ]
  test.each(nothing)('returns UNAUTHENTICATED: %s', (_, authorization) => {
    expect(refusal(authorization).code).toBe('UNAUTHENTICATED')
  })

  const hostile: [string, string][] = [
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): [string, string] => [
      `alg "${alg}"`,
      unsigned(alg),
    ]),
    ['HS256 with the public PEM as secret', withHmac(publicPem)],
    ['HS256 with the public JWK as secret', withHmac(JSON.stringify(publicJwk))],
    ['HS256 with an empty secret', withHmac('')],
    ['acr not a text', aToken({ acr: 1 })],
    ['acr empty', aToken({ acr: '' })],
    ['auth_time not a number', aToken({ auth_time: '1' })],
    ['alg missing', aToken({}, { alg: undefined })],
    ['alg a list', aToken({}, { alg: ['ES256'] })],
    ['ES384 by name', aToken({}, { alg: 'ES384' })],
    ['an RSA alg on the EC key', aToken({}, { alg: 'RS256' })],
    ['an EC alg on the RSA key', aToken({}, { kid: 'r1' })],
    ['RS256 on a key bound to PS256', aToken({}, { alg: 'RS256', kid: 'r1' }, rsa.privateKey)],
    ['unknown kid', aToken({}, { kid: 'k2' })],
    ['kid missing', aToken({}, { kid: undefined })],
    ['kid a path', aToken({}, { kid: '../../etc/passwd' })],
    ['kid __proto__', aToken({}, { kid: '__proto__' })],
    ['right kid, wrong key', aToken({}, {}, theirs.privateKey)],
    [
      'own key in jwk',
      aToken({}, { jwk: theirs.publicKey.export({ format: 'jwk' }) }, theirs.privateKey),
    ],
    [
      'own key behind jku',
      aToken({}, { jku: 'http://127.0.0.1:9/jwks', kid: 'x' }, theirs.privateKey),
    ],
    ['own key behind x5u', aToken({}, { x5u: 'http://127.0.0.1:9/x' }, theirs.privateKey)],
    ['own certificate in x5c', aToken({}, { x5c: ['MIIB'] }, theirs.privateKey)],
    ['crit', aToken({}, { crit: ['b64'], b64: false })],
    ['empty crit', aToken({}, { crit: [] })],
    ['signature stripped', aToken().replace(/[^.]*$/, '')],
    ['signature cut', aToken().slice(0, -4)],
    ['signature all zero', aToken().replace(/[^.]*$/, Buffer.alloc(64).toString('base64url'))],
    ['payload tampered', tampered()],
    ['typ JWT', aToken({}, { typ: 'JWT' })],
    ['typ missing', aToken({}, { typ: undefined })],
    ['a logout token', aToken({}, { typ: 'logout+jwt' })],
    ['nbf in the future', aToken({ nbf: now + 60 })],
    ['nbf a string', aToken({ nbf: String(now) })],
    ['iat in the future', aToken({ iat: now + 60 })],
    ['iat missing', aToken({ iat: undefined })],
    ['exp a string', aToken({ exp: String(now + 600) })],
    ['exp missing', aToken({ exp: undefined })],
    ['exp null', aToken({ exp: null })],
    ['issuer with a trailing slash', aToken({ iss: `${issuer}/` })],
    ['issuer in capitals', aToken({ iss: issuer.toUpperCase() })],
    ['issuer a list', aToken({ iss: [issuer] })],
    ['issuer missing', aToken({ iss: undefined })],
    ['wrong audience', aToken({ aud: 'urn:other' })],
    ['audience missing', aToken({ aud: undefined })],
    ['audience with a trailing slash', aToken({ aud: `${audience}/` })],
    ['sub missing', aToken({ sub: undefined })],
    ['sub a number', aToken({ sub: 7 })],
    ['jti missing', aToken({ jti: undefined })],
    ['client_id missing', aToken({ client_id: undefined })],
    ['scope a list', aToken({ scope: ['accounts:read'] })],
    ['party_id a number', aToken({ party_id: 7 })],
    ['bound to a key (cnf)', aToken({ cnf: { jkt: 'x' } })],
    ['a JWE of five parts', `${encode({ alg: 'dir', enc: 'A256GCM' })}.a.b.c.d`],
    ['two parts', 'a.b'],
    ['not JSON', 'AAAA.AAAA.AAAA'],
    ['a JSON list', `${encode([])}.${encode([])}.AAAA`],
    ['JSON null', `${encode(null)}.${encode(null)}.AAAA`],
    ['bad base64', aToken().replace('.', '!.')],
    ['padded base64', `${aToken()}==`],
    ['1 MB', 'a'.repeat(1_000_000)],
    ['slightly more than 8 KB, signed', aToken({ scope: 'x '.repeat(4000) })],
    ['two tokens in one header', `${aToken()}, Bearer ${aToken({ jti: 'j2' })}`],
    ['two tokens separated by a space', `${aToken()} ${aToken()}`],
  ]
  test.each(hostile)('returns TOKEN_INVALID: %s', (_, token) => {
    const problem = refusal(`Bearer ${token}`)
    expect(problem.code).toBe('TOKEN_INVALID')
    expect(problem.status).toBe(401)
    expect(token.includes(problem.message)).toBe(false)
    expect(problem.message.length).toBeLessThan(100)
  })

  test('returns TOKEN_INVALID for two headers', () => {
    const header = `Bearer ${aToken()}`
    expect(refusal([header, header]).code).toBe('TOKEN_INVALID')
  })
  test('returns TOKEN_EXPIRED for an expired token', () => {
    expect(refusal(`Bearer ${aToken({ exp: now - 6 })}`).code).toBe('TOKEN_EXPIRED')
  })
  test('returns TOKEN_INVALID for an expired token with a wrong signature', () => {
    const token = aToken({ exp: now - 6 }, {}, theirs.privateKey)
    expect(refusal(`Bearer ${token}`).code).toBe('TOKEN_INVALID')
  })
})

describe('Cache of verified tokens', () => {
  test('accepts a cached token until it expires', () => {
    let time = nowMs
    const verifier = aVerifier({ time: () => time })
    const header = `Bearer ${aToken()}`
    expect(verifier.verify(header)).toBe(verifier.verify(header))
    time += 606_000
    expect(refusal(header, verifier).code).toBe('TOKEN_EXPIRED')
  })
  test('rejects a cached token once it is revoked', () => {
    const revoked = new Set<string>()
    const verifier = aVerifier({ revoked })
    const header = `Bearer ${aToken()}`
    void verifier.verify(header)
    revoked.add('j1')
    expect(refusal(header, verifier).message).toBe('The token was revoked.')
    expect(refusal(`Bearer ${aToken()}`, aVerifier({ revoked })).code).toBe('TOKEN_INVALID')
  })
  test('evicts the least recently used token first', () => {
    const verifier = aVerifier({ max: 2 })
    const [a, b, c] = ['a', 'b', 'c'].map((jti) => `Bearer ${aToken({ jti })}`) as [
      string,
      string,
      string,
    ]
    const callerA = verifier.verify(a)
    const callerB = verifier.verify(b)
    void verifier.verify(a)
    void verifier.verify(c)
    expect(verifier.verify(a)).toBe(callerA)
    expect(verifier.verify(b)).not.toBe(callerB)
  })
})

describe('WWW-Authenticate header', () => {
  const url = `${issuer}/.well-known/oauth-protected-resource`
  test('has no error when no token was sent', () => {
    expect(wwwAuthenticate(refusal(undefined), url)).toBe(`Bearer resource_metadata="${url}"`)
  })
  test('names the error when the token is invalid', () => {
    expect(wwwAuthenticate(refusal('Bearer x'), url)).toMatch(
      /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="/,
    )
  })
  test('names the missing scope', () => {
    const problem = new Problem('INSUFFICIENT_SCOPE', { scope: 'fees:run' })
    expect(wwwAuthenticate(problem, url)).toMatch(
      /^Bearer error="insufficient_scope", scope="fees:run", /,
    )
  })
  test('escapes quotes and line breaks', () => {
    const problem = new Problem('TOKEN_INVALID', { detail: 'a"\r\nSet-Cookie: b\\' })
    expect(wwwAuthenticate(problem, url)).toContain('error_description="a   Set-Cookie: b "')
  })
})
