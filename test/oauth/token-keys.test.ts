import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import jwt from 'jsonwebtoken'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { staticKeys } from '../../subgraphs/_kernel/token-keys.ts'
import { createTokenVerifier } from '../../subgraphs/_kernel/token.ts'
import { listen } from './kit.ts'

const keys = ['k1', 'k2'].map((kid) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256' } }
})
let published: object[] = []
let isDown = false
let asked = 0
let server: Server
let jwksUri: string
let time = Date.now()
beforeEach(async () => {
  published = [keys[0]!.jwk]
  isDown = false
  asked = 0
  server = createServer((_request, response) => {
    asked += 1
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

test('keys are fetched once, and a remembered token does not wait', async () => {
  const verifier = aVerifier()
  const header = aHeader(0)
  const callers = await Promise.all([verifier.verify(header), verifier.verify(aHeader(0))])
  expect(callers).toHaveLength(2)
  expect(verifier.verify(header)).not.toBeInstanceOf(Promise)
  expect(asked).toBe(1)
})

test('a flood of unknown key ids is one question, and a new key is found after the cool-down', async () => {
  const verifier = aVerifier()
  await verifier.verify(aHeader(0))
  const flood = Array.from({ length: 50 }, async (_, index) =>
    verifier.verify(aHeader(1, `x${index}`)),
  )
  for (const result of await Promise.allSettled(flood)) {
    expect(result).toMatchObject({ reason: { code: 'TOKEN_INVALID' } })
  }
  expect(asked).toBe(1)
  published = keys.map(({ jwk }) => jwk)
  time += 31_000
  expect(await verifier.verify(aHeader(1))).toMatchObject({ clientId: 'c' })
  expect(asked).toBe(2)
})

test('while the address does not answer, known keys go on and unknown ones are refused', async () => {
  const verifier = aVerifier()
  await verifier.verify(aHeader(0))
  isDown = true
  time += 31_000
  expect(await verifier.verify(aHeader(0))).toMatchObject({ clientId: 'c' })
  await expect(verifier.verify(aHeader(1))).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
})

test('without any key it is our dependency that fails, and it recovers', async () => {
  isDown = true
  const verifier = aVerifier()
  const refusal = { code: 'DEPENDENCY_UNAVAILABLE', status: 503 }
  await expect(verifier.verify(aHeader(0))).rejects.toMatchObject(refusal)
  isDown = false
  time += 31_000
  expect(await verifier.verify(aHeader(0))).toMatchObject({ clientId: 'c' })
})

test('a key set with a private key or a shared secret is refused at start', () => {
  const secret = keys[0]!.privateKey.export({ format: 'jwk' })
  expect(() => staticKeys({ keys: [{ ...secret, kid: 'k' }] })).toThrow('public')
  expect(() => staticKeys({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'k' }] })).toThrow('public')
  expect(() => staticKeys({ keys: [{ kty: 'EC' }] })).toThrow('kid')
})
