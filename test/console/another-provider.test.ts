import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider/lib/provider.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BrowserContext, Page } from 'playwright-core'
import { aSigningKey } from '../oauth/kit.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { hasBrowser, theBrowser } from '../kit/browser.ts'
import { storedTokens } from './kit.ts'

// In live, the employees of the bank log in at the identity provider of the bank, which is on
// another site: here one that is set up according to its own documentation.
const audience = 'https://bank.example'
const secret = 'a secret that only the console and its provider know'

let server: Server
let issuer: string
let bank: Platform
const contexts: BrowserContext[] = []

describe.skipIf(!hasBrowser)('The console in live with another identity provider', () => {
  beforeAll(async () => {
    let provider: Provider | null = null
    server = createServer((request, response) => void handle(provider!, request, response))
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    // Browsers regard the names as different sites.
    issuer = `http://localhost:${(server.address() as AddressInfo).port}`
    bank = await aPlatform('live', undefined, true, {
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      AUTH_JWKS_URI: `${issuer}/jwks`,
      AUTH_ROLES: '{"tellers":["teller"]}',
      AUTH_ROLES_CLAIM: 'groups',
      CONSOLE_CLIENT_ID: 'bank-console',
      CONSOLE_CLIENT_SECRET: secret,
    })
    provider = aProvider()
  }, 120_000)
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()))
    await bank.stop()
    server.close()
  })

  async function aWindow(): Promise<Page> {
    const context = await (await theBrowser()).newContext({ locale: 'en-US' })
    contexts.push(context)
    return context.newPage()
  }

  async function logIn(path: string): Promise<Page> {
    const page = await aWindow()
    page.setDefaultTimeout(10_000)
    await page.goto(`${bank.url}/console${path}`)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`${issuer}/**`)
    await page.getByRole('button', { name: 'Continue as maria' }).click()
    await page.waitForURL(`${bank.url}/console${path}`)
    return page
  }

  async function logOutAtProvider(page: Page) {
    const elsewhere = await page.context().newPage()
    await elsewhere.goto(`${issuer}/session/end`)
    await elsewhere.getByRole('button', { name: 'Yes, sign me out' }).click()
    await elsewhere.getByText('Sign-out Success').first().waitFor()
  }

  const tokensOf = async (page: Page) => {
    const cookies = await page.context().cookies(bank.url)
    const cookie = cookies.find(({ name }) => name === 'bankgraph-console-live')!
    return storedTokens(bank, cookie.value)
  }

  test('an employee logs in with the roles of the provider, and the token is refreshed', async () => {
    const page = await logIn('/customers')
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Customers' }).waitFor()
    expect(await pages.getByRole('link', { name: 'Employees' }).count()).toBe(0)
    const { accessToken } = await tokensOf(page)
    const claims = Buffer.from(accessToken.split('.')[1]!, 'base64url').toString()
    const { jti, aud } = JSON.parse(claims) as { jti: string; aud: string }
    expect(aud).toBe(audience)
    await bank.bank.revocations.add('token', jti)
    await page.reload()
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    expect((await tokensOf(page)).accessToken).not.toBe(accessToken)
    await page.context().close()
  })

  test('a log-out at the provider ends the session in the console', async () => {
    const page = await logIn('/customers')
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    await logOutAtProvider(page)
    // The socket of the page is closed, so nobody needs to touch it.
    await page.getByText('Your session has ended').waitFor()
    await page.getByRole('button', { name: 'Log in as maria' }).click()
    await page.getByRole('button', { name: 'Continue as maria' }).click()
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    await page.context().close()
  })

  test('a page without live events learns of the log-out when the person returns to it', async () => {
    const page = await logIn('/')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await logOutAtProvider(page)
    expect(await page.getByText('Your session has ended').count()).toBe(0)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByText('Your session has ended').waitFor()
    await page.context().close()
  })

  test('a log-out in the console leads to the one at the provider, and back', async () => {
    const page = await logIn('/customers')
    const { accessToken } = await tokensOf(page)
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(`${issuer}/session/end**`)
    const refused = await bank.graph('{ environment { name } }', {}, { token: accessToken })
    expect(refused.status).toBe(401)
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await page.waitForURL(`${bank.url}/`)
    await page.goto(`${bank.url}/console/`)
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await page.context().close()
  })

  test('a denied log-in is explained, and a forged log-out is refused', async () => {
    const page = await aWindow()
    await page.goto(`${bank.url}/console/customers`)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The log-in was canceled.').waitFor()
    await page.goto(`${bank.url}/console/session/callback?code=stolen&state=unknown`)
    await page.getByText('This log-in did not start in this browser').waitFor()
    const answer = await fetch(`${bank.url}/console/session/back-channel-log-out`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        logout_token: bank.forge({ aud: 'bank-console', sub: 'maria' }),
      }),
    })
    expect(answer.status).toBe(400)
    await page.context().close()
  })
})

function aProvider(): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: 'bank-console',
        client_secret: secret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${bank.url}/console/session/callback`],
        post_logout_redirect_uris: [`${bank.url}/`],
        backchannel_logout_uri: `${bank.url}/console/session/back-channel-log-out`,
        backchannel_logout_session_required: true,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...aSigningKey(), alg: 'ES256', use: 'sig' }] },
    // The library refuses to call apps in private networks, such as this machine.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    interactions: { url: (_, { uid }) => `/log-in/${uid}` },
    issueRefreshToken: () => true,
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    extraTokenClaims: () => ({ groups: ['tellers'] }),
    async loadExistingGrant({ oidc: { client, session, provider } }) {
      const grant = new provider.Grant({
        clientId: client!.clientId,
        accountId: session!.accountId!,
      })
      grant.addOIDCScope('openid')
      await grant.save()
      return grant
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: '',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  })
}

/** Serves the provider, with a log-in page on which one click is enough. */
async function handle(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (!request.url!.startsWith('/log-in/')) return provider.callback()(request, response)
  if (request.method === 'POST') {
    const isCanceled = request.url!.endsWith('?cancel')
    const result = isCanceled ? { error: 'access_denied' } : { login: { accountId: 'maria' } }
    return provider.interactionFinished(request, response, result)
  }
  response.setHeader('content-type', 'text/html')
  response.end(`<form method="post"><button>Continue as maria</button></form>
    <form method="post" action="${request.url}?cancel"><button>Cancel</button></form>`)
}
