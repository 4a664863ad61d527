import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTokenVerifier } from '../../subgraphs/_kernel/token.ts'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, callback, type RunningServer } from './kit.ts'

// Another outside library, by other people, completes both grants knowing only the address.
let bank: RunningServer
beforeAll(async () => {
  bank = await aRunningServer()
})
afterAll(() => bank.stop())

const verify = (token: string) =>
  createTokenVerifier({
    trusted: [{ issuer: bank.issuer, audience: bank.issuer, jwks: bank.oauth.jwks }],
    now: Date.now,
  }).verify(`Bearer ${token}`)

test('client credentials', async () => {
  const client = new OAuth2Client({
    server: bank.issuer,
    clientId: 'narrow',
    clientSecret: bank.secret,
  })
  const { accessToken } = await client.clientCredentials({ scope: ['offers:read'] })
  expect(await verify(accessToken)).toMatchObject({ clientId: 'narrow', partyId: null })
})

test('authorization code with PKCE, and refresh', async () => {
  const client = new OAuth2Client({ server: bank.issuer, clientId: 'web' })
  const codeVerifier = await generateCodeVerifier()
  const address = await client.authorizationCode.getAuthorizeUri({
    redirectUri: callback,
    state: 'a state',
    codeVerifier,
    scope: ['accounts:read'],
  })
  const at = await new ABrowser().through(new URL(address), [
    { username: 'ada', password: adasPassword },
    { decision: 'allow' },
  ])
  const token = await client.authorizationCode.getTokenFromCodeRedirect(at.href, {
    redirectUri: callback,
    state: 'a state',
    codeVerifier,
  })
  expect(await verify(token.accessToken)).toMatchObject({ partyId: 'pty_ada' })
  const renewed = await client.refreshToken(token)
  expect(await verify(renewed.accessToken)).toMatchObject({ partyId: 'pty_ada' })
})
