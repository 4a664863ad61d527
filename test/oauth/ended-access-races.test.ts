import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTokenVerifier } from '../../kernel/authorization/token.ts'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, callback, type RunningServer } from './kit.ts'

// Access that a person or an app ends has ended, also for requests that arrive at the same moment:
// whatever the order was, no token of the grant is valid afterwards.
const rounds = 30
let bank: RunningServer
let browser: ABrowser
beforeAll(async () => {
  bank = await aRunningServer()
  browser = new ABrowser()
})
afterAll(async () => {
  expect(bank.failures).toEqual([])
  await bank.stop()
})

interface Tokens {
  access_token: string
  refresh_token: string
}

const ada = { username: 'ada', password: adasPassword }
const verifier = randomBytes(32).toString('base64url')

/** Returns new tokens of Ada; logs her in if the session has ended. */
async function tokens(): Promise<Tokens> {
  const url = new URL('/oauth/authorize', bank.issuer)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: 'web',
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  let at = await browser.visit(url)
  while (!at.searchParams.has('code')) {
    expect(browser.status).toBe(200)
    at = await browser.submit(browser.page.includes('Password') ? ada : { decision: 'allow' })
  }
  const answer = await bank.post({
    grant_type: 'authorization_code',
    client_id: 'web',
    redirect_uri: callback,
    code_verifier: verifier,
    code: at.searchParams.get('code')!,
  })
  return (await answer.json()) as Tokens
}

async function refresh({ refresh_token }: Tokens): Promise<Tokens | null> {
  const form = { grant_type: 'refresh_token', client_id: 'web', refresh_token }
  const answer = await bank.post(form)
  expect([200, 400]).toContain(answer.status)
  return answer.status === 200 ? ((await answer.json()) as Tokens) : null
}

async function isGood({ access_token }: Tokens): Promise<boolean> {
  await bank.revocations.refresh()
  const verifier = createTokenVerifier({
    trusted: [{ issuer: bank.issuer, audience: bank.issuer, jwks: bank.oauth.jwks }],
    now: Date.now,
    isRevoked: (caller) => bank.revocations.isRevoked(caller),
  })
  return Promise.resolve()
    .then(() => verifier.verify(`Bearer ${access_token}`))
    .then(
      () => true,
      () => false,
    )
}

const claimsOf = ({ access_token }: Tokens) =>
  JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString()) as {
    grant_id: string
  }

/** Ends access while the app refreshes its tokens, and expects that nothing of them is valid. */
async function expectEnd(end: (first: Tokens) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const first = await tokens()
    expect(await isGood(first)).toBe(true)
    const runs: (() => Promise<Tokens | null>)[] = [
      () => refresh(first),
      () => end(first).then(() => null),
    ]
    if (round % 2 === 0) runs.reverse()
    const answers = await Promise.all(runs.map((run) => run()))
    for (const each of [first, ...answers].filter((one) => one !== null)) {
      expect(await isGood(each), `round ${round}`).toBe(false)
      expect(await refresh(each), `round ${round}`).toBeNull()
    }
  }
}

test('the app revokes its refresh token while it uses it', async () => {
  await expectEnd(({ refresh_token: token }) =>
    fetch(`${bank.issuer}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'web', token }),
    }),
  )
}, 120_000)

test('the person disconnects the app while it refreshes', async () => {
  await expectEnd((first) => bank.revocations.add('grant', claimsOf(first).grant_id))
}, 120_000)

test('the person logs out while the app refreshes', async () => {
  await expectEnd(async () => {
    await browser.visit(new URL('/oauth/logout', bank.issuer))
    const xsrf = /name="xsrf" value="(\w+)"/.exec(browser.page)![1]!
    await browser.visit(new URL('/oauth/logout/confirm', bank.issuer), { xsrf, logout: 'yes' })
  })
}, 120_000)
