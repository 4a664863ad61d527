import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aRunningServer, basic, callback, type RunningServer } from './kit.ts'

let bank: RunningServer
beforeAll(async () => {
  bank = await aRunningServer()
})
afterAll(async () => {
  await bank.stop()
})

const form = 'application/x-www-form-urlencoded'
const good = (changes: Record<string, string> = {}) => {
  const client = { client_id: 'narrow', client_secret: bank.secret }
  return new URLSearchParams({ grant_type: 'client_credentials', ...client, ...changes }).toString()
}
const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': form, ...headers },
})
const get = (accept = '*/*'): RequestInit => ({ headers: { accept } })
const json = { 'content-type': 'application/json' }
const token = '/oauth/token'
const authorize = '/oauth/authorize'

const cases: [string, string, () => RequestInit, number, string][] = [
  ['GET', token, get, 405, 'invalid_request'],
  ['DELETE', token, () => ({ method: 'DELETE' }), 405, 'invalid_request'],
  ['JSON', token, () => post('{}', json), 400, 'invalid_request'],
  ['an empty body', token, () => post(''), 400, 'invalid_request'],
  ['2 MB', token, () => post('x='.padEnd(2e6, 'y')), 400, 'invalid_request'],
  ['10,000 parameters', token, () => post('a=b&'.repeat(10_000)), 400, 'invalid_request'],
  [
    'malformed Basic credentials',
    token,
    () => post('', { authorization: 'Basic %' }),
    400,
    'invalid_request',
  ],
  [
    'Basic credentials without a colon',
    token,
    () => post('', { authorization: 'Basic YWJj' }),
    400,
    'invalid_request',
  ],
  ['a bearer token', token, () => post('', { authorization: 'Bearer x' }), 400, 'invalid_request'],
  [
    'two authentication methods',
    token,
    () => post(good(), basic('narrow', bank.secret)),
    400,
    'invalid_request',
  ],
  ['a parameter twice', token, () => post(`${good()}&client_id=x`), 400, 'invalid_request'],
  ['a NUL client id', token, () => post(good({ client_id: '\0' })), 401, 'invalid_client'],
  [
    'the client id __proto__',
    token,
    () => post(good({ client_id: '__proto__' })),
    401,
    'invalid_client',
  ],
  [
    'a client id of 10 KB',
    token,
    () => post(good({ client_id: 'x'.repeat(1e4) })),
    401,
    'invalid_client',
  ],
  [
    'an unknown grant type',
    token,
    () => post(good({ grant_type: 'a' })),
    400,
    'unsupported_grant_type',
  ],
  [
    'the grant type __proto__',
    token,
    () => post(good({ grant_type: '__proto__' })),
    400,
    'unsupported_grant_type',
  ],
  ['no grant type', token, () => post(good({ grant_type: '' })), 400, 'invalid_request'],
  ['another resource', token, () => post(good({ resource: 'urn:x' })), 400, 'invalid_target'],
  ['Accept: text/html', token, () => post('', { accept: 'text/html' }), 400, 'invalid_request'],
  ['an unknown path', '/oauth/else', get, 404, 'invalid_request'],
  ['no parameters', authorize, get, 400, 'invalid_request'],
  ['NUL as client', `${authorize}?client_id=%00`, get, 400, 'invalid_client'],
  ['a client without redirect URIs', `${authorize}?client_id=narrow`, get, 400, 'invalid_request'],
  ['resuming an unknown interaction', `${authorize}/%00`, get, 400, 'invalid_request'],
]
test.each(cases)('rejects %s at %s with a JSON error', async (_, path, init, status, error) => {
  const response = await fetch(bank.issuer + path, { redirect: 'manual', ...init() })
  const text = await response.text()
  expect(response.status, text).toBe(status)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(JSON.parse(text)).toMatchObject({ error })
  expect(text).not.toMatch(/node_modules|at .*:\d+|"stack"/)
  expect(bank.failures).toEqual([])
})

test.each(['state', 'nonce', 'login_hint', 'ui_locales', 'scope', 'code_challenge'])(
  'NUL and invalid UTF-8 in %s cause no server error',
  async (name) => {
    for (const odd of ['%00', 'a%00b', '%ED%A0%BD', '%F0%9F%91']) {
      const input = new URLSearchParams({
        client_id: 'web',
        response_type: 'code',
        redirect_uri: callback,
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      })
      input.delete(name)
      const url = `${bank.issuer}${authorize}?${input.toString()}&${name}=${odd}`
      const { status } = await fetch(url, { redirect: 'manual' })
      expect(status, odd).toBeLessThan(500)
    }
    expect(bank.failures).toEqual([])
  },
)

test.each([
  ['else', 400],
  ['null', 400],
  ['own', 200],
])('a request with the origin "%s" returns %i', async (from, status) => {
  const origin = { else: 'http://else.example', null: 'null', own: bank.issuer }[from]!
  // fetch would not send the Origin header as it is.
  const answered = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-type': form, origin }
    request(bank.issuer + token, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end(good())
  })
  expect(answered).toBe(status)
})

test('returns a masked JSON error and logs the failure when the database fails', async () => {
  await bank.pool.query('alter table oauth.client rename to gone')
  const response = await fetch(bank.issuer + token, post(good()))
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: 'server_error' })
  expect(bank.failures).toHaveLength(1)
})
