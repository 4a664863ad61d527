import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedClient } from '../../oauth/clients.ts'
import { ABrowser } from './browser.ts'
import { adasPassword, aRunningServer, basic, callback, type RunningServer } from './kit.ts'

// Every deviation of an authorization request, of the exchange of a code, of the use of a refresh
// token and of a client's own token request, and every pair of deviations: more than 700 variants.
// None may give a code or a token, cause an error of the server, or send the browser elsewhere.
let bank: RunningServer
/** A browser in which Ada has logged in and consented, so that a right request gives a code. */
let browser: ABrowser
beforeAll(async () => {
  bank = await aRunningServer()
  const other = {
    clientId: 'other',
    label: 'Other',
    scopes: ['accounts:read'],
    grantTypes: ['authorization_code', 'refresh_token'] as const,
    redirectUris: ['http://127.0.0.1:3999/callback'],
  }
  await seedClient(bank.pool, other, new Date())
  browser = new ABrowser()
  const ada = { username: 'ada', password: adasPassword }
  await browser.through(authorizeUrl(rightRequest()), [ada, { decision: 'allow' }])
})
afterAll(async () => {
  expect(bank.failures).toEqual([])
  await bank.stop()
})

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** The parameters of a request; a list repeats the parameter, and undefined leaves it out. */
type Form = Record<string, string | readonly string[] | undefined>
type Change = (form: Form) => void
const set = (name: string, value: Form[string]) => (form: Form) => {
  form[name] = value
}
const twice = (name: string) => (form: Form) => {
  form[name] = [String(form[name]), String(form[name])]
}

/** Each deviation alone, and each pair. If both change the same member, the second counts. */
function variantsOf(deviations: Record<string, Change>): [string, readonly Change[]][] {
  const all = Object.entries(deviations)
  return [
    ...all.map(([name, change]): [string, Change[]] => [name, [change]]),
    ...all.flatMap(([first, change], at) =>
      all
        .slice(at + 1)
        .map(([second, other]): [string, Change[]] => [`${first} and ${second}`, [change, other]]),
    ),
  ]
}

function changed(form: Form, changes: readonly Change[]): Form {
  for (const change of changes) change(form)
  return form
}

function parametersOf(form: Form): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    for (const each of value === undefined ? [] : [value].flat()) parameters.append(name, each)
  }
  return parameters
}

const rightRequest = (): Form => ({
  response_type: 'code',
  client_id: 'web',
  redirect_uri: callback,
  scope: 'accounts:read',
  code_challenge: challenge,
  code_challenge_method: 'S256',
})
const authorizeUrl = (form: Form) =>
  new URL(`/oauth/authorize?${parametersOf(form).toString()}`, bank.issuer)

async function aCode(): Promise<string> {
  const at = await browser.visit(authorizeUrl(rightRequest()))
  return at.searchParams.get('code')!
}

const deviatingRequests: Record<string, Change> = {
  'no response type': set('response_type', undefined),
  'an empty response type': set('response_type', ''),
  'an implicit response': set('response_type', 'token'),
  'a hybrid response': set('response_type', 'code token'),
  'no client': set('client_id', undefined),
  'an unknown client': set('client_id', 'nobody'),
  'another client': set('client_id', 'other'),
  'a client without users': set('client_id', 'narrow'),
  'another redirect URI': set('redirect_uri', 'https://thief.example/callback'),
  'a longer redirect URI': set('redirect_uri', `${callback}/x`),
  'a redirect URI with a query': set('redirect_uri', `${callback}?x=1`),
  'a redirect URI with a fragment': set('redirect_uri', `${callback}#x`),
  'a redirect URI with a user': set('redirect_uri', 'http://127.0.0.1:3000@thief.example/callback'),
  'a redirect URI with dots': set('redirect_uri', `${callback}/../callback`),
  'a redirect URI with another port': set('redirect_uri', 'http://127.0.0.1:3001/callback'),
  'a redirect URI with a script': set('redirect_uri', 'javascript:alert(1)'),
  'no code challenge': set('code_challenge', undefined),
  'a code challenge that is too short': set('code_challenge', 'x'),
  'a plain code challenge': set('code_challenge_method', 'plain'),
  'no method of the code challenge': set('code_challenge_method', undefined),
  'a response in the fragment': set('response_mode', 'fragment'),
  'another resource': set('resource', 'https://other.example'),
  'an unknown prompt': set('prompt', 'anything'),
  'a negative age': set('max_age', '-1'),
  'a request that is no JWT': set('request', 'x'),
  'a request URI that was not pushed': set('request_uri', 'urn:ietf:params:oauth:request_uri:x'),
  'a request at a foreign URI': set('request_uri', 'https://thief.example/request'),
  'two clients': twice('client_id'),
  'two redirect URIs': twice('redirect_uri'),
  'two code challenges': twice('code_challenge'),
}

test('no deviating authorization request gives a code', async () => {
  expect(await aCode()).toBeTruthy()
  const variants = variantsOf(deviatingRequests)
  expect(variants.length).toBeGreaterThan(400)
  for (const [name, changes] of variants) {
    const at = await browser.visit(authorizeUrl(changed(rightRequest(), changes)))
    expect(at.searchParams.get('code'), name).toBeNull()
    expect(at.hash, name).not.toMatch(/code=|_token=/)
    expect([200, 303, 400], name).toContain(browser.status)
    // Errors are sent to a registered redirect URI, or are shown on a page of the server.
    expect([bank.issuer, 'http://127.0.0.1:3000', 'http://127.0.0.1:3999'], name).toContain(
      at.origin,
    )
  }
  expect(await aCode()).toBeTruthy()
}, 120_000)

const deviatingExchanges: Record<string, Change> = {
  'no grant type': set('grant_type', undefined),
  'the grant type of refresh tokens': set('grant_type', 'refresh_token'),
  'the grant type of clients': set('grant_type', 'client_credentials'),
  'the grant type of passwords': set('grant_type', 'password'),
  'no code': set('code', undefined),
  'an empty code': set('code', ''),
  'an unknown code': set('code', randomBytes(32).toString('base64url')),
  'no code verifier': set('code_verifier', undefined),
  'another code verifier': set('code_verifier', randomBytes(32).toString('base64url')),
  'the code challenge': set('code_verifier', challenge),
  'another client': set('client_id', 'other'),
  'an unknown client': set('client_id', 'nobody'),
  'a client with a wrong secret': set('client_id', 'narrow'),
  'another redirect URI': set('redirect_uri', 'http://127.0.0.1:3999/callback'),
  'another resource': set('resource', 'https://other.example'),
  'an assertion that is no JWT': (form) => {
    form['client_assertion'] = 'x'
    form['client_assertion_type'] = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  },
  'a secret': set('client_secret', 'x'.repeat(43)),
  'two codes': twice('code'),
  'two clients': twice('client_id'),
}

const exchangeOf = (code: string): Form => ({
  grant_type: 'authorization_code',
  client_id: 'web',
  redirect_uri: callback,
  code_verifier: verifier,
  code,
})

async function token(form: Form, headers: Record<string, string> = {}) {
  const body = parametersOf(form)
  const answer = await fetch(`${bank.issuer}/oauth/token`, { method: 'POST', body, headers })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}

/** Sends each variant of a form. None may be answered with a token, or with an error of the server. */
async function expectRefusals(
  deviations: Record<string, Change>,
  formOf: () => Form | Promise<Form>,
  headers: Record<string, string> = {},
): Promise<number> {
  const variants = variantsOf(deviations)
  for (const [name, changes] of variants) {
    const answer = await token(changed(await formOf(), changes), headers)
    expect([400, 401, 429], `${name} ${JSON.stringify(answer.body)}`).toContain(answer.status)
    expect(answer.body, name).not.toHaveProperty('access_token')
    expect(typeof answer.body['error'], name).toBe('string')
  }
  return variants.length
}

test('no deviating exchange of a code gives a token', async () => {
  const count = await expectRefusals(deviatingExchanges, async () => exchangeOf(await aCode()))
  expect(count).toBeGreaterThan(150)
  expect((await token(exchangeOf(await aCode()))).status).toBe(200)
}, 120_000)

test('no deviating use of a refresh token gives a token', async () => {
  const first = (await token(exchangeOf(await aCode()))).body
  const deviations: Record<string, Change> = {
    'no grant type': set('grant_type', undefined),
    'the grant type of codes': set('grant_type', 'authorization_code'),
    'no token': set('refresh_token', undefined),
    'an unknown token': set('refresh_token', randomBytes(32).toString('base64url')),
    'an access token': set('refresh_token', first['access_token']),
    'another client': set('client_id', 'other'),
    'an unknown client': set('client_id', 'nobody'),
    'more scopes': set('scope', 'accounts:read postings:write'),
    'a scope of the bank': set('scope', 'credit:decide'),
    'another resource': set('resource', 'https://other.example'),
    'two tokens': twice('refresh_token'),
  }
  const count = await expectRefusals(deviations, async () => {
    const { body } = await token(exchangeOf(await aCode()))
    return {
      grant_type: 'refresh_token',
      client_id: 'web',
      refresh_token: body['refresh_token'],
    }
  })
  expect(count).toBe(66)
}, 120_000)

test('no deviating request of a client for itself gives a token', async () => {
  const deviations: Record<string, Change> = {
    'no grant type': set('grant_type', undefined),
    'the grant type of codes': set('grant_type', 'authorization_code'),
    'the grant type of token exchange': set(
      'grant_type',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ),
    'a scope that it does not have': set('scope', 'postings:write'),
    'an unknown scope': set('scope', 'everything'),
    'another resource': set('resource', 'https://other.example'),
    'another client in the form': set('client_id', 'wide'),
    'a secret in the form as well': set('client_secret', 'x'.repeat(43)),
    'two grant types': twice('grant_type'),
  }
  const right = (): Form => ({ grant_type: 'client_credentials' })
  const headers = basic('narrow', bank.secret)
  expect((await token(right(), headers)).status).toBe(200)
  expect(await expectRefusals(deviations, right, headers)).toBe(45)
  expect((await token(right(), headers)).status).toBe(200)
}, 120_000)
