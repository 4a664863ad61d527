// Each error of the graph has the members that a problem over REST has: code, status, retryable, requestId.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('sandbox')
})
afterAll(() => bank.stop())

const transfer = `mutation { createTransfer(input: { debtorArrangementId: "arr_none",
  creditorArrangementId: "arr_other", amount: { amount: "1.00", currency: "EUR" } }) { state } }`

test.each([
  ['a field that fails', transfer, {}, 422],
  ['a missing scope', '{ agents(first: 1) { nodes { agentId } } }', { scopes: [] }, 403],
  ['a document that is not valid', '{ nothing }', {}, 400],
  ['a document that cannot be parsed', '{', {}, 400],
  [
    'a value that is not valid',
    'mutation { createParty(input: { kind: PERSON, givenName: "" }) { partyId } }',
    {},
    400,
  ],
])('%s', async (_name, query, client, status) => {
  const headers = { 'x-request-id': 'request-of-a-test', 'sandbox-strict': 'true' }
  const token = bank.token(client as object)
  const { body } = await bank.graph(query, {}, { token, headers })
  expect(body.errors.length).toBeGreaterThan(0)
  for (const { extensions } of body.errors) {
    expect(extensions).toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
      status,
      retryable: false,
      requestId: 'request-of-a-test',
    })
  }
})

test('a request without a token', async () => {
  const { status, body } = await bank.graph('{ agents { nodes { agentId } } }', {}, { token: null })
  const [{ extensions }] = body.errors
  expect([status, extensions.status]).toEqual([401, 401])
  expect(extensions.requestId).toEqual(expect.any(String))
})

test('a subscription that a socket rejects, whose ID is in the audit log', async () => {
  const client = bank.socket(bank.token({ scopes: [] }))
  const errors = await new Promise<any>((resolve, reject) => {
    client.subscribe(
      { query: 'subscription { businessEvents { type } }' },
      { next: reject, error: resolve, complete: () => reject(new Error('It was not rejected.')) },
    )
  })
  await client.dispose()
  const [{ extensions }] = errors
  expect(extensions).toMatchObject({ code: 'INSUFFICIENT_SCOPE', status: 403 })
  await expect
    .poll(
      async () => {
        const recorded = 'select operation, code from kernel.refusal where request_id = $1'
        return (await bank.bank.pool.query(recorded, [extensions.requestId])).rows
      },
      { timeout: 15_000 },
    )
    .toEqual([{ operation: 'WebSocket /graphql', code: 'INSUFFICIENT_SCOPE' }])
})

test('an event that cannot be subscribed to over server-sent events', async () => {
  const { body } = await bank.graph('subscription { businessEvents(after: "-1") { type } }')
  const [{ extensions }] = body.errors
  expect(extensions).toMatchObject({ status: expect.any(Number), requestId: expect.any(String) })
})
