import { createServer, request as ask } from 'node:http'
import { expect, test } from 'vitest'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, callback, listen, type RunningServer } from './kit.ts'

const limit = 100
const question = (issuer: string) => {
  const input = {
    response_type: 'code',
    client_id: 'web',
    redirect_uri: callback,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }
  return new URL(`${issuer}/oauth/authorize?${new URLSearchParams(input).toString()}`)
}

/** A browser on the log-in page, with this X-Forwarded-For header. */
async function anAttacker(bank: RunningServer, forwarded: string): Promise<ABrowser> {
  const browser = new ABrowser({ 'x-forwarded-for': forwarded })
  await browser.visit(question(bank.issuer))
  return browser
}

/**
 * Fails a log-in once for each of `limit` names; then tries one more name and returns the status of
 * that attempt.
 */
async function guess(bank: RunningServer, forwarded: (at: number) => string): Promise<number> {
  for (let at = 0; at < limit; at += 10) {
    const guessing = Array.from({ length: 10 }, async (_, more) => {
      const browser = await anAttacker(bank, forwarded(at + more))
      await browser.submit({ username: `name-${forwarded(0)}-${at + more}`, password: 'wrong' })
      expect(browser.status).toBe(422)
    })
    await Promise.all(guessing)
  }
  // The address is delayed by a second after the hundredth failure: of three concurrent attempts at
  // least one falls within it.
  const again = Array.from({ length: 3 }, () => tryAgain(bank, forwarded(limit)))
  return Math.max(...(await Promise.all(again)))
}

async function tryAgain(bank: RunningServer, forwarded: string): Promise<number> {
  const browser = await anAttacker(bank, forwarded)
  await browser.submit({ username: `again-${forwarded}`, password: 'wrong' })
  return browser.status
}

test('throttles failed log-ins by the forwarded client address behind a trusted proxy', async () => {
  const bank = await aRunningServer({ TRUST_PROXY: 'loopback' })
  expect(await guess(bank, (at) => `198.51.100.${at}, 203.0.113.9`)).toBe(429)
  expect(await tryAgain(bank, '203.0.113.200')).toBe(422)
  await bank.stop()
})

test('ignores forwarded addresses when it throttles without a trusted proxy', async () => {
  const bank = await aRunningServer()
  expect(await guess(bank, (at) => `203.0.113.${at}`)).toBe(429)
  await bank.stop()
})

test('redirects a browser back to its app when a proxy uses another host name', async () => {
  const bank = await aRunningServer()
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, host: 'inside.example:8080' }
    const onwards = ask(bank.issuer + request.url, { method: request.method, headers }, (answer) =>
      answer.pipe(response.writeHead(answer.statusCode!, answer.headers)),
    )
    request.pipe(onwards)
  })
  const ada = { username: 'ada', password: adasPassword }
  const answers = [ada, { decision: 'allow' }]
  const at = await new ABrowser().through(question(await listen(proxy)), answers)
  expect(at.href).toMatch(/^http:\/\/127\.0\.0\.1:3000\/callback\?code=/)
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
  await bank.stop()
})

test('sets secure cookies and permits only the issuer’s origin when the issuer uses https', async () => {
  const bank = await aRunningServer({}, 'https://bank.example')
  const lies = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'mallory.example' }
  const input = await fetch(question(bank.issuer), { redirect: 'manual', headers: lies })
  expect(input.status).toBe(303)
  const cookies = input.headers.getSetCookie()
  expect(cookies.length).toBeGreaterThan(0)
  for (const cookie of cookies) expect(cookie).toMatch(/; secure/i)
  const browser = new ABrowser(lies)
  const ada = { username: 'ada', password: adasPassword }
  const at = await browser.through(question(bank.issuer), [ada, { decision: 'allow' }])
  expect(at.href).toMatch(/^http:\/\/127\.0\.0\.1:3000\/callback\?code=/)
  const allowed = async (origin: string) => {
    const form = { grant_type: 'client_credentials', client_id: 'wide', client_secret: bank.secret }
    const answer = await bank.post(form, { ...lies, origin })
    return answer.headers.get('access-control-allow-origin')
  }
  expect(await allowed('https://bank.example')).toBe('https://bank.example')
  expect(await allowed('http://bank.example')).toBeNull()
  expect(await allowed('http://mallory.example')).toBeNull()
  expect(bank.failures).toEqual([])
  await bank.stop()
})
