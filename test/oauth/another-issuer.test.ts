import { createServer, type Server } from 'node:http'
import { Provider } from 'oidc-provider/lib/provider.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { aSigningKey, basic, listen } from './kit.ts'

// Live accepts tokens of another identity provider when it is configured: here one that is set up
// according to its own documentation and knows nothing of the bank but the audience.
const audience = 'https://bank.example'
const secret = 'a secret that only the client and its provider know'
let servers: Server[] = []
let bank: Platform
let trusted: string
let unknown: string
/** The URLs that all providers were requested. */
const requested: string[] = []

async function aProvider(): Promise<string> {
  let provider: Provider | null = null
  const server = createServer((request, response) => {
    requested.push(issuer + request.url)
    void provider!.callback()(request, response)
  })
  servers.push(server)
  const issuer = await listen(server)
  provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'payroll',
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...aSigningKey(), alg: 'ES256', use: 'sig' }] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'agreements:read offers:read',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  })
  return issuer
}

beforeAll(async () => {
  trusted = await aProvider()
  unknown = await aProvider()
  bank = await aPlatform('live', undefined, true, {
    AUTH_ISSUER: trusted,
    AUTH_AUDIENCE: audience,
    AUTH_JWKS_URI: `${trusted}/jwks`,
  })
})
afterAll(async () => {
  await bank.stop()
  for (const server of servers) server.close()
  servers = []
})

async function tokenFrom(issuer: string, scope: string): Promise<string> {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: basic('payroll', encodeURIComponent(secret)),
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope }),
  })
  const { access_token: token, ...rest } = (await answer.json()) as { access_token?: string }
  if (!token) throw new Error(`The issuer returned no token: ${JSON.stringify(rest)}`)
  return token
}

test('accepts a token of the configured issuer and enforces its scopes', async () => {
  const token = await tokenFrom(trusted, 'agreements:read')
  const { status, body } = await bank.rest('GET', '/agreements', undefined, { token })
  expect([status, body.items]).toEqual([200, []])
  expect(requested).toContain(`${trusted}/jwks`)
  const refused = await bank.rest('GET', '/product-offers', undefined, { token })
  expect([refused.status, refused.body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
})

test('rejects a token of an issuer that is not configured, without requesting its keys', async () => {
  const token = await tokenFrom(unknown, 'agreements:read')
  const { status, body } = await bank.rest('GET', '/agreements', undefined, { token })
  expect([status, body.code]).toEqual([401, 'TOKEN_INVALID'])
  // Its token endpoint is the only thing that was requested, by this test.
  expect(requested.filter((url) => url.startsWith(unknown))).toEqual([`${unknown}/token`])
})
