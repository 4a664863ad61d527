/** Nobody gets access without a record: if the audit cannot be written, neither is a log-in. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, basic, callback, type RunningServer } from './kit.ts'

let bank: RunningServer
beforeAll(async () => {
  bank = await aRunningServer()
})
afterAll(() => bank.stop())

const hide = () => bank.pool.query('alter table kernel.identity_record rename to hidden')
const show = () => bank.pool.query('alter table kernel.hidden rename to identity_record')
const kindsOf = async () => {
  const { rows } = await bank.pool.query<{ kind: string }>(
    "select kind from kernel.identity_record where kind <> 'signing-key-rotation' order by at",
  )
  return rows.map(({ kind }) => kind)
}

test('no token, session or code is given out while records cannot be written', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL('/oauth/authorize', bank.issuer)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: 'web',
    redirect_uri: callback,
    scope: 'accounts:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const requestToken = () =>
    bank.post({ grant_type: 'client_credentials' }, basic('narrow', bank.secret))
  const logIn = { username: 'ada', password: adasPassword }
  const browser = new ABrowser()
  await browser.visit(url)

  await hide()
  const refused = await requestToken()
  expect(refused.status).toBe(500)
  expect(await refused.text()).not.toContain('access_token')
  await browser.submit(logIn)
  expect([browser.status, browser.at.searchParams.has('code')]).toEqual([500, false])
  await show()
  expect(await kindsOf()).toEqual([])
  expect((await requestToken()).status).toBe(200)
  // The first log-in took no effect, so a password is needed again.
  await browser.visit(url)
  expect(browser.page).toContain('name="password"')
  await browser.submit(logIn)
  expect(await kindsOf()).toEqual(['token-issuance', 'log-in'])

  await hide()
  await browser.submit({ decision: 'allow' })
  expect([browser.status, browser.at.searchParams.has('code')]).toEqual([500, false])
  await show()
  await browser.visit(url)
  const at = await browser.submit({ decision: 'allow' })
  expect(at.searchParams.has('code')).toBe(true)
  expect(await kindsOf()).toEqual(['token-issuance', 'log-in', 'consent', 'authorization'])
  expect(bank.failures.length).toBeGreaterThanOrEqual(3)
})
