import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import jwt from 'jsonwebtoken'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { staticKeys } from '../../kernel/authorization/token-keys.ts'
import { createTokenVerifier } from '../../kernel/authorization/token.ts'
import { listen } from './kit.ts'

const keys = ['k1', 'k2'].map((kid) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256' } }
})
let published: object[] = []
let isDown = false
let request = 0
let server: Server
let jwksUri: string
let time = Date.now()
beforeEach(async () => {
  published = [keys[0]!.jwk]
  isDown = false
  request = 0
  server = createServer((_request, response) => {
    request += 1
    response.statusCode = isDown ? 503 : 200
    response.end(JSON.stringify({ keys: published }))
  })
  jwksUri = `${await listen(server)}/jwks.json`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const aVerifier = () =>
  createTokenVerifier({
    trusted: [{ issuer: 'https://id.example', audience: 'urn:bank', jwksUri }],
    now: () => time,
  })
const aHeader = (index: number, kid = keys[index]!.kid, jti = `j${Math.random()}`) => {
  const claims = {
    client_id: 'c',
    iat: Math.floor(time / 1000),
    exp: Math.floor(time / 1000) + 600,
  }
  const token = jwt.sign(claims, keys[index]!.privateKey, {
    algorithm: 'ES256',
    header: { alg: 'ES256', typ: 'at+jwt', kid },
    issuer: 'https://id.example',
    audience: 'urn:bank',
    subject: 's',
    jwtid: jti,
  })
  return `Bearer ${token}`
}

test('fetches the key set once and verifies a cached token synchronously', async () => {
  const verifier = aVerifier()
  const header = aHeader(0)
  const callers = await Promise.all([verifier.verify(header), verifier.verify(aHeader(0))])
  expect(callers).toHaveLength(2)
  expect(verifier.verify(header)).not.toBeInstanceOf(Promise)
  expect(request).toBe(1)
})

test('does not fetch again for unknown key ids until the cool-down has passed', async () => {
  const verifier = aVerifier()
  await verifier.verify(aHeader(0))
  const flood = Array.from({ length: 50 }, async (_, index) =>
    verifier.verify(aHeader(1, `x${index}`)),
  )
  for (const result of await Promise.allSettled(flood)) {
    expect(result).toMatchObject({ reason: { code: 'TOKEN_INVALID' } })
  }
  expect(request).toBe(1)
  published = keys.map(({ jwk }) => jwk)
  time += 31_000
  expect(await verifier.verify(aHeader(1))).toMatchObject({ clientId: 'c' })
  expect(request).toBe(2)
})

test('accepts known keys and rejects unknown ones while the key set is unavailable', async () => {
  const verifier = aVerifier()
  await verifier.verify(aHeader(0))
  isDown = true
  time += 31_000
  expect(await verifier.verify(aHeader(0))).toMatchObject({ clientId: 'c' })
  await expect(verifier.verify(aHeader(1))).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
})

test('returns DEPENDENCY_UNAVAILABLE while it has no keys, and recovers', async () => {
  isDown = true
  const verifier = aVerifier()
  const refusal = { code: 'DEPENDENCY_UNAVAILABLE', status: 503 }
  await expect(verifier.verify(aHeader(0))).rejects.toMatchObject(refusal)
  isDown = false
  time += 31_000
  expect(await verifier.verify(aHeader(0))).toMatchObject({ clientId: 'c' })
})

test('rejects a key set with a private key, a shared secret or no key id', () => {
  const secret = keys[0]!.privateKey.export({ format: 'jwk' })
  expect(() => staticKeys({ keys: [{ ...secret, kid: 'k' }] })).toThrow('private or secret key')
  expect(() => staticKeys({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'k' }] })).toThrow(
    'private or secret key',
  )
  expect(() => staticKeys({ keys: [{ kty: 'EC' }] })).toThrow('kid')
})
