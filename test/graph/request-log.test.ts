/** The log of requests: complete, own ones only, and without what a person has written. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import Fastify from 'fastify'
import { createBodyMask } from '../../gateway/body-mask.ts'
import { logRequests, noteRequest } from '../../gateway/request-log.ts'
import { eventually } from '../kit/eventually.ts'
import { aCaller } from '../kit/subgraph.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import type { Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

interface Logged {
  operation: string
  status: number
  code: string | null
  [member: string]: unknown
}

const query = `query Log($filter: LoggedRequestFilter) { loggedRequests(filter: $filter, first: 50) { nodes {
  entryId clientId subject method path operation status durationMs idempotencyKey requestId code requestBody responseBody } } }`

async function logged(token: string, filter: object = {}): Promise<Logged[]> {
  const { body } = await bank.graph(query, { filter }, { token })
  expect(body.errors).toBeUndefined()
  return body.data.loggedRequests.nodes
}

const tokenOf = (clientId: string, scopes?: string[]) =>
  bank.token({ clientId, ...(scopes && { scopes: scopes as never }) })

test('has requests over REST and in the graph, accepted and rejected', async () => {
  const token = tokenOf('shop')
  const note = {
    partyId: 'pty_ada',
    channel: 'email',
    templateCode: 'tpl_welcome',
    personalization: { name: 'Secret' },
  }
  await bank.rest('POST', '/v1/notifications', note, {
    token,
    key: 'log-1',
    headers: { 'x-request-id': 'my-request' },
  })
  await bank.rest('POST', '/v1/notifications', { ...note, channel: 'fax' }, { token, key: 'log-2' })
  await bank.rest('GET', '/v1/agreements?partyId=pty_ada&pageSize=1', undefined, { token })
  await bank.graph(
    'query Named($id: ID!) { party(partyId: $id) { displayName } }',
    { id: 'pty_ada' },
    { token },
  )
  await bank.graph('{ party(partyId: 1.5) { nothing } }', {}, { token })
  const entries = await eventually(async () => {
    const found = (await logged(token)).filter(({ operation }) => operation !== 'Log')
    return found.length >= 5 && found
  })
  expect(
    entries.map(({ method, path, operation, status, code }) => [
      method,
      path,
      operation,
      status,
      code,
    ]),
  ).toEqual([
    ['POST', '/graphql', 'query', 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['POST', '/graphql', 'Named', 200, null],
    ['GET', '/v1/agreements?partyId=pty_ada&pageSize=1', 'agreements', 200, null],
    ['POST', '/v1/notifications', 'createNotification', 400, 'VALIDATION_FAILED'],
    ['POST', '/v1/notifications', 'createNotification', 201, null],
  ])
  const [first] = await logged(token, { requestId: 'my-request' })
  expect(first).toMatchObject({
    clientId: 'shop',
    idempotencyKey: 'log-1',
    durationMs: expect.any(Number),
  })
  expect(JSON.parse(first!['requestBody'] as string)).toEqual({
    ...note,
    personalization: { name: '…' },
  })
  expect(JSON.parse(first!['responseBody'] as string)).toMatchObject({
    partyId: 'pty_ada',
    status: 'queued',
  })
  expect(await logged(token, { idempotencyKey: 'log-2', isRejected: true })).toHaveLength(1)
  expect(await logged(token, { operation: 'Named', isRejected: true })).toHaveLength(0)
})

test('shows each client its own requests, and all of them to operations', async () => {
  const shop = tokenOf('shop-a', ['parties:read'])
  await bank.graph('query Mine { party(partyId: "pty_ada") { partyId } }', {}, { token: shop })
  await eventually(async () => (await logged(shop, { operation: 'Mine' })).length === 1)
  const other = tokenOf('shop-b', ['parties:read'])
  expect(await logged(other, { operation: 'Mine' })).toEqual([])
  const { body } = await bank.graph(query, { filter: { clientId: 'shop-a' } }, { token: other })
  expect(body.errors[0].extensions).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    scope: 'operations:read',
  })
  const operations = tokenOf('shop-b', ['operations:read'])
  expect(await logged(operations, { clientId: 'shop-a', operation: 'Mine' })).toHaveLength(1)
  const every =
    '{ loggedRequests(ofAllClients: true, filter: { operation: "Mine" }) { nodes { clientId } } }'
  const seen = await bank.graph(every, {}, { token: operations })
  expect(seen.body.data.loggedRequests.nodes).toEqual([{ clientId: 'shop-a' }])
  const hidden = await bank.graph(every, {}, { token: other })
  expect(hidden.body.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE')
  const customer = await bank.graph(query, {}, { token: bank.token({ partyId: 'pty_ada' }) })
  expect(customer.body.errors[0].extensions.code).toBe('NOT_FOR_DELEGATED_USERS')
})

test('contains nothing that a person has written', async () => {
  const canary = 'Canary'
  const token = tokenOf('canaries')
  const party = {
    kind: 'PERSON',
    givenName: canary,
    familyName: canary,
    dateOfBirth: '1971-07-17',
    contactPoints: [{ channel: 'EMAIL', address: `${canary}@example.com` }],
  }
  await bank.graph(
    'mutation ($input: CreatePartyInput!) { createParty(input: $input) { displayName contactPoints { address } } }',
    { input: party },
    { token },
  )
  await bank.graph(
    `mutation { createParty(input: { kind: PERSON, givenName: "${canary}", familyName: "\\"${canary}" }) { displayName } }`,
    {},
    { token },
  )
  const search = encodeURIComponent(`{ parties(search: "${canary}") { nodes { displayName } } }`)
  await fetch(`${bank.url}/graphql?query=${search}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await bank.rest(
    'POST',
    '/v1/posting-instructions',
    {
      debtorArrangementId: 'arr_ada_current',
      creditorArrangementId: 'arr_ada_savings',
      amount: { amount: '1.00', currency: 'EUR' },
      remittanceInformation: canary,
      counterparty: { name: canary },
      // These names are those of codes and IDs elsewhere.
      metadata: { partyId: canary, code: 19710717, list: [canary, { status: canary }] },
    },
    { token, key: 'canary-1' },
  )
  const note = { partyId: 'pty_ada', channel: 'email', templateCode: 'tpl_welcome' }
  const personalization = { name: canary, code: canary, amount: { currency: canary } }
  await bank.rest('POST', '/v1/notifications', { ...note, personalization }, { token, key: 'n-1' })
  // The client chooses the names of variables and of members of the response.
  await bank.graph(
    `query ($status: String, $code: Date) { # ${canary}
      parties(search: $status, first: 1) { nodes { code: displayName type: displayName } } }`,
    { status: canary, code: '1971-07-17' },
    { token },
  )
  const registration = await bank.graph(
    `mutation { registerOAuthClient(input: { label: "${canary}", scopes: ["parties:read"] }) { secret client { clientId } } }`,
    {},
    { token: bank.token({ clientId: 'canaries', subject: 'olga' }) },
  )
  const { secret } = registration.body.data.registerOAuthClient
  await bank.rest('GET', `/v1/agreements?partyId=pty_ada&note=${canary}`, undefined, { token })
  await bank.rest(
    'POST',
    '/v1/ai/assist/sessions/ses_ada/messages',
    { content: canary },
    { token, key: 'canary-2' },
  )
  const rows = await eventually(async () => {
    const found = await bank.bank.pool.query(
      `select * from kernel.request_log where client_id = 'canaries'`,
    )
    return found.rows.length >= 9 && found.rows
  })
  const text = JSON.stringify(rows)
  expect(text).not.toContain(canary)
  expect(text).not.toContain('1971')
  expect(secret.length).toBeGreaterThan(20)
  expect(text).not.toContain(secret)
  expect(rows.every((row) => row.request_body !== null || row.method === 'GET')).toBe(true)
})

test('keeps the other entries whatever the values of an entry contain', async () => {
  const app = Fastify()
  const mask = createBodyMask(bank.schema)
  logRequests(app, bank.bank, mask)
  const caller = aCaller({ clientId: 'odd' })
  app.post<{ Querystring: { key: string } }>('/', (request) => {
    const idempotencyKey = request.query.key
    noteRequest(request, { caller, operation: 'odd', idempotencyKey, document: null })
    return { code: '\u001E\u001F\\N' }
  })
  const keys = [
    '',
    'a\u001Eb',
    '\u001F\u001F',
    'c\nd\u0000',
    '\u001E',
    '\\N',
    '{"a,b"}',
    '\uD800',
    'NULL',
  ]
  for (const key of keys) await app.inject({ method: 'POST', url: '/', query: { key } })
  await app.close()
  const sql = `select idempotency_key as key, operation, status, response_body as body
    from kernel.request_log where client_id = 'odd' order by entry_id`
  const { rows } = await bank.bank.pool.query(sql)
  const kept = [null, 'a b', '  ', 'c d ', ' ', '\\N', '{"a,b"}', '\uFFFD', 'NULL']
  const body = JSON.stringify({ code: '\u001E\u001F\\N' })
  expect(rows).toEqual(kept.map((key) => ({ key, operation: 'odd', status: 200, body })))
})

test('is off if the setting says so', async () => {
  const silent = await aSeededPlatform('sandbox', true, { REQUEST_LOG: 'off' })
  await silent.rest('GET', '/v1/agreements', undefined)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect((await silent.bank.pool.query('select 1 from kernel.request_log')).rows).toEqual([])
  await silent.stop()
})
