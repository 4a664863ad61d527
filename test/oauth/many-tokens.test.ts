import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { Problem } from '../../kernel/domain/problem.ts'
import { createTokenVerifier } from '../../kernel/authorization/token.ts'

// Every deviation of an access token, and every pair of deviations, in both schemes: more than 2,000
// tokens. A verifier that checks things in an order in which one deviation hides another would let a
// pair through. The deviations are of RFC 9068, RFC 8725 and RFC 9449.
const issuer = 'https://bank.example'
const nowSeconds = 1_780_000_000
const ours = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicJwk = { ...ours.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }

interface Parts {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  key: KeyObject
  /** Changes the finished token. */
  change: (token: string) => string
}

const right = (): Parts => ({
  header: { alg: 'ES256', typ: 'at+jwt', kid: 'k1' },
  claims: {
    iss: issuer,
    aud: issuer,
    sub: 'ada',
    client_id: 'web',
    scope: 'accounts:read',
    jti: 'j1',
    iat: nowSeconds,
    exp: nowSeconds + 600,
  },
  key: ours.privateKey,
  change: (token) => token,
})

const header = (name: string, value: unknown) => (parts: Parts) => {
  parts.header[name] = value
}
const claim = (name: string, value: unknown) => (parts: Parts) => {
  parts.claims[name] = value
}
const change = (then: (token: string) => string) => (parts: Parts) => {
  const before = parts.change
  parts.change = (token) => then(before(token))
}

const deviations: Record<string, (parts: Parts) => void> = {
  'another key': (parts) => (parts.key = theirs.privateKey),
  'no alg': header('alg', undefined),
  'alg none': header('alg', 'none'),
  'alg NONE': header('alg', 'NONE'),
  'alg HS256': header('alg', 'HS256'),
  'alg RS256': header('alg', 'RS256'),
  'alg ES384': header('alg', 'ES384'),
  'alg as a list': header('alg', ['ES256']),
  'no typ': header('typ', undefined),
  'typ JWT': header('typ', 'JWT'),
  'typ of an ID token': header('typ', 'id_token+jwt'),
  'typ of a proof': header('typ', 'dpop+jwt'),
  'typ of a log-out token': header('typ', 'logout+jwt'),
  'no kid': header('kid', undefined),
  'an empty kid': header('kid', ''),
  'an unknown kid': header('kid', 'k2'),
  'a path as kid': header('kid', '../../etc/passwd'),
  'kid of a prototype': header('kid', '__proto__'),
  'a critical extension': header('crit', ['exp']),
  'an empty critical extension': header('crit', []),
  'no issuer': claim('iss', undefined),
  'another issuer': claim('iss', 'https://thief.example'),
  'an issuer with a slash': claim('iss', `${issuer}/`),
  'an issuer list': claim('iss', [issuer]),
  'an issuer prototype': claim('iss', 'constructor'),
  'no audience': claim('aud', undefined),
  'another audience': claim('aud', 'https://other.example'),
  'an empty audience list': claim('aud', []),
  'an audience with a slash': claim('aud', `${issuer}/`),
  'no subject': claim('sub', undefined),
  'an empty subject': claim('sub', ''),
  'a subject that is a number': claim('sub', 7),
  'no client': claim('client_id', undefined),
  'a client that is a list': claim('client_id', ['web']),
  'no token ID': claim('jti', undefined),
  'an empty token ID': claim('jti', ''),
  'no issue time': claim('iat', undefined),
  'an issue time as text': claim('iat', String(nowSeconds)),
  'an issue time in the future': claim('iat', nowSeconds + 60),
  'no expiry': claim('exp', undefined),
  'an expiry as text': claim('exp', String(nowSeconds + 600)),
  'an expiry in the past': claim('exp', nowSeconds - 60),
  'an infinite expiry': claim('exp', null),
  'a begin in the future': claim('nbf', nowSeconds + 60),
  'scopes as a list': claim('scope', ['accounts:read']),
  'scopes as a number': claim('scope', 1),
  'a party that is a number': claim('party_id', 1),
  'an empty party': claim('party_id', ''),
  'a grant that is an object': claim('grant_id', {}),
  'an empty binding': claim('cnf', {}),
  'a binding that is null': claim('cnf', null),
  'a binding to a certificate': claim('cnf', { 'x5t#S256': 'x' }),
  'two bindings': claim('cnf', { jkt: 'x', 'x5t#S256': 'x' }),
  'a binding without a value': claim('cnf', { jkt: '' }),
  'no signature': change((token) => token.replace(/[^.]*$/, '')),
  'a cut signature': change((token) => token.slice(0, -4)),
  'a longer signature': change((token) => `${token}AAAA`),
  'a padded part': change((token) => `${token}=`),
  'a fourth part': change((token) => `${token}.x`),
  'a missing part': change((token) => token.replace(/^[^.]*\./, '')),
  'a changed claim': change((token) =>
    token.replace(/\.(.)/, (_, first) => `.${first === 'e' ? 'f' : 'e'}`),
  ),
  'a space inside': change((token) => token.replace('.', '. ')),
  'a comma at the end': change((token) => `${token},`),
  'base64 instead of base64url': change((token) => token.replaceAll('_', '/').replace('.', '+.')),
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function tokenOf(names: readonly string[]): string {
  const parts = right()
  for (const name of names) deviations[name]!(parts)
  const input = `${encoded(parts.header)}.${encoded(parts.claims)}`
  const { key } = parts
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return parts.change(`${input}.${signature.toString('base64url')}`)
}

const verifier = createTokenVerifier({
  trusted: [{ issuer, audience: issuer, jwks: { keys: [publicJwk] } }],
  now: () => nowSeconds * 1000,
})

function codeOf(authorization: string): string {
  try {
    void verifier.verify(authorization)
    return 'accepted'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

test('the token without a deviation is accepted', () => {
  expect(codeOf(`Bearer ${tokenOf([])}`)).toBe('accepted')
})

test('every deviation and every pair of deviations is rejected in both schemes', () => {
  const names = Object.keys(deviations)
  const combinations = names.flatMap((name, index) =>
    names.slice(index).map((other) => (other === name ? [name] : [name, other])),
  )
  const wrong = combinations.flatMap((combination) => {
    const token = tokenOf(combination)
    return ['Bearer', 'DPoP'].flatMap((scheme) => {
      const code = codeOf(`${scheme} ${token}`)
      return code === 'TOKEN_INVALID' || code === 'TOKEN_EXPIRED'
        ? []
        : [`${scheme}, ${combination.join(' and ')}: ${code}`]
    })
  })
  expect(combinations.length).toBeGreaterThan(2000)
  expect(wrong).toEqual([])
})
