import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeArguments } from '../../kernel/authorization/identity-log.ts'
import { removePasskey } from '../../oauth/passkeys.ts'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, callback, type RunningServer } from './kit.ts'
import { optionsIn, SoftwarePasskey, type AssertionChanges } from './software-passkey.ts'

let server: RunningServer
let issuer: string
let passkey: SoftwarePasskey
beforeAll(async () => {
  server = await aRunningServer({}, (address) => address.replace('127.0.0.1', 'localhost'))
  issuer = server.oauth.issuer
})
beforeEach(async () => {
  passkey = new SoftwarePasskey(issuer)
  await passkey.register(server.pool, 'ada')
})
afterEach(async () => {
  await server.pool.query('delete from oauth.passkey')
  await server.pool.query('delete from oauth.failed_attempt')
  server.failedLogIns.length = 0
})
afterAll(async () => {
  expect(server.failures).toEqual([])
  await server.stop()
})

/** A browser on the log-in page of an authorization request. */
async function onLogInPage(more: Record<string, string> = {}) {
  const browser = new ABrowser()
  const url = new URL(`${issuer}/oauth/authorize`)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: 'web',
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  }).toString()
  await browser.visit(url)
  expect(browser.page).toContain('Log in with a passkey')
  return browser
}

const isLoggedIn = (browser: ABrowser) => browser.page.includes('You are logged in as')

async function logIn(changes: AssertionChanges = {}) {
  const browser = await onLogInPage()
  const credential = passkey.use(optionsIn(browser.page), changes)
  await browser.submit({ credential })
  return { browser, credential }
}

test('an honest passkey logs in', async () => {
  const { browser } = await logIn()
  expect(isLoggedIn(browser)).toBe(true)
  expect(server.failedLogIns).toEqual([])
  const { rows } = await server.pool.query(
    `select outcome, person, acr from kernel.identity_record where kind = 'log-in' order by at desc`,
  )
  const acr = 'urn:bankgraph:acr:passkey'
  expect(rows[0]).toEqual({ outcome: 'succeeded', person: 'ada', acr })
})

const attacks: [string, AssertionChanges | (() => AssertionChanges)][] = [
  ['for another origin', { origin: 'https://bank.example.evil' }],
  ['for another domain', { rpId: 'evil.example' }],
  ['in a frame of another site', { crossOrigin: true, origin: 'https://evil.example' }],
  ['for another challenge', { challenge: randomBytes(32).toString('base64url') }],
  ['of a registration', { type: 'webauthn.create' }],
  ['without the user handle', { userHandle: null }],
  ['without verification of the person', { isUserVerified: false }],
  ['with the user handle of another person', { userHandle: randomBytes(32).toString('base64url') }],
  [
    'with the signature of another key',
    () => ({ key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
  ],
]

describe('Rejects a response', () => {
  test.each(attacks)('%s', async (_, changes) => {
    const { browser } = await logIn(typeof changes === 'function' ? changes() : changes)
    expect(isLoggedIn(browser)).toBe(false)
    expect(browser.status).toBe(422)
    expect(browser.page).toContain('The passkey was not accepted. Try again.')
    expect(server.failedLogIns).toEqual([
      { kind: 'person', name: 'ada', partyId: 'pty_ada', isThrottled: false, count: 1 },
    ])
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    ['no credential ID', '{"response":{}}'],
    ['an unknown credential', '{"id":"abc","response":{}}'],
    ['a NUL', '{"id":"a\\u0000","response":{}}'],
  ])('that is %s', async (_, credential) => {
    const browser = await onLogInPage()
    await browser.submit({ credential })
    expect(browser.status).toBe(422)
    expect(isLoggedIn(browser)).toBe(false)
  })

  test('that was used before', async () => {
    const { credential } = await logIn()
    const other = await onLogInPage()
    await other.submit({ credential })
    expect(isLoggedIn(other)).toBe(false)
  })

  test('whose challenge has expired', async () => {
    const browser = await onLogInPage()
    await server.pool.query(`update oauth.passkey_challenge set expires_at = now()`)
    await browser.submit({ credential: passkey.use(optionsIn(browser.page)) })
    expect(isLoggedIn(browser)).toBe(false)
  })

  test('with a signature counter that did not grow', async () => {
    passkey.signCount = 10
    expect(isLoggedIn((await logIn()).browser)).toBe(true)
    for (const signCount of [10, 9, 0]) {
      expect(isLoggedIn((await logIn({ signCount })).browser)).toBe(false)
    }
    expect(isLoggedIn((await logIn({ signCount: 11 })).browser)).toBe(true)
  })

  test('of a person who is disabled', async () => {
    await server.pool.query(`update oauth.person set disabled_at = now() where username = 'ada'`)
    expect(isLoggedIn((await logIn()).browser)).toBe(false)
    await server.pool.query(`update oauth.person set disabled_at = null where username = 'ada'`)
  })

  test('of a passkey that was removed, which the audit of identity records', async () => {
    const browser = await onLogInPage()
    const remove = (credentialId: string) => {
      const entry = { kind: 'passkey-removal', outcome: 'succeeded', person: 'ada' } as const
      return removePasskey(server.pool, 'ada', credentialId, writeArguments(entry))
    }
    expect(await remove('another')).toBe(false)
    expect(await remove(passkey.credentialId)).toBe(true)
    const { rows } = await server.pool.query(
      "select person from kernel.identity_record where kind = 'passkey-removal'",
    )
    expect(rows).toEqual([{ person: 'ada' }])
    await browser.submit({ credential: passkey.use(optionsIn(browser.page)) })
    expect(isLoggedIn(browser)).toBe(false)
  })
})

describe('A session with a password, after the person registered a passkey,', () => {
  test('adds no passkey, even if it began to send the form before', async () => {
    await server.pool.query('delete from oauth.passkey')
    const thief = new ABrowser()
    await thief.visit(new URL(`${issuer}/oauth/passkeys`))
    await thief.submit({ username: 'ada', password: adasPassword })
    expect(thief.page).toContain('Your passkeys')
    const form = { label: 'Thief', credential: '{}' }
    const response = await thief.postSlowly(form, () => passkey.register(server.pool, 'ada'))
    expect(response.status).toBe(303)
    await thief.visit(new URL(response.headers.get('location')!, issuer))
    await thief.submit({ username: 'ada', password: adasPassword })
    expect(thief.page).toContain('This step needs a passkey.')
  })

  test('adds no passkey at the same time', async () => {
    const second = new SoftwarePasskey(issuer)
    expect(await second.register(server.pool, 'ada', false)).toBe(false)
    expect(await second.register(server.pool, 'ada', true)).toBe(true)
  })
})

test('five failures delay further attempts, and a success ends the series', async () => {
  for (let tries = 0; tries < 5; tries++) await logIn({ isUserVerified: false })
  const { browser } = await logIn()
  expect(browser.status).toBe(429)
  expect(Number(browser.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(server.failedLogIns.at(-1)).toMatchObject({ isThrottled: true })
})

test('two responses for one challenge race, and one of them logs in', async () => {
  const browser = await onLogInPage()
  const form = { credential: passkey.use(optionsIn(browser.page)) }
  const answers = await Promise.all([browser.post(form), browser.post(form)])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 422]))
})

test('a passkey whose owner changes is not moved by a second registration of its ID', async () => {
  expect(await passkey.register(server.pool, 'ada')).toBe(false)
})

describe('The page of the passkeys', () => {
  const passkeysUrl = () => new URL(`${issuer}/oauth/passkeys`)
  async function onPasskeysPage(headers: Record<string, string> = {}) {
    await server.pool.query('delete from oauth.passkey')
    const browser = new ABrowser(headers)
    await browser.visit(passkeysUrl())
    await browser.submit({ username: 'ada', password: adasPassword, decision: 'allow' })
    expect(browser.page).toContain('You have no passkey yet.')
    return browser
  }

  test('loads nothing from elsewhere and allows only its own script', async () => {
    const { page, headers } = await onPasskeysPage()
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(page)!
    const hash = createHash('sha256').update(script).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}';`)
    expect(page).not.toMatch(/https?:|<script |<img|<link| on\w+=/)
  })

  test('rejects forms of other sites, forged registrations and foreign passkeys', async () => {
    const other = await onPasskeysPage({ 'sec-fetch-site': 'cross-site' })
    await other.submit({ remove: 'x' })
    expect([other.status, other.page.includes('another site')]).toEqual([403, true])
    const browser = await onPasskeysPage()
    await browser.submit({ label: 'A', credential: '{"id":"a","response":{}}' })
    expect([browser.status, browser.page.includes('not accepted')]).toEqual([422, true])
    await browser.submit({ label: '\n', credential: '{}' })
    expect(browser.page).toContain('Choose a name of 1 to 60 characters.')
    await browser.submit({ remove: passkey.credentialId })
    expect(browser.page).toContain('You have no such passkey.')
    const { rows } = await server.pool.query('select from oauth.passkey')
    expect(rows).toEqual([])
  })
})

test('at an IP address there are no passkeys, and the pages say so', async () => {
  const local = await aRunningServer()
  const browser = new ABrowser()
  await browser.visit(new URL(`${local.issuer}/oauth/passkeys`))
  expect(browser.page).toContain('Passkeys are not possible at this address')
  await local.stop()
})

test.each([
  ['twice', 'acr_values=a&acr_values=urn:bankgraph:acr:passkey'],
  ['empty', 'acr_values='],
  ['with a NUL', 'acr_values=%00'],
  ['under its internal name, twice', 'login_acr_values=a&login_acr_values=b'],
])('acr_values that is sent %s neither logs in nor fails the server', async (_, parameter) => {
  const browser = new ABrowser()
  const rest = `response_type=code&client_id=web&redirect_uri=${encodeURIComponent(callback)}`
  const pkce = `code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`
  await browser.visit(new URL(`${issuer}/oauth/authorize?${rest}&${pkce}&${parameter}`))
  expect(browser.at.searchParams.has('code')).toBe(false)
  expect(browser.status).toBeLessThan(500)
  expect(server.failures).toEqual([])
})
