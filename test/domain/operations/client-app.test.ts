import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  readRedirectUris,
  requireAppUris,
  requireAuthentication,
  requireDelegable,
  requireSameKind,
} from '../../../subgraphs/operations/domain/client-app.ts'
import { readJwks } from '../../../subgraphs/operations/commands/client-keys.ts'

const invalid = expect.objectContaining({ code: 'VALIDATION_FAILED' }) as Error

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength })
const publicJwk = ({ publicKey }: ReturnType<typeof ec>): JsonWebKey =>
  publicKey.export({ format: 'jwk' })
const p256 = publicJwk(ec('P-256'))

describe('Keys of a client', () => {
  test.each([
    ['EC P-256', p256],
    ['Ed25519', publicJwk(generateKeyPairSync('ed25519'))],
    ['RSA with 2048 bits', publicJwk(rsa(2048))],
  ])('can be of the type %s, and keep only their public members and kid', (_, jwk) => {
    const keys = [{ ...jwk, kid: 'k', use: 'sig', note: 'x' }]
    expect(readJwks({ keys }, 'private-key')).toEqual({ keys: [{ ...jwk, kid: 'k' }] })
  })

  test.each<[string, object]>([
    ['no key set', {}],
    ['an empty key set', { keys: [] }],
    ['11 keys', { keys: Array.from({ length: 11 }, () => p256) }],
    ['a private key', { keys: [ec('P-256').privateKey.export({ format: 'jwk' })] }],
    ['a secret', { keys: [{ kty: 'oct', k: 'AAAA' }] }],
    ['a key of another curve', { keys: [publicJwk(ec('P-384'))] }],
    ['a short RSA key', { keys: [publicJwk(rsa(1024))] }],
    ['a key for encryption', { keys: [{ ...p256, use: 'enc' }] }],
    ['a kid that is a number', { keys: [{ ...p256, kid: 1 }] }],
    ['a point that is not on the curve', { keys: [{ ...p256, x: p256.y }] }],
    ['a text', { keys: ['x'] }],
    ['null', { keys: [null] }],
  ])('cannot be %s', (_, jwks) => {
    expect(() => readJwks(jwks, 'private-key')).toThrow(invalid)
  })
})

describe('Redirect URIs', () => {
  test('use HTTPS, or HTTP on the loopback interface, and are kept once', () => {
    const uris = ['https://app.example/a?b=c', 'http://127.0.0.1:3000/a', 'http://localhost/a']
    expect(readRedirectUris([...uris, ...uris])).toEqual(uris)
  })

  test.each([
    'http://app.example/callback',
    'app.example/callback',
    '/callback',
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.example.app:/callback',
    'https://app.example/callback#x',
    'https://app.example/callback#',
    'https://user:secret@app.example/callback',
    'http://localhost.thief.example/callback',
    `https://app.example/${'x'.repeat(500)}`,
  ])('are not %s', (uri) => {
    expect(() => readRedirectUris([uri])).toThrow(invalid)
    if (uri) expect(() => requireAppUris({ logoUri: uri })).toThrow(invalid)
  })

  test('are at most 20', () => {
    const uris = Array.from({ length: 21 }, (_, index) => `https://app.example/${index}`)
    expect(() => readRedirectUris(uris)).toThrow(invalid)
  })
})

describe('An app', () => {
  test('has only scopes that a customer can delegate', () => {
    expect(() => requireDelegable(['accounts:read'])).not.toThrow()
    expect(() => requireDelegable(['accounts:read', 'credit:decide'])).toThrow(invalid)
  })

  test('stays an app, and a client that acts for itself never becomes one', () => {
    const [app, machine] = [['https://app.example/'], []]
    expect(() => requireSameKind(app, ['https://app.example/2'])).not.toThrow()
    expect(() => requireSameKind(machine, null)).not.toThrow()
    expect(() => requireSameKind(app, [])).toThrow(invalid)
    expect(() => requireSameKind(machine, app)).toThrow(invalid)
  })
})

describe('A client', () => {
  test('authenticates with its keys only if it says so', () => {
    const jwks = { keys: [p256] }
    expect(() => requireAuthentication('private-key', { jwks })).not.toThrow()
    expect(() => requireAuthentication('secret', {})).not.toThrow()
    expect(() => requireAuthentication('private-key', {})).toThrow(invalid)
    expect(() => requireAuthentication('secret', { jwks })).toThrow(invalid)
  })

  test('that does not authenticate must be an app', () => {
    const redirectUris = ['https://app.example/']
    expect(() => requireAuthentication('none', { redirectUris })).not.toThrow()
    expect(() => requireAuthentication('none', { redirectUris: [] })).toThrow(invalid)
  })
})
