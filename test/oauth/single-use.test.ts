import * as standard from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresAdapter } from '../../oauth/adapter.ts'
import { createTokenVerifier } from '../../kernel/authorization/token.ts'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, basic, callback, type RunningServer } from './kit.ts'

const ada = { username: 'ada', password: adasPassword, decision: 'allow' }
let bank: RunningServer
beforeAll(async () => {
  bank = await aRunningServer()
})
afterAll(async () => {
  expect(bank.failures).toEqual([])
  await bank.stop()
})

interface Stored {
  id: string
  payload: Record<string, unknown>
}

interface Tokens {
  access_token: string
  refresh_token: string
}

const isGood = async (token: string): Promise<boolean> => {
  await bank.revocations.refresh()
  try {
    await createTokenVerifier({
      trusted: [{ issuer: bank.issuer, audience: bank.issuer, jwks: bank.oauth.jwks }],
      now: Date.now,
      isRevoked: (caller) => bank.revocations.isRevoked(caller),
    }).verify(`Bearer ${token}`)
    return true
  } catch {
    return false
  }
}

async function authorizeUrl(changes: Record<string, string> = {}) {
  const verifier = standard.generateRandomCodeVerifier()
  const url = new URL('/oauth/authorize', bank.issuer)
  const parameters = {
    response_type: 'code',
    client_id: 'web',
    redirect_uri: callback,
    code_challenge: await standard.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...changes,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url, verifier }
}

const codeForm = (code: string, verifier: string) => ({
  grant_type: 'authorization_code',
  client_id: 'web',
  code,
  redirect_uri: callback,
  code_verifier: verifier,
})
const refreshForm = (token: string) => ({
  grant_type: 'refresh_token',
  client_id: 'web',
  refresh_token: token,
})

/** The token request for a code that has not been redeemed. */
async function aCode(browser = new ABrowser()) {
  const { url, verifier } = await authorizeUrl()
  const at = await browser.through(url, [ada, { decision: 'allow' }])
  return codeForm(at.searchParams.get('code')!, verifier)
}

const tokensOf = async (answer: Response) => (await answer.json()) as Tokens
const tokens = async (browser?: ABrowser) => tokensOf(await bank.post(await aCode(browser)))

const postAt = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${bank.issuer}${path}`, { method: 'POST', body: new URLSearchParams(form), headers })

/** Sends a form several times at once: one succeeds, the others return `invalid_grant`. */
async function redeemAtOnce(form: Record<string, string>): Promise<Tokens> {
  const answers = await Promise.all(Array.from({ length: 4 }, () => bank.post(form)))
  const [winner, ...more] = answers.filter(({ status }) => status === 200)
  expect(more).toEqual([])
  for (const answer of answers.filter((each) => each !== winner)) {
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
  }
  return winner ? tokensOf(winner) : { access_token: '', refresh_token: '' }
}

describe('Single use under concurrency', () => {
  test('yields one response for a concurrently redeemed code, and revokes its tokens', async () => {
    for (let round = 0; round < 4; round++) {
      const won = await redeemAtOnce(await aCode())
      expect(await isGood(won.access_token)).toBe(false)
      expect((await bank.post(refreshForm(won.refresh_token))).status).toBe(400)
    }
  })

  test('yields one response for a concurrently used refresh token, and revokes its tokens', async () => {
    for (let round = 0; round < 4; round++) {
      const first = await tokens()
      const won = await redeemAtOnce(refreshForm(first.refresh_token))
      for (const { access_token } of [first, won]) expect(await isGood(access_token)).toBe(false)
      expect((await bank.post(refreshForm(won.refresh_token))).status).toBe(400)
    }
  })

  test('yields one code for a concurrently resumed interaction', async () => {
    const browser = new ABrowser()
    const { url } = await authorizeUrl()
    await browser.visit(url)
    await browser.submit(ada)
    const answer = await browser.post({ decision: 'allow' })
    const resume = new URL(answer.headers.get('location')!, bank.issuer)
    const resumed = await Promise.all(Array.from({ length: 4 }, () => browser.get(resume)))
    const codes = resumed.filter((each) => each.headers.get('location')?.includes('code='))
    expect(codes).toHaveLength(1)
  })

  test('does not store a session again that has ended meanwhile', async () => {
    const browser = new ABrowser()
    await tokens(browser)
    const [{ id, payload }] = (
      await bank.pool.query<Stored>(
        `select id, payload from oauth.record where model = 'Session' and consumed_at is null
         order by expires_at desc limit 1`,
      )
    ).rows as [Stored]
    await logOut(browser)
    const sessions = postgresAdapter({
      pool: bank.pool,
      now: () => new Date(),
      profile: 'standard',
      revokeGrant: async () => undefined,
    })('Session')
    await sessions.upsert(id, payload, 600)
    expect(await sessions.find(id)).toBeUndefined()
  })
})

/** Confirms the log-out page and returns where the person is redirected to. */
async function logOut(browser: ABrowser, query = '') {
  await browser.visit(new URL(`/oauth/logout${query}`, bank.issuer))
  const xsrf = /name="xsrf" value="(\w+)"/.exec(browser.page)![1]!
  return browser.visit(new URL('/oauth/logout/confirm', bank.issuer), { xsrf, logout: 'yes' })
}

describe('Revocation of access tokens with their grant', () => {
  test('revokes the access token when its authorization code is reused', async () => {
    const form = await aCode()
    const { access_token } = await tokensOf(await bank.post(form))
    expect(await isGood(access_token)).toBe(true)
    expect((await bank.post(form)).status).toBe(400)
    expect(await isGood(access_token)).toBe(false)
  })

  test('revokes every access token of the grant when a refresh token is reused', async () => {
    const first = await tokens()
    const second = await tokensOf(await bank.post(refreshForm(first.refresh_token)))
    expect((await bank.post(refreshForm(first.refresh_token))).status).toBe(400)
    for (const { access_token } of [first, second]) expect(await isGood(access_token)).toBe(false)
  })

  test('revokes the access tokens of the grant, and of no other, when the refresh token is revoked', async () => {
    const [revoked, other] = [await tokens(), await tokens()]
    await postAt('/oauth/revoke', { client_id: 'web', token: revoked.refresh_token })
    expect(await isGood(revoked.access_token)).toBe(false)
    expect(await isGood(other.access_token)).toBe(true)
  })

  test('accepts access tokens of delegated users and of clients at `/oauth/revoke`', async () => {
    const { access_token } = await tokens()
    const form = { client_id: 'web', token: access_token, token_type_hint: 'access_token' }
    expect((await postAt('/oauth/revoke', form)).status).toBe(200)
    expect(await isGood(access_token)).toBe(false)

    const machine = bank.oauth.issueToken({ clientId: 'narrow', scope: 'accounts:read' })
    const asNarrow = basic('narrow', bank.secret)
    const asWide = basic('wide', bank.secret)
    expect((await postAt('/oauth/revoke', { token: machine }, asWide)).status).toBe(400)
    expect((await postAt('/oauth/revoke', { token: machine }, basic('narrow', 'x'))).status).toBe(
      401,
    )
    expect(await isGood(machine)).toBe(true)
    expect((await postAt('/oauth/revoke', { token: machine }, asNarrow)).status).toBe(200)
    expect(await isGood(machine)).toBe(false)
    const forged = `${machine.slice(0, -4)}AAAA`
    expect((await postAt('/oauth/revoke', { token: forged }, asNarrow)).status).toBe(200)
  })

  test('ends the session and revokes the tokens of its grants on logout', async () => {
    const browser = new ABrowser()
    const mine = await tokens(browser)
    const elsewhere = await tokens()
    const query = new URLSearchParams({
      client_id: 'web',
      post_logout_redirect_uri: `${new URL(callback).origin}/`,
      state: 'bye',
    })
    const at = await logOut(browser, `?${query}`)
    expect(at.href).toBe(`${new URL(callback).origin}/?state=bye`)
    expect(await isGood(mine.access_token)).toBe(false)
    expect((await bank.post(refreshForm(mine.refresh_token))).status).toBe(400)
    expect(await isGood(elsewhere.access_token)).toBe(true)
    await browser.visit((await authorizeUrl()).url)
    expect(browser.page).toContain('<label for="password">')
  })

  test('does not redirect to an unregistered URI after logout', async () => {
    const browser = new ABrowser()
    await browser.visit(
      new URL(
        '/oauth/logout?client_id=web&post_logout_redirect_uri=https://evil.example/',
        bank.issuer,
      ),
    )
    expect(browser.status).toBe(400)
    expect(await logOut(browser)).toMatchObject({ pathname: '/oauth/logout/success' })
    expect(browser.page).toContain('You are logged out')
    expect(browser.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('Reauthentication on request of the client', () => {
  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['max_age=0', { max_age: '0' }],
  ])('requires one new log-in in spite of a session with %s', async (_, changes) => {
    const browser = new ABrowser()
    await tokens(browser)
    const { url } = await authorizeUrl(changes)
    await browser.visit(url)
    expect(browser.page).toContain('<label for="password">')
    const at = await browser.submit(ada)
    expect(at.searchParams.get('code')).not.toBeNull()
  })

  test('requires only one log-in for prompt=login with consent when there is no session', async () => {
    const { url } = await authorizeUrl({ prompt: 'login consent' })
    const at = await new ABrowser().through(url, [ada, { decision: 'allow' }])
    expect(at.searchParams.get('code')).not.toBeNull()
  })

  test('accepts a recent log-in within max_age and rejects a max_age that is not a number', async () => {
    const browser = new ABrowser()
    await tokens(browser)
    const at = await browser.visit((await authorizeUrl({ max_age: '600' })).url)
    expect(at.searchParams.get('code')).not.toBeNull()
    const bad = await browser.visit((await authorizeUrl({ max_age: 'soon' })).url)
    expect(bad.searchParams.get('error')).toBe('invalid_request')
  })

  test('returns login_required for prompt=none without a session', async () => {
    const { url } = await authorizeUrl({ prompt: 'none' })
    expect((await new ABrowser().visit(url)).searchParams.get('error')).toBe('login_required')
  })
})
