import { createServer, request as ask } from 'node:http'
import { expect, test } from 'vitest'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, callback, listen, type RunningServer } from './kit.ts'

const most = 100
const question = (issuer: string) => {
  const asked = {
    response_type: 'code',
    client_id: 'web',
    redirect_uri: callback,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }
  return new URL(`${issuer}/oauth/authorize?${new URLSearchParams(asked).toString()}`)
}

/** A browser at the login page, for which a proxy forwards this. */
async function aGuesser(bank: RunningServer, forwarded: string): Promise<ABrowser> {
  const browser = new ABrowser({ 'x-forwarded-for': forwarded })
  await browser.visit(question(bank.issuer))
  return browser
}

/** Tries a name each with a wrong password; then one name more, whose status it answers. */
async function guess(bank: RunningServer, forwarded: (at: number) => string): Promise<number> {
  for (let at = 0; at < most; at += 10) {
    const guessing = Array.from({ length: 10 }, async (_, more) => {
      const browser = await aGuesser(bank, forwarded(at + more))
      await browser.submit({ username: `name-${forwarded(0)}-${at + more}`, password: 'wrong' })
      expect(browser.status).toBe(422)
    })
    await Promise.all(guessing)
  }
  // The address waits for a second after the hundredth failure: three at once are not all in time.
  const again = Array.from({ length: 3 }, () => tryAgain(bank, forwarded(most)))
  return Math.max(...(await Promise.all(again)))
}

async function tryAgain(bank: RunningServer, forwarded: string): Promise<number> {
  const browser = await aGuesser(bank, forwarded)
  await browser.submit({ username: `again-${forwarded}`, password: 'wrong' })
  return browser.status
}

test('log-ins that fail behind a proxy of ours close the door for their own address', async () => {
  const bank = await aRunningServer({ TRUST_PROXY: 'loopback' })
  expect(await guess(bank, (at) => `198.51.100.${at}, 203.0.113.9`)).toBe(429)
  expect(await tryAgain(bank, '203.0.113.200')).toBe(422)
  await bank.stop()
})

test('an address that nobody we trust forwards opens no other door', async () => {
  const bank = await aRunningServer()
  expect(await guess(bank, (at) => `203.0.113.${at}`)).toBe(429)
  await bank.stop()
})

test('a browser behind a proxy that asks under another name comes back to its app all the same', async () => {
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

test('behind TLS the cookies are for TLS, and another page than our own asks for no token', async () => {
  const bank = await aRunningServer({}, 'https://bank.example')
  const lies = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'mallory.example' }
  const asked = await fetch(question(bank.issuer), { redirect: 'manual', headers: lies })
  expect(asked.status).toBe(303)
  const cookies = asked.headers.getSetCookie()
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
