import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WebSocketRoute } from 'playwright-core'
import { aConsole, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('The session of the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('the start page of the sandbox logs a person in with one click', async () => {
    const page = await kit.window()
    await page.goto(kit.bank.url)
    await page.getByRole('link', { name: 'Tina teller' }).click()
    await page.getByRole('heading', { name: 'Hello, Tina' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('a link on another site logs nobody in', async () => {
    const page = await kit.window()
    await page.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<a href="${kit.bank.url}/console/?person=ada">A prize</a>`,
      }),
    )
    await page.goto('http://evil.example/')
    await page.getByRole('link', { name: 'A prize' }).click()
    await page.getByRole('button', { name: /^Ada\b/ }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0)
  })

  test('a link on another site to the authorization server shows the log-in page', async () => {
    const page = await kit.window()
    const url = new URL(`${kit.bank.url}/oauth/authorize`)
    url.search = String(
      new URLSearchParams({
        client_id: 'bankgraph-console',
        response_type: 'code',
        redirect_uri: `${kit.bank.url}/console/session/callback`,
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        login_hint: 'adam',
      }),
    )
    await page.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<a href="${url.href.replaceAll('&', '&amp;')}">A prize</a>`,
      }),
    )
    await page.goto('http://evil.example/')
    await page.getByRole('link', { name: 'A prize' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
  })

  test('a revoked token is replaced, and the page goes on', async () => {
    const page = await kit.openAlone('Ada', '/accounts')
    await page.getByRole('table', { name: 'Accounts' }).waitFor()
    await revoke({ clientId: 'bankgraph-console' })
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('a session that ended asks for a log-in, which returns to the same page', async () => {
    const page = await kit.openAlone('Tina', '/accounts/arr_grace_current/transfer')
    await page.getByLabel('Amount').fill('77.77')
    await revoke({ subject: 'tina' })
    await page.getByLabel('IBAN of the recipient').fill('NL71BKGR5876237599')
    await page.getByRole('button', { name: 'Send money' }).click()
    await page.getByText('Your session has ended').waitFor()
    await page.getByRole('button', { name: 'Log in as tina' }).click()
    await page.getByRole('heading', { name: 'Send money' }).waitFor()
    expect(await page.getByLabel('Amount').inputValue()).toBe('77.77')
  })

  test('another person in another tab does not act in this one', async () => {
    const page = await kit.openAlone('Ada', '/accounts')
    const other = await page.context().newPage()
    await other.goto(`${kit.bank.url}/console/`)
    await other.getByRole('button', { name: /account menu/ }).click()
    await other.getByRole('menuitem', { name: 'Tina, teller' }).click()
    await other.getByRole('heading', { name: 'Hello, Tina' }).waitFor()
    await revoke({ clientId: 'bankgraph-console' })
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('Another person is logged in').waitFor()
    expect(await page.getByText('Hello, Tina').count()).toBe(0)
  })

  test('the live events continue without a gap after the socket was lost', async () => {
    const page = await kit.window()
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket(/\/graphql$/, (socket) => {
      sockets.push(socket)
      const server = socket.connectToServer()
      socket.onMessage((message) => server.send(message))
      server.onMessage((message) => socket.send(message))
    })
    await kit.logIn(page, 'Omar', '/events?types=parties.party.created')
    await page.getByText('Live', { exact: true }).waitFor()
    await createParty('Before')
    await page.getByText(/party\/pty_before/).waitFor()
    const lost = sockets.at(-1)!
    await lost.close({ code: 1012 })
    await createParty('Between')
    await page.getByText(/party\/pty_between/).waitFor()
    await createParty('After')
    await page.getByText(/party\/pty_after/).waitFor()
    expect(sockets.length).toBeGreaterThan(1)
    for (const name of ['before', 'between', 'after']) {
      expect(await page.getByText(`party/pty_${name}`).count()).toBe(1)
    }
  })

  test('what is known stays on the page while the bank cannot be reached', async () => {
    const tina = await kit.openAlone('Tina', '/customers/pty_grace')
    const name = tina.getByRole('heading', { name: 'Grace Hopper' })
    await name.waitFor()
    await tina.waitForTimeout(1000)
    await tina.route('**/graphql', (route) => route.abort('connectionreset'))
    const { body } = await kit.bank.graph(
      'mutation { updateParty(input: { partyId: "pty_grace", language: "nl" }) { partyId } }',
    )
    expect(body.errors).toBeUndefined()
    const page = tina.locator('main')
    await page.getByText('No answer from the bank').first().waitFor()
    expect(await page.innerText()).toContain('Grace Hopper')
    const retry = tina.getByRole('button', { name: 'Try again' }).first()
    await tina.unroute('**/graphql')
    await tina.route('**/graphql', (route) => route.fulfill({ json: outage }))
    await retry.click()
    await page.getByText('Not possible right now').first().waitFor()
    expect(await page.innerText()).toContain('Grace Hopper')
    await tina.unroute('**/graphql')
    await retry.click()
    await page.getByRole('button', { name: 'Try again' }).first().waitFor({ state: 'detached' })
    expect(await page.innerText()).toContain('Grace Hopper')
    expect(await name.count()).toBe(1)
  }, 60_000)
})

/** How the graph answers while the subgraph of the parties is down. */
const outage = {
  data: { party: null },
  errors: [
    {
      message: 'The service did not respond in time.',
      path: ['party'],
      extensions: { code: 'TIMEOUT', retryable: true },
    },
  ],
}

async function revoke(input: { subject: string } | { clientId: string }): Promise<void> {
  const token = kit.bank.token(input)
  const { body } = await kit.bank.graph(
    'mutation($input: RevokeTokensInput!) { revokeTokens(input: $input) { kind } }',
    { input },
  )
  expect(body.errors).toBeUndefined()
  const statusNow = async () =>
    (await kit.bank.graph('{ environment { name } }', {}, { token })).status
  await expect.poll(statusNow, { timeout: 10_000 }).toBe(401)
  // Tokens state their time of issue in seconds: one of the same second is revoked as well.
  await new Promise((resolve) => setTimeout(resolve, 1100))
}

async function createParty(name: string): Promise<void> {
  const { body } = await kit.bank.graph(
    'mutation($input: CreatePartyInput!) { createParty(input: $input) { partyId } }',
    { input: { partyId: `pty_${name.toLowerCase()}`, kind: 'PERSON', familyName: name } },
  )
  expect(body.errors).toBeUndefined()
}
