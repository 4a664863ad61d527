import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, aPlatform, type Platform } from '../kit/platform.ts'
import { ABrowser } from './browser.ts'
import { listen } from './kit.ts'

// OpenID Connect, as an outside client library uses it: discovery, ID tokens, UserInfo, log-out in
// both channels.
let bank: Platform
let server: Server
let origin: string
let app: oidc.Configuration
/** The bodies of the log-outs of which the app was notified. */
const logOuts: string[] = []

beforeAll(async () => {
  bank = await aPlatform('sandbox', undefined, true)
  server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      logOuts.push(body)
      response.end()
    })
  })
  origin = await listen(server)
  const mutation = `mutation ($input: RegisterOAuthClientInput!) {
    registerOAuthClient(input: $input) { secret client { clientId } } }`
  const input = {
    clientId: 'budget-app',
    label: 'Budget app',
    scopes: ['accounts:read', 'sessions:read', 'sessions:manage'],
    redirectUris: [`${origin}/callback`],
    backchannelLogoutUri: `${origin}/logged-out`,
    logoUri: 'https://app.example/logo.svg',
  }
  const token = bank.token({ subject: 'registrar' })
  const { body } = await bank.graph(mutation, { input }, { token })
  const secret = body.data.registerOAuthClient.secret as string
  app = await oidc.discovery(new URL(bank.url), 'budget-app', undefined, undefined, {
    execute: [oidc.allowInsecureRequests],
  })
  app = new oidc.Configuration(app.serverMetadata(), 'budget-app', secret)
  oidc.allowInsecureRequests(app)
})
afterAll(async () => {
  server.close()
  await bank.stop()
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

/** Logs Ada in, with consent at the first time, and returns the tokens. */
async function logIn(browser: ABrowser, parameters: Record<string, string> = {}) {
  const verifier = oidc.randomPKCECodeVerifier()
  const nonce = oidc.randomNonce()
  const isOpenId = !parameters['scope']
  const url = oidc.buildAuthorizationUrl(app, {
    redirect_uri: `${origin}/callback`,
    scope: 'openid accounts:read sessions:read sessions:manage',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isOpenId && { nonce }),
    ...parameters,
  })
  await browser.visit(url)
  if (browser.page.includes('Log in')) {
    await browser.submit({ username: ada.username, password: ada.password })
  }
  if (browser.at.origin !== origin) {
    expect(browser.page).toContain('<img src="https://app.example/logo.svg" alt=""')
    expect(browser.headers.get('content-security-policy')).toContain('img-src https://app.example;')
    await browser.submit({ decision: 'allow' })
  }
  return oidc.authorizationCodeGrant(app, browser.at, {
    pkceCodeVerifier: verifier,
    ...(isOpenId && { expectedNonce: nonce }),
    ...(parameters['max_age'] && { maxAge: Number(parameters['max_age']) }),
  })
}

const query = async (text: string, token: string) => (await bank.graph(text, {}, { token })).body

test('issues an ID token that names the person and the party', async () => {
  const tokens = await logIn(new ABrowser())
  const jwks = createRemoteJWKSet(new URL(app.serverMetadata().jwks_uri!))
  const { payload } = await jwtVerify(tokens.id_token!, jwks, {
    issuer: bank.url,
    audience: 'budget-app',
  })
  expect(payload).toMatchObject({ sub: ada.username, party_id: ada.partyId })
  expect(await oidc.fetchUserInfo(app, tokens.access_token, ada.username)).toEqual({
    sub: ada.username,
    party_id: ada.partyId,
  })
})

test('tells when the person logged in, if the app limits the age of the log-in', async () => {
  const tokens = await logIn(new ABrowser(), { max_age: '300' })
  expect(tokens.claims()?.['auth_time']).toBeGreaterThan(Date.now() / 1000 - 60)
})

test('gives no ID token to an app that does not ask for it', async () => {
  const tokens = await logIn(new ABrowser(), { scope: 'accounts:read' })
  expect(tokens.access_token).toMatch(/^ey/)
  expect(tokens.id_token).toBeUndefined()
})

test('UserInfo refuses a client that acts for nobody, and a missing token', async () => {
  const url = `${bank.url}/oauth/userinfo`
  expect((await fetch(url)).status).toBe(401)
  const headers = { authorization: `Bearer ${bank.token()}` }
  expect((await fetch(url, { headers })).status).toBe(403)
})

test('a person sees the connected app and the session, and ends both', async () => {
  const browser = new ABrowser()
  const { access_token: token } = await logIn(browser)
  const seen = await query(
    '{ connectedApps { grantId label logoUri scopes } logInSessions { sessionId } }',
    token,
  )
  const { grant_id: grantId } = decodeJwt(token)
  const apps = seen.data.connectedApps as { grantId: string }[]
  expect(apps.find((each) => each.grantId === grantId)).toMatchObject({
    label: 'Budget app',
    logoUri: 'https://app.example/logo.svg',
    scopes: ['accounts:read', 'sessions:read', 'sessions:manage'],
  })
  for (const { sessionId } of seen.data.logInSessions) {
    const ended = await query(
      `mutation { endLogInSession(sessionId: "${sessionId}") { sessionId } }`,
      token,
    )
    expect(ended.data.endLogInSession).toEqual({ sessionId })
  }
  const again = await query(
    `mutation { endLogInSession(sessionId: "${seen.data.logInSessions[0].sessionId}") { sessionId } }`,
    token,
  )
  expect(again.errors[0].extensions.code).toBe('LOG_IN_SESSION_NOT_FOUND')
  await browser.visit(
    oidc.buildAuthorizationUrl(app, {
      redirect_uri: `${origin}/callback`,
      scope: 'accounts:read',
      code_challenge: await oidc.calculatePKCECodeChallenge('x'.repeat(43)),
      code_challenge_method: 'S256',
    }),
  )
  expect(browser.page).toContain('Log in')
  const stranger = bank.token({ partyId: 'pty_grace' })
  const disconnect = `mutation { disconnectApp(grantId: "${grantId}") { clientId } }`
  const refused = await query(disconnect, stranger)
  expect(refused.errors[0].extensions.code).toBe('CONNECTED_APP_NOT_FOUND')
  expect((await query(disconnect, token)).data.disconnectApp).toEqual({ clientId: 'budget-app' })
  expect((await query('{ connectedApps { grantId } }', token)).errors[0].extensions.code).toBe(
    'TOKEN_INVALID',
  )
})

test('a log-out ends the session and tells the app in the back channel', async () => {
  const browser = new ABrowser()
  const { id_token: hint } = await logIn(browser)
  const url = oidc.buildEndSessionUrl(app, {
    id_token_hint: hint!,
    post_logout_redirect_uri: `${origin}/`,
  })
  await browser.visit(url)
  const xsrf = /name="xsrf" value="(\w+)"/.exec(browser.page)?.[1] ?? ''
  const at = await browser.visit(new URL('/oauth/logout/confirm', bank.url), {
    xsrf,
    logout: 'yes',
  })
  expect(at.href).toBe(`${origin}/`)
  const token = new URLSearchParams(logOuts.at(-1)).get('logout_token')!
  const jwks = createRemoteJWKSet(new URL(app.serverMetadata().jwks_uri!))
  const { payload } = await jwtVerify(token, jwks, { issuer: bank.url, audience: 'budget-app' })
  expect(payload).toMatchObject({
    sub: ada.username,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
})
