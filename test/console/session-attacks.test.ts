import { createHash } from 'node:crypto'
import WebSocket from 'ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { aConsole, aSecondGateway, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

const query = JSON.stringify({ query: '{ me { partyId } }' })
const json = { 'content-type': 'application/json' }

describe.skipIf(!hasBrowser)('The session of the console under attack', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    await kit.stop()
  })

  /** Logs Ada in, and returns her page, the header with her cookies and the name of her session. */
  async function aSession(person = 'Ada') {
    const page = await kit.openAlone(person)
    const { cookies, handle } = await cookiesOf(page)
    return { page, cookies, handle }
  }

  async function cookiesOf(page: Page) {
    const all = await page.context().cookies(`${kit.bank.url}/console/`)
    const cookies = all.map(({ name, value }) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${kit.bank.url}/console/session`, { headers: { cookie: cookies } })
    const { handle } = (await answer.json()) as { handle: string }
    return { cookies, handle, all }
  }

  /**
   * Opens a socket. `first` is the status of the refused upgrade, the code of the close, or the type
   * of the first message; `closed` is the code of the close.
   */
  function aSocket(headers: Record<string, string>, session: string) {
    const url = `${kit.bank.url.replace('http', 'ws')}/console/graphql`
    const socket = new WebSocket(url, 'graphql-transport-ws', { headers })
    socket.on('error', () => undefined)
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { session } })),
    )
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    const first = new Promise<number | string>((resolve) => {
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode!))
      socket.on('message', (data: Buffer) =>
        resolve((JSON.parse(data.toString()) as { type: string }).type),
      )
      void closed.then(resolve)
    })
    return { first, closed }
  }

  /** Sends a query with a cookie to the graph of the console. */
  async function send(headers: Record<string, string>, body: string = query, url = kit.bank.url) {
    const answer = await fetch(`${url}/console/graphql`, { method: 'POST', headers, body })
    const { data, errors } = (await answer.json()) as Record<string, any>
    return { status: answer.status, code: errors?.[0].extensions.code, partyId: data?.me?.partyId }
  }

  test('the browser has no token, in no response and no store, and no script reads the cookie', async () => {
    const page = await kit.window()
    const texts: string[] = []
    page.on('response', (response) => {
      texts.push(response.url(), JSON.stringify(response.headers()))
      const isText = /json|html/.test(response.headers()['content-type'] ?? '')
      if (isText)
        void response.text().then(
          (text) => texts.push(text),
          () => undefined,
        )
    })
    await kit.logIn(page, 'Ada', '/accounts')
    await page.getByRole('table', { name: 'Accounts' }).waitFor()
    const stored = await page.evaluate(() =>
      JSON.stringify([localStorage, sessionStorage, document.cookie]),
    )
    expect(`${stored} ${texts.join(' ')}`).not.toMatch(/eyJ[\w-]+\./)
    expect(texts.length).toBeGreaterThan(10)
    const { all } = await cookiesOf(page)
    const cookie = all.find(({ name }) => name === 'bankgraph-console-sandbox')!
    expect([cookie.httpOnly, cookie.sameSite]).toEqual([true, 'Lax'])
    expect(stored).not.toContain(cookie.value)
  })

  test('a request needs the name of the session, and is not from another origin', async () => {
    const { cookies: cookie, handle, page } = await aSession()
    const own = { ...json, cookie, 'x-console-session': handle }
    expect(await send(own)).toMatchObject({ status: 200, partyId: 'pty_ada' })
    const sameOrigin = { origin: kit.bank.url, 'sec-fetch-site': 'same-origin' }
    expect(await send({ ...own, ...sameOrigin })).toMatchObject({ status: 200 })
    const refused = { status: 403, code: 'CROSS_SITE_REQUEST' }
    expect(await send({ ...json, cookie })).toMatchObject(refused)
    expect(await send({ ...own, origin: 'http://evil.example' })).toMatchObject(refused)
    expect(await send({ ...own, origin: 'null' })).toMatchObject(refused)
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect(await send({ ...own, 'sec-fetch-site': site })).toMatchObject(refused)
    }
    const unknown = { ...own, 'x-console-session': 'another' }
    expect(await send(unknown)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    await page.context().close()
  })

  test('a form, or a page of another site, does nothing with the cookie', async () => {
    const { cookies: cookie, handle, page } = await aSession()
    const form = { 'content-type': 'text/plain', cookie, 'x-console-session': handle }
    expect(await send(form)).toMatchObject({ status: 415 })
    const answer = await fetch(`${kit.bank.url}/console/session/log-out`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=b',
    })
    expect(answer.status).toBe(403)
    await page.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" enctype="text/plain" action="${kit.bank.url}/console/graphql">
          <input name='${query.slice(0, -1)},"a":"' value='"}'><button>A prize</button></form>`,
      }),
    )
    await page.goto('http://evil.example/')
    const [response] = await Promise.all([
      page.waitForResponse(/console\/graphql/),
      page.getByRole('button', { name: 'A prize' }).click(),
    ])
    expect(response.status()).toBe(403)
    await page.context().close()
  })

  test('a WebSocket of another origin is refused, and one without the name of the session closed', async () => {
    const { cookies: cookie, handle, page } = await aSession()
    const open = (origin: string | undefined, session: string) =>
      aSocket({ cookie, ...(origin && { origin }) }, session).first
    expect(await open(kit.bank.url, handle)).toBe('connection_ack')
    expect(await open('http://evil.example', handle)).toBe(403)
    expect(await open(undefined, handle)).toBe(403)
    expect(await open(kit.bank.url, 'another')).toBe(4401)
    await page.context().close()
  })

  test('a stolen cookie is useless after the log-out, and the open socket is closed', async () => {
    const { cookies: cookie, handle, page } = await aSession()
    const own = { ...json, cookie, 'x-console-session': handle }
    expect((await send(own)).status).toBe(200)
    const socket = aSocket({ cookie, origin: kit.bank.url }, handle)
    expect(await socket.first).toBe('connection_ack')
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page
      .getByRole('button', { name: /Yes|Log out/ })
      .first()
      .click()
    await page.waitForURL(`${kit.bank.url}/`)
    expect(await send(own)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    expect(await socket.closed).toBe(4403)
    await page.goto(`${kit.bank.url}/console/`)
    await page.getByRole('button', { name: /^Ada\b/ }).waitFor()
    await page.context().close()
  })

  test('a log-in gives a new ID, and a cookie of before cannot become a session', async () => {
    const page = await kit.window()
    const planted = 'A'.repeat(43)
    const name = 'bankgraph-console-sandbox'
    // With TLS, the prefix `__Host-` allows no other path, and no other host of the domain.
    const { hostname: domain } = new URL(kit.bank.url)
    await page.context().addCookies([{ name, value: planted, domain, path: '/' }])
    await kit.logIn(page, 'Ada')
    const { all } = await cookiesOf(page)
    const values = all.filter((each) => each.name === name).map(({ value }) => value)
    expect(values).toHaveLength(1)
    expect(values).not.toContain(planted)
    const cookie = `${name}=${planted}`
    expect((await send({ ...json, cookie, 'x-console-session': 'x' })).status).toBe(401)
    await page.context().close()
  })

  test('the database contains neither the ID nor a token', async () => {
    const { cookies, page } = await aSession()
    const id = /bankgraph-console-sandbox=([\w-]+)/.exec(cookies)![1]!
    const { rows } = await kit.bank.bank.pool.query(
      'select encode(id_hash, $1) as hash, tokens, subject from kernel.console_session',
      ['base64'],
    )
    expect(rows.length).toBeGreaterThan(0)
    const text = JSON.stringify(rows)
    expect(text).not.toContain(id)
    expect(text).not.toMatch(/eyJ[\w-]+\./)
    await page.context().close()
  })

  test('two gateways share a session: they refresh it once, and it ends in both', async () => {
    const second = await aSecondGateway(kit)
    try {
      const at = (headers: Record<string, string>) => send(headers, query, second.url)
      const { cookies: cookie, handle, page } = await aSession()
      const own = { ...json, cookie, 'x-console-session': handle }
      expect(await at(own)).toMatchObject({ status: 200, partyId: 'pty_ada' })
      const { pool, revocations } = kit.bank.bank
      const id = /bankgraph-console-sandbox=([\w-]+)/.exec(cookie)![1]!
      const hash = createHash('sha256').update(id).digest()
      const sql = 'select version from kernel.console_session where id_hash = $1'
      const versionNow = async () =>
        (await pool.query<{ version: number }>(sql, [hash])).rows[0]!.version
      const version = await versionNow()
      const { accessToken } = await kit.tokensOf(id)
      const claims = Buffer.from(accessToken.split('.')[1]!, 'base64url').toString()
      await revocations.add('token', (JSON.parse(claims) as { jti: string }).jti)
      await second.bank.revocations.refresh()
      const answers = await Promise.all([1, 2, 3, 4].flatMap(() => [send(own), at(own)]))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(await versionNow()).toBe(version + 1)
      const options = { method: 'POST', headers: own, body: '{}' }
      expect((await fetch(`${kit.bank.url}/console/session/log-out`, options)).status).toBe(200)
      expect((await send(own)).status).toBe(401)
      // The other gateway has cached the session; within about a second, it knows the revocation.
      await expect.poll(async () => (await at(own)).status, { timeout: 3000 }).toBe(401)
      await page.context().close()
    } finally {
      await second.stop()
    }
  })
})
