import { X509Certificate } from 'node:crypto'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { parseConfig } from '../../kernel/environment/config.ts'
import { seedClient } from '../../oauth/clients.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { aCertificate, aTlsProxy, type Certificate } from './certificate-kit.ts'
import { aProver } from './dpop-kit.ts'

// Clients that authenticate with a registered certificate (RFC 8705), in both profiles. A stolen token
// is useless without the private key of the certificate.
const settings = { CLIENT_CERTIFICATE_HEADER: 'Client-Cert', TRUST_PROXY: 'loopback' }
let bank: Platform
let fapiBank: Platform
let proxy: Awaited<ReturnType<typeof aTlsProxy>>
let ours: Certificate
let theirs: Certificate
beforeAll(async () => {
  bank = await aPlatform('live', undefined, true, settings)
  fapiBank = await aPlatform('live', undefined, true, { ...settings, SECURITY_PROFILE: 'fapi2' })
  proxy = await aTlsProxy(bank.url)
  ;[ours, theirs] = await Promise.all([aCertificate(), aCertificate()])
  await approved(bank, 'integrator', ours)
})
afterAll(async () => {
  await proxy.stop()
  await Promise.all([bank.stop(), fapiBank.stop()])
})

const register = (at: Platform, clientId: string, jwks: object, authentication = 'CERTIFICATE') =>
  at.graph(
    `mutation ($jwks: JSONObject!) { registerOAuthClient(input: { clientId: "${clientId}", label: "I",
      scopes: ["agreements:read"], authentication: ${authentication}, jwks: $jwks }) {
        secret client { authentication jwks } } }`,
    { jwks },
    { token: at.token({ subject: 'manager' }) },
  )

/** Registers a client with a certificate, which a second person approves. */
async function approved(at: Platform, clientId: string, certificate: Certificate) {
  const { body } = await register(at, clientId, { keys: [certificate.jwk] })
  expect(body.errors).toBeUndefined()
  expect(body.data.registerOAuthClient).toMatchObject({
    secret: null,
    client: { authentication: 'CERTIFICATE', jwks: { keys: [certificate.jwk] } },
  })
  const approve = `mutation { approveOAuthClient(clientId: "${clientId}") { clientId } }`
  const token = at.token({ subject: 'second-person' })
  expect((await at.graph(approve, {}, { token })).body.errors).toBeUndefined()
}

const formOf = (clientId: string) =>
  new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId }).toString()
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

/** Requests a token from the gateway directly, as a proxy on this machine does. */
async function tokenFor(
  certificate: string | undefined,
  at = bank,
  headers: object = {},
  clientId = 'integrator',
) {
  const answer = await fetch(`${at.url}/oauth/token`, {
    method: 'POST',
    body: formOf(clientId),
    headers: {
      ...formHeaders,
      ...(certificate !== undefined && { 'client-cert': certificate }),
      ...headers,
    },
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, any> }
}

async function use(token: string, certificate?: string, scheme = 'Bearer', at = bank) {
  const answer = await fetch(`${at.url}/agreements`, {
    headers: {
      authorization: `${scheme} ${token}`,
      ...(certificate !== undefined && { 'client-cert': certificate }),
    },
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, any> }
}

test('over TLS, a client gets a token with its certificate and uses it with no other', async () => {
  const post = { method: 'POST', headers: formHeaders, body: formOf('integrator') }
  const { status, body } = await proxy.send('/oauth/token', ours, post)
  expect(status, JSON.stringify(body)).toBe(200)
  const [, claims] = (body.access_token as string).split('.')
  expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({
    cnf: { 'x5t#S256': ours.thumbprint },
  })
  expect(body.token_type).toBe('Bearer')
  const headers = { authorization: `Bearer ${body.access_token as string}` }
  expect((await proxy.send('/agreements', ours, { headers })).status).toBe(200)
  for (const other of [theirs, null]) {
    const answer = await proxy.send('/agreements', other, { headers })
    expect([answer.status, answer.body.code]).toEqual([401, 'TOKEN_INVALID'])
  }
  const forged = { headers: { ...headers, 'client-cert': ours.header } }
  expect((await proxy.send('/agreements', theirs, forged)).status).toBe(401)
})

describe('A token is not issued', () => {
  test.each<[string, () => string | undefined]>([
    ['without a certificate', () => undefined],
    ['for another certificate', () => theirs.header],
    ['for a text', () => 'x'],
    ['for an empty certificate', () => '::'],
    ['for base64 that is no certificate', () => ':AAAA:'],
    ['for two certificates', () => `${ours.header}, ${ours.header}`],
    ['for a broken encoding', () => '%E0%A4%A'],
    ['for a long text', () => `:${'A'.repeat(15_000)}:`],
    ['for the public key without the certificate', () => `:${ours.thumbprint}:`],
  ])('%s', async (_, certificate) => {
    const { status, body } = await tokenFor(certificate())
    expect([400, 401, 429, 431]).toContain(status)
    expect(body.error).toMatch(/^(invalid_client|slow_down)$/)
  })

  test('for a certificate that is no longer valid', async () => {
    const long = await aCertificate(10)
    await approved(bank, 'long', long)
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3 * 86_400_000)
    const answers = [await tokenFor(ours.header), await tokenFor(long.header, bank, {}, 'long')]
    now.mockRestore()
    expect(answers.map(({ status }) => status)).toEqual([401, 200])
  })

  test('from a host that is not a trusted proxy', async () => {
    const distrusting = await aPlatform('live', undefined, true, {
      ...settings,
      TRUST_PROXY: '192.0.2.7',
    })
    await approved(distrusting, 'integrator', ours)
    expect((await tokenFor(ours.header, distrusting)).body.error).toBe('invalid_client')
    await distrusting.stop()
  })
})

test('a proxy can also send the certificate as PEM that is encoded for URLs', async () => {
  expect((await tokenFor(encodeURIComponent(ours.pem))).status).toBe(200)
})

test('a socket needs the certificate of its token', async () => {
  const { body } = await tokenFor(ours.header)
  const connect = (certificate?: string) =>
    new Promise<number | string>((resolve) => {
      class Socket extends WebSocket {
        constructor(address: string, protocols: string) {
          super(address, protocols, {
            ...(certificate !== undefined && { headers: { 'client-cert': certificate } }),
          })
        }
      }
      const client = createClient({
        url: `${bank.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: Socket,
        lazy: false,
        retryAttempts: 0,
        connectionParams: { authorization: `Bearer ${body.access_token as string}` },
        onNonLazyError: () => undefined,
        on: {
          connected: () => resolve('connected'),
          closed: (event) => resolve((event as { code: number }).code),
        },
      })
      setTimeout(() => void client.dispose(), 2000).unref()
    })
  expect(await connect(ours.header)).toBe('connected')
  expect(await connect(theirs.header)).toBe(4401)
  expect(await connect()).toBe(4401)
})

test('a client with a certificate cannot bind a token to a key as well', async () => {
  const prover = await aProver()
  const dpop = await prover.proof({ method: 'POST', url: `${bank.url}/oauth/token` })
  const { status, body } = await tokenFor(ours.header, bank, { dpop })
  expect([status, body.error]).toEqual([400, 'invalid_request'])
})

test('the keys are replaced by a new certificate, and the tokens of the old one end', async () => {
  const next = await aCertificate(2, 'rsa:2048')
  await approved(bank, 'renewing', theirs)
  const tokenWith = async (certificate: string) =>
    (await tokenFor(certificate, bank, {}, 'renewing')).body.access_token as string | undefined
  const before = (await tokenWith(theirs.header))!
  expect((await use(before, theirs.header)).status).toBe(200)
  const replace = `mutation ($jwks: JSONObject!) {
    replaceOAuthClientKeys(clientId: "renewing", jwks: $jwks) { jwks } }`
  const token = bank.token({ subject: 'manager' })
  const replaced = await bank.graph(replace, { jwks: { keys: [next.jwk] } }, { token })
  expect(replaced.body.errors).toBeUndefined()
  expect((await use(before, theirs.header)).status).toBe(401)
  expect(await tokenWith(theirs.header)).toBeUndefined()
  expect(await tokenWith(next.header)).toBeTruthy()
})

describe('A client is not registered', () => {
  test.each<[string, object, string]>([
    ['with a key without a certificate', { keys: [{ kty: 'EC' }] }, '/jwks/keys/0/x5c'],
    ['with a text', { keys: ['x'] }, '/jwks/keys/0/x5c'],
    ['with a broken certificate', { keys: [{ x5c: ['AAAA'] }] }, '/jwks/keys/0/x5c'],
    ['with an empty list', { keys: [{ x5c: [] }] }, '/jwks/keys/0/x5c'],
    ['without keys', {}, '/jwks'],
  ])('%s', async (_, jwks, pointer) => {
    const { body } = await register(bank, 'another', jwks)
    expect(body.errors[0].extensions.errors[0].pointer).toMatch(new RegExp(`${pointer}$`))
  })

  test('if the server takes no certificates', async () => {
    const plain = await aPlatform('live', undefined, true)
    const { body } = await register(plain, 'integrator', { keys: [ours.jwk] })
    expect(body.errors[0].extensions.errors[0].pointer).toMatch(/\/authentication$/)
    const metadata = await fetch(`${plain.url}/.well-known/oauth-authorization-server`)
    expect(await metadata.json()).toMatchObject({
      tls_client_certificate_bound_access_tokens: false,
    })
    await plain.stop()
  })
})

describe('With the profile fapi2', () => {
  test('a certificate is enough: no proof, no assertion', async () => {
    const key = new X509Certificate(ours.pem).publicKey.export({ format: 'jwk' })
    const client = {
      clientId: 'integrator',
      label: 'Integrator',
      scopes: ['agreements:read'],
      grantTypes: ['client_credentials'] as const,
      jwks: { keys: [{ ...key, ...ours.jwk }] },
    }
    await seedClient(fapiBank.bank.pool, client, new Date())
    expect((await tokenFor(theirs.header, fapiBank)).body.error).toBe('invalid_client')
    const { status, body } = await tokenFor(ours.header, fapiBank)
    expect([status, body.token_type]).toEqual([200, 'Bearer'])
    const token = body.access_token as string
    expect((await use(token, ours.header, 'Bearer', fapiBank)).status).toBe(200)
    expect((await use(token, theirs.header, 'Bearer', fapiBank)).status).toBe(401)
    expect((await use(token, ours.header, 'DPoP', fapiBank)).status).toBe(401)
    const metadata = await fetch(`${fapiBank.url}/.well-known/oauth-authorization-server`)
    expect(await metadata.json()).toMatchObject({
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'self_signed_tls_client_auth'],
      tls_client_certificate_bound_access_tokens: true,
    })
  })
})

test('the header needs a trusted proxy', () => {
  expect(() => parseConfig({ CLIENT_CERTIFICATE_HEADER: 'Client-Cert' })).toThrow('TRUST_PROXY')
  expect(() => parseConfig({ ...settings, CLIENT_CERTIFICATE_HEADER: 'a b' })).toThrow(
    'CLIENT_CERTIFICATE_HEADER',
  )
})
