// Only pages of configured web apps may call the bank from a browser and receive redirects.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../kernel/environment/config.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'

test.each(['app.example', 'https://app.example/', 'https://app.example,*', 'ftp://app.example'])(
  'rejects the WEB_APPS setting %s',
  (text) => {
    expect(() => parseConfig({ WEB_APPS: text })).toThrow(
      /WEB_APPS must be a comma-separated list of origins/,
    )
  },
)

/** The CORS origin allowed in a preflight, in a GraphQL response and in a token response. */
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
  const request = await fetch(`${bank.url}/oauth/token`, {
    method: 'POST',
    headers: origin,
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'bankgraph-web' }),
  })
  return [preflight, answer, request].map((each) => each.headers.get('access-control-allow-origin'))
}

/** Whether the authorization endpoint accepts this redirect URI. */
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

describe('Web apps in the sandbox', () => {
  let banks: Platform[]
  beforeAll(async () => {
    const settings = { WEB_APPS: `${page}, http://localhost:8080` }
    banks = await Promise.all([
      aPlatform('sandbox', undefined, true),
      aPlatform('sandbox', undefined, true, settings),
    ])
  })
  afterAll(() => Promise.all(banks.map((bank) => bank.stop())))

  test.each(['http://127.0.0.1:3000', 'http://localhost:5173'])(
    'allows a development server at %s, unless WEB_APPS is set',
    async (server) => {
      const [unpublished, published] = banks as [Platform, Platform]
      expect(await allowedFor(unpublished, server)).toEqual([server, server, server])
      expect(await comesBackTo(unpublished, `${server}/callback`)).toBe(true)
      expect(await comesBackTo(unpublished, `${server}/elsewhere`)).toBe(false)
      expect(await allowedFor(published, server)).toEqual(nobody)
      expect(await comesBackTo(published, `${server}/callback`)).toBe(false)
    },
  )

  test('allows the origins in WEB_APPS', async () => {
    const [unpublished, published] = banks as [Platform, Platform]
    expect(await allowedFor(published, page)).toEqual([page, page, page])
    expect(await comesBackTo(published, 'http://localhost:8080/callback')).toBe(true)
    expect(await allowedFor(unpublished, page)).toEqual(nobody)
    expect(await allowedFor(published, 'https://studio.apollographql.com')).not.toEqual(nobody)
  })
})

test('allows only the origins in WEB_APPS in live', async () => {
  const bank = await aPlatform('live', undefined, true, { WEB_APPS: page })
  expect((await allowedFor(bank, page)).slice(0, 2)).toEqual([page, page])
  for (const other of ['http://127.0.0.1:3000', 'https://studio.apollographql.com', 'null']) {
    expect((await allowedFor(bank, other)).slice(0, 2)).toEqual([null, null])
  }
  await bank.stop()
})
