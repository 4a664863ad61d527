/** Whatever the path, the query and the headers hold, the response is a documented one and nothing is stored. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RestAnswer } from '../kit/platform.ts'
import { aSampleBank, countRows, expectRefusal, goodBody, type SampleBank } from './kit.ts'

let bank: SampleBank
let before: number
beforeAll(async () => {
  // Rows are counted, so only requests may create any.
  bank = await aSampleBank('live', true)
})
afterAll(() => bank.stop())
beforeEach(async () => void (before = await countRows(bank)))

const welcome = () => goodBody('POST /notifications')!
const list = (query: string, path = '/agreements', options = {}) =>
  bank.rest('GET', `${path}${query}`, undefined, options)
const expectRefused = (answer: RestAnswer, status: number, code: string) =>
  expectRefusal(bank, before, answer, status, code)

describe('query parameters', () => {
  test.each(['0', '201', '-1', '1.5', '50%20', '1e2', '0x10', '', 'ten', '99999999999', '%2B5'])(
    'rejects pageSize=%s instead of clamping it',
    async (pageSize) => {
      const answer = await list(`?pageSize=${pageSize}`)
      await expectRefused(answer, 400, 'PAGE_SIZE_INVALID')
      expect(answer.body.errors[0].parameter).toBe('pageSize')
    },
  )

  test.each([
    ['?pageSize=5&pageSize=5', 'PAGE_SIZE_INVALID'],
    ['?pageSize[]=5', 'UNKNOWN_PROPERTY'],
    ['?status=draft&status=active', 'VALIDATION_FAILED'],
    ['?partyid=pty_ada', 'UNKNOWN_PROPERTY'],
    ['?__proto__=x', 'UNKNOWN_PROPERTY'],
    ['?constructor=x', 'UNKNOWN_PROPERTY'],
    ['?partyId=a%00b', 'VALIDATION_FAILED'],
    ['?partyId=%ff', 'VALIDATION_FAILED'],
    ['?partyId=', 'VALIDATION_FAILED'],
    ['?status=a%00b', 'VALIDATION_FAILED'],
    ['?access_token=x', 'UNKNOWN_PROPERTY'],
  ])('rejects %s', async (query, code) => {
    await expectRefused(await list(query), 400, code)
  })

  test.each([
    '/agreements/',
    '//agreements',
    '/agreements%2f',
    '/%zz',
    '/AGREEMENTS',
    '/v1/accounts',
  ])('answers the path %s with 404', async (path) => {
    await expectRefused(await list('', path), 404, 'ROUTE_NOT_FOUND')
  })
})

describe('headers', () => {
  test.each(['', 'k'.repeat(81), 'with blank', 'ключ'])(
    'rejects the idempotency key %j',
    async (key) => {
      // fetch has no other way to send non-ASCII bytes in a header.
      const sent = Buffer.from(key).toString('latin1')
      const answer = await bank.rest('POST', '/notifications', welcome(), { key: sent })
      await expectRefused(answer, 400, 'IDEMPOTENCY_KEY_INVALID')
      expect(answer.body.errors[0].header).toBe('Idempotency-Key')
    },
  )

  test('accepts an idempotency key of 80 characters', async () => {
    const key = 'k'.repeat(80)
    expect((await bank.rest('POST', '/notifications', welcome(), { key })).status).toBe(201)
  })

  test('rejects an invalid X-Request-Id where it is documented and replaces it elsewhere', async () => {
    const headers = { 'x-request-id': 'r'.repeat(81) }
    await expectRefused(await list('', '/agreements', { headers }), 400, 'REQUEST_ID_INVALID')
    const elsewhere = await list('', '/product-offers', { headers })
    expect(elsewhere.status).toBe(200)
    expect(elsewhere.headers.get('x-request-id')).not.toBe(headers['x-request-id'])
  })

  test('rejects a token in the query, in another scheme, or sent twice', async () => {
    const token = bank.token()
    const request = (headers: Record<string, string>) =>
      list('', '/agreements', { token: null, headers: { ...headers } })
    expect((await request({ authorization: `Basic ${token}` })).status).toBe(401)
    expect((await request({ authorization: `Bearer ${token}, Bearer ${token}` })).status).toBe(401)
    expect((await request({ authorization: 'Bearer' })).status).toBe(401)
    expect((await request({ authorization: `bearer ${token}` })).status).toBe(200)
    expect((await list(`?access_token=${token}`, '/agreements', { token: null })).status).toBe(401)
  })
})
