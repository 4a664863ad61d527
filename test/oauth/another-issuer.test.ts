import { createServer, type Server } from 'node:http'
import { Provider } from 'oidc-provider/lib/provider.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { aSigningKey, basic, listen } from './kit.ts'

// Live accepts the tokens of another identity provider when it is named: here one that is set up
// by its own documentation and knows nothing of us but the name of our resource.
const audience = 'https://bank.example'
const secret = 'a secret that only the client and its provider know'
let servers: Server[] = []
let bank: Platform
let trusted: string
let unknown: string

async function aProvider(): Promise<string> {
  let provider: Provider | null = null
  const server = createServer((request, response) => void provider!.callback()(request, response))
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
  if (!token) throw new Error(`There is no token: ${JSON.stringify(rest)}`)
  return token
}

test('its token is good here, with the scopes it says', async () => {
  const token = await tokenFrom(trusted, 'agreements:read')
  const { status, body } = await bank.rest('GET', '/agreements', undefined, { token })
  expect([status, body.items]).toEqual([200, []])
  const refused = await bank.rest('GET', '/product-offers', undefined, { token })
  expect([refused.status, refused.body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
})

test('a token of one that was not named is refused, and nobody asks for its keys', async () => {
  const token = await tokenFrom(unknown, 'agreements:read')
  const { status, body } = await bank.rest('GET', '/agreements', undefined, { token })
  expect([status, body.code]).toEqual([401, 'TOKEN_INVALID'])
})
