import * as outsider from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertRevocation, revocation } from '../../kernel/authorization/revocations.ts'
import { createTokenVerifier } from '../../kernel/authorization/token.ts'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, callback, type RunningServer } from './kit.ts'

const insecure = { [outsider.allowInsecureRequests]: true }
const client = { client_id: 'web' }
const ada = { username: 'ada', password: adasPassword, decision: 'allow' }
let bank: RunningServer
let as: outsider.AuthorizationServer
beforeAll(async () => {
  bank = await aRunningServer()
  const issuer = new URL(bank.issuer)
  as = await outsider.processDiscoveryResponse(
    issuer,
    await outsider.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
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

/** An authorization request, with its code verifier and state. */
async function aQuestion(changes: Record<string, string | undefined> = {}) {
  const verifier = outsider.generateRandomCodeVerifier()
  const url = new URL(as.authorization_endpoint!)
  const request = {
    response_type: 'code',
    client_id: 'web',
    redirect_uri: callback,
    state: outsider.generateRandomState(),
    code_challenge: await outsider.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...changes,
  }
  for (const [name, value] of Object.entries(request)) if (value) url.searchParams.set(name, value)
  return { url, verifier, state: request.state! }
}

type Question = Awaited<ReturnType<typeof aQuestion>>

const exchange = async ({ verifier, state }: Question, at: URL) => {
  const params = outsider.validateAuthResponse(as, client, at, state)
  const answer = await outsider.authorizationCodeGrantRequest(
    as,
    client,
    outsider.None(),
    params,
    callback,
    verifier,
    insecure,
  )
  return outsider.processAuthorizationCodeResponse(as, client, answer)
}

async function logIn(browser = new ABrowser(), changes = {}) {
  const question = await aQuestion(changes)
  const at = await browser.through(question.url, [ada, { decision: 'allow' }])
  return { question, at }
}

describe('Authorization code flow for a delegated user', () => {
  test('issues a token for the party, which an independent library obtains and validates', async () => {
    const { question, at } = await logIn()
    expect(at.href.startsWith(callback)).toBe(true)
    expect(at.searchParams.get('iss')).toBe(bank.issuer)
    const answer = await exchange(question, at)
    const caller = await verify(answer.access_token)
    expect(caller).toMatchObject({ clientId: 'web', subject: 'ada', partyId: 'pty_ada' })
    expect([...caller.scopes].sort()).toEqual(['accounts:read', 'offers:read'])
    const headers = { authorization: `Bearer ${answer.access_token}` }
    const claims = await outsider.validateJwtAccessToken(
      as,
      new Request(`${bank.issuer}/accounts`, { headers }),
      bank.issuer,
      { signingAlgorithms: ['ES256'], ...insecure },
    )
    expect(claims).toMatchObject({ sub: 'ada', party_id: 'pty_ada' })
  })

  test('grants only the requested scopes and describes them on the consent page', async () => {
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

  test('does not ask again when the person is logged in and has consented before', async () => {
    const browser = new ABrowser()
    await logIn(browser)
    const question = await aQuestion()
    const at = await browser.visit(question.url)
    expect((await exchange(question, at)).token_type).toBe('bearer')
  })

  test.each([['credit:decide'], ['no:such'], ['accounts:read credit:decide']])(
    'rejects the scope %s with invalid_scope',
    async (scope) => {
      const question = await aQuestion({ scope })
      const at = await new ABrowser().visit(question.url)
      expect(at.searchParams.get('error')).toBe('invalid_scope')
    },
  )

  test('redirects with access_denied when the person denies on either page', async () => {
    for (const answers of [[{ decision: 'deny' }], [ada, { decision: 'deny' }]]) {
      const question = await aQuestion()
      const at = await new ABrowser().through(question.url, answers)
      expect(at.searchParams.get('error')).toBe('access_denied')
      expect(at.searchParams.get('state')).toBe(question.state)
    }
  })

  test('shows an error for a wrong password and returns 429 after five failures', async () => {
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

  test('serves pages that load no external resources and may not be framed', async () => {
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

describe('Errors of the authorization code flow', () => {
  test.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['a response type other than code', { response_type: 'token' }],
  ])('reports %s to the client’s redirect URI', async (_, changes) => {
    const at = await new ABrowser().visit((await aQuestion(changes)).url)
    expect(at.href.startsWith(callback)).toBe(true)
    expect(at.hash + at.search).toMatch(/error=(invalid_request|unsupported_response_type)/)
  })

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['an unregistered redirect URI', { redirect_uri: 'http://evil.example/callback' }],
    ['a client without the authorization code grant', { client_id: 'wide' }],
  ])('reports %s on a page of its own, without a redirect', async (_, changes) => {
    const browser = new ABrowser()
    const at = await browser.visit((await aQuestion(changes)).url)
    expect(at.origin).toBe(bank.issuer)
    expect(browser.status).toBe(400)
    expect(browser.page).toContain('role="alert"')
  })

  test('rejects a code that was used before and revokes the refresh token of its first use', async () => {
    const { question, at } = await logIn()
    const first = await exchange(question, at)
    await expect(exchange(question, at)).rejects.toThrow()
    const renewed = await outsider.refreshTokenGrantRequest(
      as,
      client,
      outsider.None(),
      first.refresh_token!,
      insecure,
    )
    expect(renewed.status).toBe(400)
  })

  test('rejects a code with another code verifier', async () => {
    const { question, at } = await logIn()
    const thief = { ...question, verifier: outsider.generateRandomCodeVerifier() }
    await expect(exchange(thief, at)).rejects.toThrow()
  })

  test('rejects a log-in form without its interaction cookie', async () => {
    const browser = new ABrowser()
    await browser.visit((await aQuestion()).url)
    const other = new ABrowser()
    other.at = browser.at
    await other.submit(ada)
    expect(other.status).toBe(400)
  })

  test('rejects an oversized form with 413', async () => {
    const browser = new ABrowser()
    await browser.visit((await aQuestion()).url)
    await browser.submit({ ...ada, password: 'x'.repeat(20_000) })
    expect(browser.status).toBe(413)
  })
})

describe('Refresh tokens', () => {
  const refresh = async (token: string) => {
    const answer = await outsider.refreshTokenGrantRequest(
      as,
      client,
      outsider.None(),
      token,
      insecure,
    )
    return outsider.processRefreshTokenResponse(as, client, answer)
  }
  const aRefreshToken = async () => {
    const { question, at } = await logIn()
    return (await exchange(question, at)).refresh_token!
  }

  test('rotates the token with each use and revokes the whole chain on reuse', async () => {
    const first = await aRefreshToken()
    const second = await refresh(first)
    expect((await verify(second.access_token)).partyId).toBe('pty_ada')
    expect(second.refresh_token).not.toBe(first)
    await expect(refresh(first)).rejects.toThrow()
    await expect(refresh(second.refresh_token!)).rejects.toThrow()
  })

  test('rejects a revoked token', async () => {
    const token = await aRefreshToken()
    const answer = await outsider.revocationRequest(as, client, outsider.None(), token, insecure)
    await outsider.processRevocationResponse(answer)
    await expect(refresh(token)).rejects.toThrow()
  })

  test('rejects the token of a person who is disabled or whose tokens were revoked', async () => {
    const token = await aRefreshToken()
    await bank.pool.query(`update oauth.person set disabled_at = now() where username = 'ada'`)
    await expect(refresh(token)).rejects.toThrow()
    await bank.pool.query(`update oauth.person set disabled_at = null where username = 'ada'`)
    const { sql, values } = insertRevocation(revocation('subject', 'ada'))
    await bank.pool.query(`with claim as (select 1) ${sql}`, [...values])
    await expect(refresh(token)).rejects.toThrow()
    // The revocation itself expires after a day; the refresh token must stay invalid.
    await bank.pool.query(`update kernel.revocation set expires_at = now() - interval '1 minute'`)
    await bank.oauth.sweep()
    await expect(refresh(token)).rejects.toThrow()
  })
})

test('never issues a token without its party when the person disappears during the code exchange', async () => {
  const { query } = bank.pool
  for (let known = 0; known < 5; known++) {
    const question = await aQuestion()
    const at = await new ABrowser().through(question.url, [ada, ada])
    let lookups = 0
    bank.pool.query = ((request: { name?: string }, ...more: unknown[]) =>
      request.name === 'oauth-find-person' && lookups++ >= known
        ? Promise.resolve({ rows: [] })
        : (query as Function).call(bank.pool, request, ...more)) as typeof query
    const token = await exchange(question, at)
      .then(({ access_token }) => access_token)
      .catch((error: unknown) => {
        expect(error).toMatchObject({ error: 'invalid_grant', status: 400 })
        return null
      })
      .finally(() => (bank.pool.query = query))
    expect(lookups).toBeGreaterThan(0)
    if (lookups <= known) expect(token).not.toBeNull()
    if (token) expect((await verify(token)).partyId).toBe('pty_ada')
    if (known === 0) expect(token).toBeNull()
  }
})
