import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, basic, callback, type RunningServer } from './kit.ts'

const ada = { username: 'ada', password: adasPassword, decision: 'allow' }
const wrong = { ...ada, password: 'wrong' }
let bank: RunningServer
beforeAll(async () => {
  bank = await aRunningServer({ TRUST_PROXY: 'loopback' })
})
afterAll(() => bank.stop())

const authorizeUrl = () => {
  const parameters = {
    response_type: 'code',
    client_id: 'web',
    redirect_uri: callback,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    prompt: 'login',
  }
  return new URL(`${bank.issuer}/oauth/authorize?${new URLSearchParams(parameters).toString()}`)
}

test('throttles and records wrong client secrets, and still accepts the correct one', async () => {
  const form = { grant_type: 'client_credentials' }
  const statuses: number[] = []
  for (let n = 0; n < 15; n++) {
    statuses.push((await bank.post(form, basic('wide', `wrong-${n}`))).status)
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
  expect(statuses.slice(11)).toEqual(Array(4).fill(429))
  const limited = await bank.post(form, basic('wide', 'wrong'))
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await limited.json()).toMatchObject({ error: 'slow_down' })
  expect((await bank.post(form, basic('wide', bank.secret))).status).toBe(200)
  const recorded = bank.failedLogIns.filter(({ kind }) => kind === 'client')
  expect(recorded).toHaveLength(16)
  expect(recorded[0]).toMatchObject({ name: 'wide', isThrottled: false, count: 1 })
  expect(recorded.at(-1)).toMatchObject({ name: 'wide', isThrottled: true })
  await bank.post(form, basic('nobody', 'wrong'))
  expect(bank.failedLogIns.at(-1)).toMatchObject({ kind: 'client', name: null })
})

test('delays guesses from one address only, not the person elsewhere or their known browser', async () => {
  const home = new ABrowser({ 'x-forwarded-for': '203.0.113.7' })
  await home.through(authorizeUrl(), [ada, { decision: 'allow' }])
  const attacker = new ABrowser({ 'x-forwarded-for': '198.51.100.1' })
  await attacker.visit(authorizeUrl())
  const statuses: number[] = []
  for (let n = 0; n < 8; n++) {
    await attacker.submit(wrong)
    statuses.push(attacker.status)
  }
  expect(statuses).toContain(422)
  expect(statuses).toContain(429)
  expect(attacker.headers.get('retry-after') ?? '1').toMatch(/^\d+$/)
  const recorded = bank.failedLogIns.filter(({ kind }) => kind === 'person')
  expect(recorded[0]).toEqual({
    kind: 'person',
    name: 'ada',
    partyId: 'pty_ada',
    isThrottled: false,
    count: 1,
  })
  // From another address, and from the browser that Ada has used before.
  const elsewhere = new ABrowser({ 'x-forwarded-for': '192.0.2.50' })
  await elsewhere.through(authorizeUrl(), [ada, { decision: 'allow' }])
  expect(elsewhere.at.searchParams.get('code')).not.toBeNull()
  await home.visit(authorizeUrl())
  await home.submit(ada)
  expect(home.at.searchParams.get('code')).not.toBeNull()
})

test('responds the same for existing and unknown user names, however many attempts fail', async () => {
  const seen = async (username: string, address: string) => {
    const attacker = new ABrowser({ 'x-forwarded-for': address })
    await attacker.visit(authorizeUrl())
    const pages: [number, string][] = []
    for (let n = 0; n < 12; n++) {
      await bank.pool.query(
        `update oauth.failed_attempt set wait_until = now() - interval '1 second'`,
      )
      await attacker.submit({ ...wrong, username })
      pages.push([
        attacker.status,
        attacker.page.replaceAll(username, '?').replace(/uid=[^"]*/g, ''),
      ])
    }
    return pages
  }
  const known = await seen('ada', '198.51.100.21')
  expect(await seen('eve', '198.51.100.22')).toEqual(known)
  expect(known.map(([status]) => status)).toEqual(Array(12).fill(422))
})
