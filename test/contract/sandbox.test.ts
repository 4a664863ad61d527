/**
 * The sandbox provisions records that a request names and that do not exist, and reports them; with
 * `Sandbox-Strict: true`, and in live, it does not. The two environments share no path and no token.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../kit/absent.ts'
import { countEvents, countRows, aSampleBank, goodBody, unique, type SampleBank } from './kit.ts'
import { documented } from './specification.ts'

let sandbox: SampleBank
let live: SampleBank
beforeAll(async () => {
  sandbox = await aSampleBank('sandbox')
  live = await aSampleBank('live')
})
afterAll(async () => {
  await sandbox.stop()
  await live.stop()
})

interface Missing {
  operation: string
  member: string
  record: string
  code: string
  prefix: string
  /** The same operation in GraphQL. */
  mutation: string
  /** A query that finds the record. */
  look: string
}

const missing: readonly Missing[] = [
  {
    operation: 'POST /notifications',
    member: 'partyId',
    record: 'party',
    code: 'PARTY_NOT_FOUND',
    prefix: 'pty',
    mutation: 'createNotification',
    look: 'query ($id: ID!) { party(partyId: $id) { partyId } }',
  },
  {
    operation: 'POST /accounts',
    member: 'customerId',
    record: 'customer',
    code: 'CUSTOMER_NOT_FOUND',
    prefix: 'cus',
    mutation: 'openAccountArrangement',
    look: 'query ($id: ID!) { customer(customerId: $id) { customerId } }',
  },
  {
    operation: 'POST /accounts',
    member: 'productId',
    record: 'product',
    code: 'PRODUCT_NOT_FOUND',
    prefix: 'prd',
    mutation: 'openAccountArrangement',
    look: 'query ($id: ID!) { product(productId: $id) { productId } }',
  },
]

const titleCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** Sends the same request over REST or GraphQL. */
function sendRequest(bank: SampleBank, server: string, one: Missing, id: string, headers = {}) {
  const body: Record<string, unknown> & { channel?: string } = {
    ...goodBody(one.operation),
    [one.member]: id,
  }
  const options = { key: unique('key'), headers }
  if (server === 'REST') {
    const [method, path] = one.operation.split(' ') as [string, string]
    return bank.rest(method, bank.prefix + path, body, options)
  }
  const { channel } = body
  const input = {
    ...body,
    ...(channel && { channel: channel.toUpperCase() }),
  }
  const type = `${titleCase(one.mutation)}Input`
  const document = `mutation ($input: ${type}!) { ${one.mutation}(input: $input) { ${one.member} } }`
  return bank.graph(document, { input }, options)
}

const codeOf = ({ body }: { body: any }) => body.code ?? body.errors?.[0]?.extensions?.code
const cases = missing.flatMap((one) =>
  ['REST', 'graph'].map((server) => [one.record, one.operation, server, one] as const),
)

describe.each(cases)('an unknown %s in %s over %s', (_record, _name, server, one) => {
  test('is provisioned in the sandbox, once, and named in Sandbox-Provisioned', async () => {
    const id = unique(one.prefix)
    const first = await sendRequest(sandbox, server, one, id)
    expect(codeOf(first), first.text).toBeUndefined()
    expect(first.headers.get('sandbox-provisioned')).toBe(`${one.record}=${id}`)
    expect(first.text).toContain(id)
    const second = await sendRequest(sandbox, server, one, id)
    expect(codeOf(second)).toBeUndefined()
    expect(second.headers.get('sandbox-provisioned')).toBeNull()
    const { data } = (await sandbox.graph(one.look, { id })).body
    expect(data[one.record][one.member]).toBe(id)
  })

  test.each([
    ['in live', () => live, {}],
    ['in strict mode', () => sandbox, { 'sandbox-strict': 'true' }],
  ] as const)('is rejected %s, and nothing is created', async (_where, bankOf, headers) => {
    const bank = bankOf()
    const before = await countRows(bank)
    const id = unique(one.prefix)
    const answer = await sendRequest(bank, server, one, id, headers)
    expect(answer.status).toBe(server === 'REST' ? 422 : 200)
    expect(codeOf(answer)).toBe(one.code)
    const { errors, resourceId } =
      server === 'REST' ? answer.body : answer.body.errors[0].extensions
    expect(errors[0].pointer).toBe(server === 'REST' ? `/${one.member}` : `/input/${one.member}`)
    expect(resourceId).toBe(id)
    expect(answer.headers.get('sandbox-provisioned')).toBeNull()
    expect(await countRows(bank)).toBe(before)
  })
})

/**
 * It is provisioned as a loan with three paid installments and an undrawn part of the limit, so that
 * every operation works.
 */
describe('an unknown facility in a path', () => {
  const path = (id: string) => `/v1/facilities/${id}/drawdowns`
  const look = `query ($id: ID!) { loan(loanId: $id) { state available { amount }
    delinquency { stage } schedule { status } } }`

  test('is provisioned in the sandbox, once, ready for every operation', async () => {
    const id = unique('fac')
    const first = await sandbox.rest('POST', path(id), { amount: '10.00' })
    expect(first.status, first.text).toBe(200)
    expect(first.headers.get('sandbox-provisioned')).toBe(`facility=${id}`)
    const second = await sandbox.rest('POST', path(id), { amount: '10.00' })
    expect(second.headers.get('sandbox-provisioned')).toBeNull()
    const { loan } = (await sandbox.graph(look, { id })).body.data
    expect(loan).toMatchObject({
      state: 'ACTIVE',
      available: { amount: '29980.00' },
      delinquency: { stage: 'CURRENT' },
    })
    const paid = loan.schedule.filter(({ status }: any) => status === 'PAID')
    expect(paid).toHaveLength(3)
  })

  test('is not found by queries, in strict mode and in live', async () => {
    const id = unique('fac')
    expectAbsent((await sandbox.graph(look, { id })).body)
    const headers = { 'sandbox-strict': 'true' }
    const strict = await sandbox.rest('POST', path(id), { amount: '1.00' }, { headers })
    expect([strict.status, strict.body.code]).toEqual([404, 'FACILITY_NOT_FOUND'])
    const there = await live.rest('POST', path(id).slice(3), { amount: '1.00' })
    expect([there.status, there.body.code]).toEqual([404, 'FACILITY_NOT_FOUND'])
  })

  test('is provisioned once for twenty concurrent requests, which succeed or may be retried', async () => {
    const id = unique('fac')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sandbox.rest('POST', path(id), { amount: '10.00' })),
    )
    const codes = answers.map(({ status, body }) => body.code ?? status)
    // Concurrent drawdowns under one limit may conflict more often than the command retries.
    for (const code of codes) expect([200, 'VERSION_CONFLICT']).toContain(code)
    const drawn = codes.filter((code) => code === 200).length
    expect(drawn).toBeGreaterThan(0)
    expect(await countEvents(sandbox, 'lending.facility.opened', id)).toBe(1)
    const { loan } = (await sandbox.graph(look, { id })).body.data
    expect(loan.available.amount).toBe(`${30_000 - 10 * drawn}.00`)
  })
})

test('provisions every record that a request names', async () => {
  const [customerId, productId] = [unique('cus'), unique('prd')]
  const answer = await sandbox.rest('POST', '/v1/accounts', { customerId, productId })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers.get('sandbox-provisioned')?.split(', ').toSorted()).toEqual([
    `customer=${customerId}`,
    `product=${productId}`,
  ])
})

test('a replayed response is identical, and the retry provisions nothing', async () => {
  const [key, body] = [
    unique('key'),
    { ...goodBody('POST /notifications'), partyId: unique('pty') },
  ]
  const first = await sandbox.rest('POST', '/v1/notifications', body, { key })
  const again = await sandbox.rest('POST', '/v1/notifications', body, { key })
  expect(again.text).toBe(first.text)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('sandbox-provisioned')).toBeNull()
})

test('serves thirty concurrent requests that name the same unknown party and provisions it once', async () => {
  const partyId = unique('pty')
  const body = { ...goodBody('POST /notifications'), partyId }
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      sandbox.rest('POST', '/v1/notifications', body, { key: unique('key') }),
    ),
  )
  expect(answers.map(({ status, text }) => (status === 201 ? '' : text)).join('')).toBe('')
  expect(await countEvents(sandbox, 'parties.party.created', partyId)).toBe(1)
})

test('a request that fails validation provisions nothing', async () => {
  const before = await countRows(sandbox)
  const body = { ...goodBody('POST /notifications'), partyId: unique('pty'), channel: 'fax' }
  const answer = await sandbox.rest('POST', '/v1/notifications', body, { key: unique('key') })
  expect(answer.status).toBe(400)
  expect(await countRows(sandbox)).toBe(before)
})

test('a delegated user gets nothing provisioned: another party is not found', async () => {
  const before = await countRows(sandbox)
  const body = { ...goodBody('POST /notifications'), partyId: unique('pty') }
  const token = sandbox.token({ partyId: 'pty_ada' })
  const options = { key: unique('key'), token }
  const answer = await sandbox.rest('POST', '/v1/notifications', body, options)
  expect([answer.status, codeOf(answer)]).toEqual([422, 'PARTY_NOT_FOUND'])
  expect(await countRows(sandbox)).toBe(before)
})

describe('sandbox and live', () => {
  test('the documented paths start with /v1 in the sandbox and without it in live', async () => {
    for (const { method, path, name } of documented) {
      const options = { key: unique('key') }
      const wrong = await sandbox.rest(method, path, goodBody(name), options)
      expect([wrong.status, codeOf(wrong)], path).toEqual([404, 'ROUTE_NOT_FOUND'])
      const alsoWrong = await live.rest(method, `/v1${path}`, goodBody(name), options)
      expect([alsoWrong.status, codeOf(alsoWrong)], path).toEqual([404, 'ROUTE_NOT_FOUND'])
    }
  })

  test('a token of one environment is rejected by REST, GraphQL and WebSocket of the other', async () => {
    for (const [bank, other] of [
      [live, sandbox],
      [sandbox, live],
    ] as const) {
      const token = other.token()
      const rest = await bank.rest('GET', `${bank.prefix}/agreements`, undefined, { token })
      expect([rest.status, codeOf(rest)]).toEqual([401, 'TOKEN_INVALID'])
      expect(rest.headers.get('www-authenticate')).toMatch(/error="invalid_token"/)
      const graph = await bank.graph('{ businessEvents { nodes { type } } }', {}, { token })
      expect([graph.status, codeOf(graph)]).toEqual([401, 'TOKEN_INVALID'])
      const socket = bank.socket(token)
      const closed = new Promise<number>((resolve) =>
        socket.on('closed', (event) => resolve((event as { code: number }).code)),
      )
      socket.subscribe(
        { query: 'subscription { businessEvents { type } }' },
        { next: () => undefined, error: () => undefined, complete: () => undefined },
      )
      expect(await closed).toBe(4401)
      await socket.dispose()
    }
  })

  test('each served contract names its own base URL', async () => {
    const contracts = await Promise.all(
      [live, sandbox].map((bank) => bank.rest('GET', '/openapi.json', undefined, { token: null })),
    )
    const [ofLive, ofSandbox] = contracts.map(({ body }) => body.servers[0].url)
    expect(ofLive).not.toMatch(/\/v1$/)
    expect(ofSandbox).toBe(`${sandbox.url}/v1`)
    expect(Object.keys(contracts[0]!.body.paths)).toEqual(Object.keys(contracts[1]!.body.paths))
  })
})
