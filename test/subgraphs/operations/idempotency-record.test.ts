import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSampleBank, goodBody, unique, type SampleBank } from '../../contract/kit.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live')
})
afterAll(() => bank.stop())

const document = `query ($key: String!, $operation: String) {
  idempotencyRecord(key: $key, operation: $operation) { key operation resourceId createdAt } }`

async function record(key: string, operation?: string, options = {}) {
  const { body } = await bank.graph(document, { key, operation }, options)
  if (body.errors) return body.errors[0].extensions.code
  return body.data.idempotencyRecord
}

const notify = (key: string, options = {}) =>
  bank.rest('POST', '/notifications', goodBody('POST /notifications'), { key, ...options })

test('returns the record that the request with the key created', async () => {
  const key = unique('key')
  expect(await record(key)).toBeNull()
  const from = new Date().toISOString()
  const { body } = await notify(key)
  const found = await record(key)
  expect(found).toEqual({
    key,
    operation: 'createNotification',
    resourceId: body.notificationId,
    createdAt: expect.any(String),
  })
  expect(found.createdAt >= from).toBe(true)
  await notify(key)
  expect(await record(key)).toEqual(found)
})

test('returns null for a request that was rejected', async () => {
  const key = unique('key')
  const unknown = { ...goodBody('POST /notifications'), partyId: 'pty_nobody' }
  expect((await bank.rest('POST', '/notifications', unknown, { key })).status).toBe(422)
  expect(await record(key)).toBeNull()
})

test('returns the last of several operations under one key, or the one that is named', async () => {
  const key = unique('key')
  await notify(key)
  const { body } = await bank.rest(
    'POST',
    '/product-catalog/products',
    goodBody('POST /product-catalog/products'),
    { key },
  )
  expect(await record(key)).toMatchObject({
    operation: 'createProduct',
    resourceId: body.productId,
  })
  expect(await record(key, 'createNotification')).toMatchObject({ operation: 'createNotification' })
  expect(await record(key, 'createParty')).toBeNull()
  expect(await record(key, "create'Party")).toBeNull()
})

test('hides the keys of other clients and of other users of the same client', async () => {
  const key = unique('key')
  const ada = bank.token({ partyId: 'pty_ada', clientId: 'app' })
  expect((await notify(key, { token: ada })).status).toBe(201)
  const others = [
    bank.token({ clientId: 'app' }),
    bank.token({ partyId: 'pty_grace', clientId: 'app' }),
    bank.token({ partyId: 'pty_ada', clientId: 'other' }),
    bank.token({ clientId: 'app#pty_ada' }),
    bank.token({ clientId: '["app","pty_ada"]' }),
    bank.token({ clientId: 'app","pty_ada' }),
    bank.token(),
  ]
  for (const token of others) expect(await record(key, undefined, { token })).toBeNull()
  expect(await record(key, undefined, { token: ada })).toMatchObject({ key })
})

test('requires a token, but no scope', async () => {
  const key = unique('key')
  const scopes = ['notifications:write'] as const
  const token = bank.token({ scopes })
  await notify(key, { token })
  expect(await record(key, undefined, { token })).toMatchObject({ key })
  expect(await record(key, undefined, { token: null })).toBe('UNAUTHENTICATED')
})

test.each([[''], ['a b'], ['é'], ['x'.repeat(81)]])(
  'rejects a key that no request can have: %j',
  async (key) => {
    expect(await record(key)).toBe('IDEMPOTENCY_KEY_INVALID')
  },
)
