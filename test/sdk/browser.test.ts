/** An app in a browser that uses the client package: a customer logs in, reads, pays, and follows events. */
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { projectRoot } from '../../kernel/environment/root.ts'
import { hasBrowser, theBrowser } from '../kit/browser.ts'
import { freePort } from '../kit/free-port.ts'
import { ada, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

let bank: Platform
let browser: Browser
let server: Server
let app: string

/** The app: it logs in, does what the test looks at, and shows the result as text. */
const program = (bankUrl: string, appUrl: string) => `
import { createBankClient, finishLogIn, startLogIn, browserKeyStore, browserProofKeyStore, BankProblem } from '/sdk.js'
if (location.search === '?bound') sessionStorage.setItem('bound', 'yes')
const dpop = sessionStorage.getItem('bound') === 'yes' && browserProofKeyStore()
const options = { issuer: '${bankUrl}', clientId: 'bankgraph-web', redirectUri: '${appUrl}/callback', dpop }
async function run() {
  const tokens = await finishLogIn(options, location.href)
  history.replaceState(null, '', '/')
  const bank = createBankClient({ url: '${bankUrl}/v1', tokens, keys: browserKeyStore(localStorage) })
  const { me } = await bank.graph('{ me { displayName } }')
  const accounts = await bank.listAccounts({ pageSize: 1 }).all()
  const amount = { amount: '2.00', currency: 'EUR' }
  const transfer = { debtorArrangementId: 'arr_ada_current', creditorArrangementId: 'arr_ada_savings', amount }
  const received = (async () => {
    for await (const event of bank.events({ types: ['payments.*'], over: 'websocket' })) return event.type
  })()
  while (bank.position === null) await new Promise((resolve) => setTimeout(resolve, 20))
  const first = await bank.createPostingInstruction(transfer, { intent: 'savings' })
  const again = await bank.createPostingInstruction(transfer, { intent: 'savings' })
  const refused = await bank.createNotificationTemplate({ channel: 'email', status: 'active' }).catch((error) => error)
  return {
    me: me.displayName, accounts: accounts.length, status: first.status,
    isOnce: first.postingInstructionId === again.postingInstructionId,
    event: await received, refused: refused instanceof BankProblem && refused.code,
    errors: (await bank.createPostingInstruction({ ...transfer, amount: 'x' }).catch((error) => error)).errors,
  }
}
if (location.pathname === '/callback') {
  run().then((result) => (document.body.textContent = JSON.stringify(result)), (error) => (document.body.textContent = String(error?.stack)))
} else location.assign(await startLogIn(options))
`

describe.skipIf(!hasBrowser)('An app in a browser', () => {
  beforeAll(async () => {
    const port = await freePort()
    app = `http://127.0.0.1:${port}`
    bank = await aSeededPlatform('sandbox', false, { WEB_APPS: app })
    const entryPoints = [join(projectRoot, 'sdk/src/index.ts')]
    const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', write: false })
    server = createServer((request, response) => {
      const isScript = request.url!.endsWith('.js')
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      if (request.url === '/sdk.js') response.end(outputFiles[0]!.text)
      else if (request.url === '/app.js') response.end(program(bank.url, app))
      else response.end('<!doctype html><body><script type="module" src="/app.js"></script>')
    }).listen(port, '127.0.0.1')
    browser = await theBrowser()
  }, 120_000)
  afterAll(async () => {
    server.close()
    await bank.stop()
  })

  test.each([
    ['with bearer tokens', '/', 'Bearer'],
    ['with tokens bound to a key that scripts cannot read', '/?bound', 'DPoP'],
  ])('%s logs a customer in, reads, pays, and follows events', async (_name, path, scheme) => {
    const context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const sent: Record<string, string>[] = []
    page.on('request', (request) => {
      const headers = request.headers()
      if (headers['authorization']) sent.push(headers)
    })
    await page.goto(app + path)
    await page.getByLabel('User name').fill(ada.username)
    await page.getByLabel('Password').fill(ada.password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    const result = page.locator('body', { hasText: '{' })
    await result.waitFor()
    expect(JSON.parse((await result.textContent())!)).toEqual({
      me: 'Ada Lovelace',
      accounts: expect.any(Number),
      status: 'accepted',
      isOnce: true,
      event: 'payments.posting-instruction.accepted',
      refused: 'INSUFFICIENT_SCOPE',
      errors: [expect.objectContaining({ pointer: '/amount' })],
    })
    const schemes = sent.map(({ authorization }) => authorization!.split(' ')[0])
    expect(new Set(schemes)).toEqual(new Set([scheme]))
    expect(sent.every((headers) => 'dpop' in headers)).toBe(scheme === 'DPoP')
    await context.close()
  })
})
