/** An authorization server at `localhost`, where passkeys are possible, and people who use it. */
import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { createTokenVerifier } from '../../kernel/authorization/token.ts'
import { seedPerson } from '../../oauth/people.ts'
import { createServer, type Server } from 'node:http'
import { seedClient } from '../../oauth/clients.ts'
import { adasPassword, aRunningServer, listen, type RunningServer } from './kit.ts'
import { aPasskeyBrowser } from './passkey-browser.ts'

export const gracesPassword = 'another correct horse battery'

export interface Passkeys {
  server: RunningServer
  issuer: string
  stop(): Promise<void>
  person(username?: string): Promise<Someone>
  refresh(refreshToken: string): ReturnType<typeof tokensOf>
}

export type Someone = Awaited<ReturnType<typeof aPerson>>

/** Starts a server with Ada and Grace. */
export async function aPasskeyServer(): Promise<Passkeys> {
  const server = await aRunningServer({}, (address) => address.replace('127.0.0.1', 'localhost'))
  const grace = { username: 'grace', partyId: 'pty_grace', password: gracesPassword }
  await seedPerson(server.pool, grace, new Date())
  const app = createServer((_request, response) => response.end('Back at the client'))
  const callback = `${await listen(app)}/callback`
  await seedClient(
    server.pool,
    {
      clientId: 'app',
      label: 'App',
      scopes: ['accounts:read'],
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: [callback],
    },
    new Date(),
  )
  return {
    server,
    async stop() {
      await server.stop()
      await closed(app)
    },
    issuer: server.oauth.issuer,
    person: (username = 'ada') => aPerson(server, callback, username),
    refresh: (refreshToken) =>
      tokensOf(server, {
        grant_type: 'refresh_token',
        client_id: 'app',
        refresh_token: refreshToken,
      }),
  }
}

const closed = (app: Server) => {
  app.closeAllConnections()
  return new Promise((resolve) => app.close(resolve))
}

/** A person in a browser of their own. */
async function aPerson(server: RunningServer, callback: string, username: string) {
  const { issuer } = server.oauth
  const browser = await aPasskeyBrowser()
  const { page } = browser
  const password = username === 'ada' ? adasPassword : gracesPassword

  async function logInWithPassword() {
    await page.getByLabel('User name').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
  }
  const logInWithPasskey = () => page.getByRole('button', { name: 'Log in with a passkey' }).click()

  /** Opens the page of the passkeys and logs in there. */
  async function openPasskeys(logIn: () => Promise<void> = logInWithPassword) {
    await page.goto(`${issuer}/oauth/passkeys`)
    if (new URL(page.url()).pathname !== '/oauth/passkeys') await logIn()
    await page.getByRole('heading', { name: 'Your passkeys' }).waitFor()
  }
  async function register(label = 'Phone') {
    await page.getByLabel('Name of the new passkey').fill(label)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await page.getByText('Your passkey is registered').waitFor()
  }

  /** Starts an authorization request of the web app. Returns how it is finished. */
  async function authorize(more: Record<string, string> = {}) {
    const verifier = randomBytes(32).toString('base64url')
    const url = new URL(`${issuer}/oauth/authorize`)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: callback,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    }).toString()
    await page.goto(url.href)
    return async function finish() {
      const allow = page.getByRole('button', { name: 'Allow' })
      const client = page.getByText('Back at the client')
      await allow.or(client).waitFor()
      if (await allow.isVisible()) await allow.click()
      await client.waitFor()
      const { searchParams } = new URL(page.url())
      const code = searchParams.get('code')
      if (!code) return { error: searchParams.get('error')! }
      return tokensOf(server, {
        grant_type: 'authorization_code',
        client_id: 'app',
        redirect_uri: callback,
        code_verifier: verifier,
        code,
      })
    }
  }
  return {
    ...browser,
    username,
    logInWithPassword,
    logInWithPasskey,
    openPasskeys,
    register,
    authorize,
    alert: () => page.locator('.alert:not([hidden])').innerText(),
  }
}

async function tokensOf(server: RunningServer, form: Record<string, string>) {
  const answer = await server.post(form)
  const body = (await answer.json()) as Record<string, string>
  expect(body).not.toHaveProperty('error')
  const token = body['access_token']!
  const { issuer, audience, jwks } = server.oauth
  const verifier = createTokenVerifier({ trusted: [{ issuer, audience, jwks }], now: Date.now })
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<
    string,
    unknown
  >
  const caller = await verifier.verify(`Bearer ${token}`)
  return { claims, caller, refreshToken: body['refresh_token']!, error: null }
}
