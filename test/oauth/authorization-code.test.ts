import * as stranger from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertRevocation, revocation } from '../../subgraphs/_kernel/revocations.ts'
import { createTokenVerifier } from '../../subgraphs/_kernel/token.ts'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, callback, type RunningServer } from './kit.ts'

const insecure = { [stranger.allowInsecureRequests]: true }
const client = { client_id: 'web' }
const ada = { username: 'ada', password: adasPassword, decision: 'allow' }
let bank: RunningServer
let as: stranger.AuthorizationServer
beforeAll(async () => {
  bank = await aRunningServer()
  const issuer = new URL(bank.issuer)
  as = await stranger.processDiscoveryResponse(
    issuer,
    await stranger.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  )
})
afterAll(async () => {
  expect(bank.failures).toEqual([])
  await bank.stop()
})

const verify = (token: string) =>
  createTokenVerifier({
    trusted: [{ issuer: bank.issuer, audience: bank.issuer, jwks: bank.oauth.jwks }],
    now: Date.now,
  }).verify(`Bearer ${token}`)

/** What a client begins with. */
async function aQuestion(changes: Record<string, string | undefined> = {}) {
  const verifier = stranger.generateRandomCodeVerifier()
  const url = new URL(as.authorization_endpoint!)
  const asked = {
    response_type: 'code',
    client_id: 'web',
    redirect_uri: callback,
    state: stranger.generateRandomState(),
    code_challenge: await stranger.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...changes,
  }
  for (const [name, value] of Object.entries(asked)) if (value) url.searchParams.set(name, value)
  return { url, verifier, state: asked.state! }
}

type Question = Awaited<ReturnType<typeof aQuestion>>

const exchange = async ({ verifier, state }: Question, at: URL) => {
  const params = stranger.validateAuthResponse(as, client, at, state)
  const answer = await stranger.authorizationCodeGrantRequest(
    as,
    client,
    stranger.None(),
    params,
    callback,
    verifier,
    insecure,
  )
  return stranger.processAuthorizationCodeResponse(as, client, answer)
}

async function logIn(browser = new ABrowser(), changes = {}) {
  const question = await aQuestion(changes)
  const at = await browser.through(question.url, [ada, { decision: 'allow' }])
  return { question, at }
}

describe('a person lets an app act', () => {
  test('a stranger library takes the code, the token acts for the party and for nothing more', async () => {
    const { question, at } = await logIn()
    expect(at.href.startsWith(callback)).toBe(true)
    expect(at.searchParams.get('iss')).toBe(bank.issuer)
    const answer = await exchange(question, at)
    const caller = await verify(answer.access_token)
    expect(caller).toMatchObject({ clientId: 'web', subject: 'ada', partyId: 'pty_ada' })
    expect([...caller.scopes].sort()).toEqual(['accounts:read', 'offers:read'])
    const headers = { authorization: `Bearer ${answer.access_token}` }
    const claims = await stranger.validateJwtAccessToken(
      as,
      new Request(`${bank.issuer}/accounts`, { headers }),
      bank.issuer,
      { signingAlgorithms: ['ES256'], ...insecure },
    )
    expect(claims).toMatchObject({ sub: 'ada', party_id: 'pty_ada' })
  })

  test('some scopes asked: those, and the page names them', async () => {
    const browser = new ABrowser()
    const question = await aQuestion({ scope: 'offers:read' })
    await browser.visit(question.url)
    await browser.submit(ada)
    expect(browser.page).toContain('See the offers that the bank makes you')
    expect(browser.page).not.toContain('accounts:read')
    expect(browser.page).toContain('Web &#38; &#60;app&#62;')
    await browser.submit({ decision: 'allow' })
    const { scope } = await exchange(question, browser.at)
    expect(scope).toBe('offers:read')
  })

  test('who is logged in and allowed it before is not asked again', async () => {
    const browser = new ABrowser()
    await logIn(browser)
    const question = await aQuestion()
    const at = await browser.visit(question.url)
    expect((await exchange(question, at)).token_type).toBe('bearer')
  })

  test.each([['credit:decide'], ['openid'], ['no:such'], ['accounts:read credit:decide']])(
    'refused: %s',
    async (scope) => {
      const question = await aQuestion({ scope })
      const at = await new ABrowser().visit(question.url)
      expect(at.searchParams.get('error')).toBe('invalid_scope')
    },
  )

  test('saying no at either page sends the person back with access_denied', async () => {
    for (const answers of [[{ decision: 'deny' }], [ada, { decision: 'deny' }]]) {
      const question = await aQuestion()
      const at = await new ABrowser().through(question.url, answers)
      expect(at.searchParams.get('error')).toBe('access_denied')
      expect(at.searchParams.get('state')).toBe(question.state)
    }
  })

  test('a wrong password says so, and after five of them the address has to wait', async () => {
    const { url } = await aQuestion()
    const browser = new ABrowser()
    await browser.visit(url)
    for (let tries = 0; tries < 5; tries++) {
      await browser.submit({ username: 'grace', password: 'wrong', decision: 'allow' })
      expect(browser.status).toBe(422)
    }
    expect(browser.page).toContain('role="alert"')
    const form = { username: 'Grace ', password: 'wrong', decision: 'allow' }
    const answers = await Promise.all([browser.post(form), browser.post(form), browser.post(form)])
    expect(answers.map(({ status }) => status)).toContain(429)
  })

  test('pages load nothing from outside and may not be framed', async () => {
    const browser = new ABrowser()
    await browser.visit((await aQuestion()).url)
    const policy = browser.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain(`form-action 'self' ${new URL(callback).origin};`)
    expect(browser.page).not.toMatch(/https?:|<script|<img|<link/)
    expect(browser.page).toContain('<label for="password">')
  })
})

describe('refused', () => {
  test.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['another answer than a code', { response_type: 'token' }],
  ])('%s, told to the client', async (_, changes) => {
    const at = await new ABrowser().visit((await aQuestion(changes)).url)
    expect(at.href.startsWith(callback)).toBe(true)
    expect(at.hash + at.search).toMatch(/error=(invalid_request|unsupported_response_type)/)
  })

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['another address to go back to', { redirect_uri: 'http://evil.example/callback' }],
    ['a client for machines', { client_id: 'wide' }],
  ])('%s, on a page of ours', async (_, changes) => {
    const browser = new ABrowser()
    const at = await browser.visit((await aQuestion(changes)).url)
    expect(at.origin).toBe(bank.issuer)
    expect(browser.status).toBe(400)
    expect(browser.page).toContain('role="alert"')
  })

  test('a code works once; its second use ends what the first one got', async () => {
    const { question, at } = await logIn()
    const first = await exchange(question, at)
    await expect(exchange(question, at)).rejects.toThrow()
    const renewed = await stranger.refreshTokenGrantRequest(
      as,
      client,
      stranger.None(),
      first.refresh_token!,
      insecure,
    )
    expect(renewed.status).toBe(400)
  })

  test('the verifier of another', async () => {
    const { question, at } = await logIn()
    const thief = { ...question, verifier: stranger.generateRandomCodeVerifier() }
    await expect(exchange(thief, at)).rejects.toThrow()
  })

  test('a form without the cookie of its page', async () => {
    const browser = new ABrowser()
    await browser.visit((await aQuestion()).url)
    const other = new ABrowser()
    other.at = browser.at
    await other.submit(ada)
    expect(other.status).toBe(400)
  })

  test('a form that is too long', async () => {
    const browser = new ABrowser()
    await browser.visit((await aQuestion()).url)
    await browser.submit({ ...ada, password: 'x'.repeat(20_000) })
    expect(browser.status).toBe(413)
  })
})

describe('refresh', () => {
  const refresh = async (token: string) => {
    const answer = await stranger.refreshTokenGrantRequest(
      as,
      client,
      stranger.None(),
      token,
      insecure,
    )
    return stranger.processRefreshTokenResponse(as, client, answer)
  }
  const aRefreshToken = async () => {
    const { question, at } = await logIn()
    return (await exchange(question, at)).refresh_token!
  }

  test('each use gives a new one, and using an old one ends them all', async () => {
    const first = await aRefreshToken()
    const second = await refresh(first)
    expect((await verify(second.access_token)).partyId).toBe('pty_ada')
    expect(second.refresh_token).not.toBe(first)
    await expect(refresh(first)).rejects.toThrow()
    await expect(refresh(second.refresh_token!)).rejects.toThrow()
  })

  test('a revoked one is void', async () => {
    const token = await aRefreshToken()
    const answer = await stranger.revocationRequest(as, client, stranger.None(), token, insecure)
    await stranger.processRevocationResponse(answer)
    await expect(refresh(token)).rejects.toThrow()
  })

  test('nothing is renewed for a person whose tokens were revoked, nor one who was disabled', async () => {
    const token = await aRefreshToken()
    await bank.pool.query(`update oauth.person set disabled_at = now() where username = 'ada'`)
    await expect(refresh(token)).rejects.toThrow()
    await bank.pool.query(`update oauth.person set disabled_at = null where username = 'ada'`)
    const { sql, values } = insertRevocation(revocation('subject', 'ada'))
    await bank.pool.query(`with claim as (select 1) ${sql}`, [...values])
    await expect(refresh(token)).rejects.toThrow()
    // A day later the revocation itself is swept.
    await bank.pool.query(`update kernel.revocation set expires_at = now() - interval '1 minute'`)
    await bank.oauth.sweep()
    await expect(refresh(token)).rejects.toThrow()
  })
})

test('somebody who may not log in any more gets no token, whenever that is found', async () => {
  const { query } = bank.pool
  for (let known = 0; known < 5; known++) {
    const question = await aQuestion()
    const at = await new ABrowser().through(question.url, [ada, ada])
    let lookups = 0
    bank.pool.query = ((asked: { name?: string }, ...more: unknown[]) =>
      asked.name === 'oauth-find-person' && lookups++ >= known
        ? Promise.resolve({ rows: [] })
        : (query as Function).call(bank.pool, asked, ...more)) as typeof query
    const token = await exchange(question, at)
      .then(({ access_token }) => access_token)
      .catch(() => null)
      .finally(() => (bank.pool.query = query))
    if (lookups <= known) expect(token).not.toBeNull()
    if (token) expect((await verify(token)).partyId).toBe('pty_ada')
    if (known === 0) expect(token).toBeNull()
  }
})
