import { generateKeyPairSync, type webcrypto } from 'node:crypto'
import * as oidc from 'openid-client'
import { importJWK } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientKeyOf } from '../../host/secrets.ts'
import { seedPrincipal } from '../../kernel/authorization/principals.ts'
import { ada, aPlatform, secrets, type Platform } from '../kit/platform.ts'
import { ABrowser } from './browser.ts'

// An outside client library with the FAPI 2.0 Security Profile: pushed authorization requests,
// private_key_jwt, DPoP with nonces. It knows only the issuer and its own key.
const callback = 'https://app.example/callback'
const appKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let bank: Platform
let operator: oidc.Configuration
let app: oidc.Configuration
let operatorProofs: oidc.DPoPHandle
let appProofs: oidc.DPoPHandle

async function configure(clientId: string, jwk: object): Promise<oidc.Configuration> {
  const key = (await importJWK(jwk as never, 'ES256')) as webcrypto.CryptoKey
  const { kid } = jwk as { kid?: string }
  const authentication = oidc.PrivateKeyJwt(kid ? { key, kid } : key)
  return oidc.discovery(new URL(bank.url), clientId, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [oidc.allowInsecureRequests],
  })
}

/** Calls the bank with an access token and its proof. */
async function call(
  client: oidc.Configuration,
  proofs: oidc.DPoPHandle,
  token: string,
  query: string,
): Promise<any> {
  const answer = await oidc.fetchProtectedResource(
    client,
    token,
    new URL('/graphql', bank.url),
    'POST',
    JSON.stringify({ query }),
    new Headers({ 'content-type': 'application/json' }),
    { DPoP: proofs },
  )
  return answer.json()
}

beforeAll(async () => {
  bank = await aPlatform('sandbox', undefined, true, { SECURITY_PROFILE: 'fapi2' })
  // The bank's own client registers the app in the name of a person.
  await seedPrincipal(bank.bank.pool, secrets.clientId, ['olga'], 'olga')
  operator = await configure(secrets.clientId, clientKeyOf(secrets.cookieKey))
  operatorProofs = oidc.getDPoPHandle(operator, await oidc.randomDPoPKeyPair('ES256'))
  app = await configure('app', appKey.privateKey.export({ format: 'jwk' }))
  appProofs = oidc.getDPoPHandle(app, await oidc.randomDPoPKeyPair('PS256'))
})
afterAll(() => bank.stop())

const operatorTokens = () => oidc.clientCredentialsGrant(operator, {}, { DPoP: operatorProofs })

test('registers an app with its key, and gives the app no secret', async () => {
  const { access_token: token, token_type: type } = await operatorTokens()
  expect(type).toBe('dpop')
  const { kty, crv, x, y } = appKey.publicKey.export({ format: 'jwk' })
  const input = `{ clientId: "app", label: "App", scopes: ["accounts:read", "parties:read"],
    authentication: PRIVATE_KEY, redirectUris: ["${callback}"],
    jwks: { keys: [{ kty: "${kty}", crv: "${crv}", x: "${x}", y: "${y}" }] } }`
  const mutation = `mutation { registerOAuthClient(input: ${input}) {
    secret client { authentication redirectUris } } }`
  expect(await call(operator, operatorProofs, token, mutation)).toMatchObject({
    data: {
      registerOAuthClient: {
        secret: null,
        client: { authentication: 'PRIVATE_KEY', redirectUris: [callback] },
      },
    },
  })
})

test('acts for a customer through the whole profile', async () => {
  const verifier = oidc.randomPKCECodeVerifier()
  const state = oidc.randomState()
  const url = await oidc.buildAuthorizationUrlWithPAR(
    app,
    {
      redirect_uri: callback,
      scope: 'accounts:read parties:read',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    },
    { DPoP: appProofs },
  )
  expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
  const at = await new ABrowser().through(url, [
    { username: ada.username, password: ada.password },
    { decision: 'allow' },
  ])
  expect(at.searchParams.get('iss')).toBe(bank.url)
  const tokens = await oidc.authorizationCodeGrant(
    app,
    at,
    { pkceCodeVerifier: verifier, expectedState: state },
    undefined,
    { DPoP: appProofs },
  )
  const query = `{ party(partyId: "${ada.partyId}") { partyId } }`
  const { access_token: token } = tokens
  const answer = await call(app, appProofs, token, query)
  expect(answer.errors?.[0]?.extensions?.code ?? 'found').not.toMatch(/TOKEN|DPOP|AUTH/)
  const renewed = await oidc.refreshTokenGrant(app, tokens.refresh_token!, undefined, {
    DPoP: appProofs,
  })
  expect(renewed.token_type).toBe('dpop')
  // The refresh token is bound to the key of the app, so it is not rotated (FAPI 2.0, 5.3.2.1).
  expect([undefined, tokens.refresh_token]).toContain(renewed.refresh_token)
})

test('accepts an authorization request that the app has signed, and no other signature', async () => {
  const parameters = {
    redirect_uri: callback,
    scope: 'accounts:read',
    code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  }
  const signedBy = async (jwk: object) => {
    const key = (await importJWK(jwk as never, 'ES256')) as webcrypto.CryptoKey
    const { searchParams } = await oidc.buildAuthorizationUrlWithJAR(app, parameters, key)
    return oidc.buildAuthorizationUrlWithPAR(app, searchParams, { DPoP: appProofs })
  }
  const url = await signedBy(appKey.privateKey.export({ format: 'jwk' }))
  const browser = new ABrowser()
  await browser.visit(url)
  expect(browser.page).toContain('Log in')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await expect(signedBy(privateKey.export({ format: 'jwk' }))).rejects.toMatchObject({
    error: 'invalid_request_object',
  })
})
