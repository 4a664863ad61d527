import { createHash } from 'node:crypto'
import { createClient } from 'graphql-ws'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { aProver, boundToken, type ProofParts, type Prover } from './dpop-kit.ts'

// Tokens that are bound to a key (DPoP, RFC 9449), in the standard profile. A stolen token is useless
// without the key, and a stolen proof is useless for any other request.
let bank: Platform
let prover: Prover
let token: string
let url: string

beforeAll(async () => {
  bank = await aPlatform('live', undefined, true)
  prover = await aProver()
  token = await boundToken(bank, prover)
  url = `${bank.url}/agreements`
})
afterAll(() => bank.stop())

interface Sent {
  proof?: string | null
  scheme?: string
  bearer?: string
  to?: string
  method?: string
  headers?: Record<string, string>
}

async function send({ proof, scheme = 'DPoP', bearer = token, to = url, ...request }: Sent) {
  const answer = await fetch(to, {
    method: request.method ?? 'GET',
    headers: {
      authorization: `${scheme} ${bearer}`,
      ...(typeof proof === 'string' && { dpop: proof }),
      ...request.headers,
    },
  })
  const { code } = (await answer.json()) as { code?: string }
  return { status: answer.status, code, headers: answer.headers }
}

const proofWith = (parts: Partial<ProofParts>) => prover.proof({ url, token, ...parts })
const accepted = { status: 200, code: undefined }

test('accepts a proof with every allowed algorithm', async () => {
  for (const algorithm of ['ES256', 'PS256', 'EdDSA', 'Ed25519']) {
    const each = await aProver(algorithm)
    const bearer = await boundToken(bank, each)
    const proof = await each.proof({ url, token: bearer })
    expect(await send({ proof, bearer }), algorithm).toMatchObject(accepted)
  }
})

test('accepts URLs that are equal after normalization', async () => {
  for (const htu of [`${url}?a=b`, `${url}#x`, url.replace('127.0.0.1', 'localhost')]) {
    expect(await send({ proof: await proofWith({ claims: { htu } }) }), htu).toMatchObject(accepted)
  }
})

test('serves the graph, server-sent events and sockets', async () => {
  const graphUrl = `${bank.url}/graphql`
  const post = async (accept: string, query: string) =>
    fetch(graphUrl, {
      method: 'POST',
      headers: {
        authorization: `DPoP ${token}`,
        dpop: await prover.proof({ method: 'POST', url: graphUrl, token }),
        'content-type': 'application/json',
        accept,
      },
      body: JSON.stringify({ query }),
    })
  const answer = await post('application/json', '{ environment { businessDate } }')
  expect(await answer.json()).toMatchObject({
    data: { environment: { businessDate: expect.any(String) } },
  })
  const stream = await post('text/event-stream', 'subscription { businessEvents { position } }')
  expect(stream.status).toBe(200)
  expect(stream.headers.get('dpop-nonce')).toMatch(/^[\w-]{22}$/)
  await stream.body!.cancel()
  const socket = createClient({
    url: graphUrl.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    connectionParams: async () => ({
      authorization: `DPoP ${token}`,
      dpop: await prover.proof({ url: graphUrl, token }),
    }),
  })
  await new Promise((resolve, reject) => {
    socket.on('connected', resolve)
    socket.on('closed', reject)
  })
  await socket.dispose()
})

const now = () => Math.floor(Date.now() / 1000)
const wrongClaims: Record<string, Record<string, unknown>> = {
  'another method': { htm: 'POST' },
  'a method in lowercase': { htm: 'get' },
  'no method': { htm: undefined },
  'another path': { htu: 'http://127.0.0.1:1/agreements' },
  'no URL': { htu: undefined },
  'a relative URL': { htu: '/agreements' },
  'a URL that is no text': { htu: ['http://127.0.0.1'] },
  'another token': { ath: createHash('sha256').update('x').digest('base64url') },
  'no token': { ath: undefined },
  'no ID': { jti: undefined },
  'an empty ID': { jti: '' },
  'an ID that is a number': { jti: 7 },
  'no time': { iat: undefined },
  'a time that is a text': { iat: String(now()) },
  'a time two minutes ago': { iat: now() - 120 },
  'a time in two minutes': { iat: now() + 120 },
  'an end in the past': { exp: now() - 300 },
  'a begin in the future': { nbf: now() + 300 },
}

describe('a proof with', () => {
  test.each(Object.entries(wrongClaims))('%s is rejected', async (_, claims) => {
    expect(await send({ proof: await proofWith({ claims }) })).toMatchObject({
      status: 401,
      code: 'DPOP_PROOF_INVALID',
    })
  })

  test.each([
    ['another host', () => ({ htu: url.replace('127.0.0.1', 'bank.example') })],
    ['another port', () => ({ htu: url.replace(new URL(url).port, '1') })],
    ['another scheme', () => ({ htu: url.replace('http:', 'https:') })],
    ['a longer path', () => ({ htu: `${url}/` })],
  ])('%s is rejected', async (_, claims) => {
    expect(await send({ proof: await proofWith({ claims: claims() }) })).toMatchObject({
      status: 401,
      code: 'DPOP_PROOF_INVALID',
    })
  })

  test.each([
    ['another type', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
    ['no key', { jwk: undefined }],
    ['a key that is a text', { jwk: 'x' }],
    ['an empty key', { jwk: {} }],
  ])('%s in its header is rejected', async (_, header) => {
    const proof = await proofWith({ header })
    expect(await send({ proof })).toMatchObject({ status: 401, code: 'DPOP_PROOF_INVALID' })
  })

  test('a secret as its key, no signature, or a private key is rejected', async () => {
    const claims = { htm: 'GET', htu: url, jti: 'x', iat: now() }
    const hmac = await new SignJWT(claims)
      .setProtectedHeader({
        alg: 'HS256',
        typ: 'dpop+jwt',
        jwk: { kty: 'oct', k: 'AAAA' } as object,
      })
      .sign(new Uint8Array(32))
    const none = `${encoded({ alg: 'none', typ: 'dpop+jwt', jwk: prover.jwk })}.${encoded(claims)}.`
    const leaked = await proofWith({ header: { jwk: { ...prover.jwk, d: 'AAAA' } } })
    for (const proof of [hmac, none, leaked, 'x', 'a.b.c', '', 'x'.repeat(5000)]) {
      expect(await send({ proof }), proof).toMatchObject({
        status: 401,
        code: 'DPOP_PROOF_INVALID',
      })
    }
  })
})

test('rejects the proof of another key, no proof, and two proofs', async () => {
  const thief = await aProver()
  const stolen = await thief.proof({ url, token })
  const two = `${await proofWith({})}, ${await proofWith({})}`
  for (const proof of [stolen, null, two]) {
    expect(await send({ proof })).toMatchObject({ status: 401, code: 'DPOP_PROOF_INVALID' })
  }
})

test('rejects a bound token as a bearer token, and an unbound token with a proof', async () => {
  expect(await send({ scheme: 'Bearer', proof: await proofWith({}) })).toMatchObject({
    status: 401,
    code: 'TOKEN_INVALID',
  })
  const bearer = bank.token()
  const proof = await prover.proof({ url, token: bearer })
  expect(await send({ bearer, proof })).toMatchObject({ status: 401, code: 'TOKEN_INVALID' })
})

test('accepts one of many equal proofs that race', async () => {
  const proof = await proofWith({})
  const answers = await Promise.all(Array.from({ length: 30 }, () => send({ proof })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'DPOP_PROOF_INVALID')).toHaveLength(29)
})

test('accepts its nonce, and asks for it after a wrong one', async () => {
  const wrong = await send({ proof: await proofWith({ claims: { nonce: 'old' } }) })
  expect(wrong).toMatchObject({ status: 401, code: 'DPOP_NONCE_REQUIRED' })
  expect(wrong.headers.get('www-authenticate')).toContain('DPoP error="use_dpop_nonce"')
  const nonce = wrong.headers.get('dpop-nonce')!
  // With a nonce, the clock of the client does not matter.
  const proof = await proofWith({ claims: { nonce, iat: now() - 3600 } })
  expect(await send({ proof })).toMatchObject(accepted)
})

test('names the scheme, the error and the algorithms in its challenge', async () => {
  const { headers } = await send({ proof: 'x' })
  const challenge = headers.get('www-authenticate')
  expect(challenge).toContain('DPoP error="invalid_dpop_proof"')
  expect(challenge).toContain('algs="ES256 PS256 EdDSA Ed25519"')
})

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
