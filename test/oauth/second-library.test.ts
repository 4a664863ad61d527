import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTokenVerifier } from '../../kernel/authorization/token.ts'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, callback, type RunningServer } from './kit.ts'

// A second independent client library completes both grants, knowing only the issuer.
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

test('completes the client credentials grant with an independent library', async () => {
  const client = new OAuth2Client({
    server: bank.issuer,
    clientId: 'narrow',
    clientSecret: bank.secret,
  })
  const { accessToken } = await client.clientCredentials({ scope: ['offers:read'] })
  expect(await verify(accessToken)).toMatchObject({ clientId: 'narrow', partyId: null })
})

test('completes the authorization code grant and a refresh with an independent library', async () => {
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
