/** HTTP semantics: HEAD, OPTIONS, entity tags, compression, and a media type only where there is a body. */
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSampleBank, unique, type SampleBank } from './kit.ts'
import { documented } from './specification.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('sandbox')
})
afterAll(() => bank.stop())

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(bank.url + path, {
    method,
    headers: { authorization: `Bearer ${bank.token()}`, ...headers },
  })

test('HEAD returns the status and headers of GET without a body', async () => {
  for (const { method, path } of documented.filter((each) => each.method === 'GET')) {
    const [get, head] = [await send(method, `/v1${path}`), await send('HEAD', `/v1${path}`)]
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
  }
  for (const path of ['/openapi.json', '/problems', '/livez', '/docs']) {
    expect((await send('HEAD', path)).status, path).toBe(200)
  }
})

test('OPTIONS lists the methods of a path and answers an unknown path with 404', async () => {
  const known = await send('OPTIONS', '/v1/accounts')
  expect(known.status).toBe(204)
  expect(known.headers.get('allow')?.split(', ').toSorted()).toEqual([
    'GET',
    'HEAD',
    'OPTIONS',
    'POST',
  ])
  expect((await send('OPTIONS', '/v1/nowhere')).status).toBe(404)
})

test('GET with If-None-Match returns 304 while unchanged, and a new ETag afterwards', async () => {
  const path = '/v1/accounts'
  const first = await send('GET', path)
  const tag = first.headers.get('etag')!
  const again = await send('GET', path, { 'if-none-match': `"other", ${tag}` })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const key = { key: unique('key') }
  const opened = await bank.rest(
    'POST',
    path,
    { customerId: 'cus_ada', productId: 'prd_current' },
    key,
  )
  expect(opened.status, opened.text).toBe(200)
  const changed = await send('GET', path, { 'if-none-match': tag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(tag)
})

test('POST ignores If-None-Match and returns no ETag', async () => {
  const body = { customerId: 'cus_ada', productId: 'prd_current' }
  const headers = { 'if-none-match': '*' }
  const answer = await bank.rest('POST', '/v1/accounts', body, { key: unique('key'), headers })
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, null])
})

test('large responses are compressed for clients that accept gzip, small ones are not', async () => {
  const raw = await new Promise<{ headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(
        `${bank.url}/openapi.json`,
        { headers: { 'accept-encoding': 'gzip' } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }))
        },
      )
      sent.on('error', reject)
      sent.end()
    },
  )
  expect(raw.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(raw.body).toString()).openapi).toBe('3.1.0')
  expect((await send('GET', '/livez')).headers.get('content-encoding')).toBe(null)
})

test('POST without a body needs no Content-Type', async () => {
  const id = unique('app')
  const submitted = await send('POST', `/v1/credit-applications/${id}/submit`)
  expect(submitted.status, await submitted.text()).toBe(200)
  const profile = await send('POST', '/v1/routing-profiles', { 'idempotency-key': unique('key') })
  expect(profile.status).toBe(400)
})

test('a replayed error has the Idempotent-Replayed header', async () => {
  const key = unique('key')
  const body = {
    arrangementId: 'arr_money',
    direction: 'out',
    amount: { amount: '99999999999.00', currency: 'EUR' },
  }
  const first = await bank.rest('POST', '/v1/posting-instructions', body, { key })
  const again = await bank.rest('POST', '/v1/posting-instructions', body, { key })
  expect([first.status, again.status]).toEqual([422, 422])
  expect(first.headers.get('idempotent-replayed')).toBe(null)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test.each(['TRUE', 'True'])('Sandbox-Strict: %s disables provisioning', async (value) => {
  const body = { partyId: unique('pty'), channel: 'email', templateCode: 'welcome' }
  const headers = { 'sandbox-strict': value }
  const answer = await bank.rest('POST', '/v1/notifications', body, { key: unique('key'), headers })
  expect(answer.body.code).toBe('PARTY_NOT_FOUND')
})

test.each(['v-banana', '2026.13', '2026.0', '2026', '26.1'])(
  'rejects the product version %s, which is not a year and month',
  async (version) => {
    const body = {
      productId: unique('prd'),
      name: 'Everyday',
      productClass: 'current-account',
      status: 'active',
      version,
    }
    const answer = await bank.rest('POST', '/v1/product-catalog/products', body, {
      key: unique('key'),
    })
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, '/version'])
  },
)
