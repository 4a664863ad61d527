// Pages of the bank's web apps call it from a browser, and people come back to them; others do not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../subgraphs/_kernel/config.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'

test.each(['app.example', 'https://app.example/', 'https://app.example,*', 'ftp://app.example'])(
  'WEB_APPS is not %s',
  (text) => {
    expect(() => parseConfig({ WEB_APPS: text })).toThrow(/WEB_APPS must be addresses/)
  },
)

/** What a browser is told before a page of this address asks the graph, and with its answer. */
async function allowedFor(bank: Platform, page: string): Promise<(string | null)[]> {
  const origin = { origin: page }
  const headers = { ...origin, 'access-control-request-method': 'POST' }
  const wanted = { 'access-control-request-headers': 'authorization,content-type,idempotency-key' }
  const preflight = await fetch(`${bank.url}/graphql`, {
    method: 'OPTIONS',
    headers: { ...headers, ...wanted },
  })
  const answer = await fetch(`${bank.url}/graphql`, {
    method: 'POST',
    headers: {
      ...origin,
      authorization: `Bearer ${bank.token()}`,
      'content-type': 'application/json',
    },
    body: '{"query":"{ jobs { name } }"}',
  })
  expect(answer.status).toBe(200)
  const asked = await fetch(`${bank.url}/oauth/token`, {
    method: 'POST',
    headers: origin,
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'bankgraph-web' }),
  })
  return [preflight, answer, asked].map((each) => each.headers.get('access-control-allow-origin'))
}

/** Whether people may be sent back to this address after they logged in. */
async function comesBackTo(bank: Platform, redirectUri: string): Promise<boolean> {
  const question = new URLSearchParams({
    response_type: 'code',
    client_id: 'bankgraph-web',
    redirect_uri: redirectUri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const answer = await fetch(`${bank.url}/oauth/authorize?${question}`, { redirect: 'manual' })
  return answer.status === 303
}

const nobody = [null, null, null]
const page = 'https://app.bank.example'

describe('in the sandbox', () => {
  let banks: Platform[]
  beforeAll(async () => {
    const told = { WEB_APPS: `${page}, http://localhost:8080` }
    banks = await Promise.all([
      aPlatform('sandbox', undefined, true),
      aPlatform('sandbox', undefined, true, told),
    ])
  })
  afterAll(() => Promise.all(banks.map((bank) => bank.stop())))

  test.each(['http://127.0.0.1:3000', 'http://localhost:5173'])(
    'a development server at %s is one, unless others are named',
    async (server) => {
      const [untold, told] = banks as [Platform, Platform]
      expect(await allowedFor(untold, server)).toEqual([server, server, server])
      expect(await comesBackTo(untold, `${server}/callback`)).toBe(true)
      expect(await comesBackTo(untold, `${server}/elsewhere`)).toBe(false)
      expect(await allowedFor(told, server)).toEqual(nobody)
      expect(await comesBackTo(told, `${server}/callback`)).toBe(false)
    },
  )

  test('those that are named are', async () => {
    const [untold, told] = banks as [Platform, Platform]
    expect(await allowedFor(told, page)).toEqual([page, page, page])
    expect(await comesBackTo(told, 'http://localhost:8080/callback')).toBe(true)
    expect(await allowedFor(untold, page)).toEqual(nobody)
    expect(await allowedFor(told, 'https://studio.apollographql.com')).not.toEqual(nobody)
  })
})

test('in live they are who is named, and nobody else', async () => {
  const bank = await aPlatform('live', undefined, true, { WEB_APPS: page })
  expect((await allowedFor(bank, page)).slice(0, 2)).toEqual([page, page])
  for (const other of ['http://127.0.0.1:3000', 'https://studio.apollographql.com', 'null']) {
    expect((await allowedFor(bank, other)).slice(0, 2)).toEqual([null, null])
  }
  await bank.stop()
})
