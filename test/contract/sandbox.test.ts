/**
 * The sandbox makes what a request misses and says so; with `Sandbox-Strict: true`, and in live,
 * nothing is made. The two environments share no path and no token.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../kit/absent.ts'
import { countRows, aFurnishedBank, goodBody, unique, type FurnishedBank } from './kit.ts'
import { documented } from './specification.ts'

let sandbox: FurnishedBank
let live: FurnishedBank
beforeAll(async () => {
  sandbox = await aFurnishedBank('sandbox')
  live = await aFurnishedBank('live')
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
  /** Its operation in the graph, with the same body. */
  mutation: string
  /** Whether the record is there, with what an operation needs of it. */
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

/** The same request through either door. */
function ask(bank: FurnishedBank, door: string, one: Missing, id: string, headers = {}) {
  const body: Record<string, unknown> & { channel?: string } = {
    ...goodBody(one.operation),
    [one.member]: id,
  }
  const options = { key: unique('key'), headers }
  if (door === 'REST') {
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
  ['REST', 'graph'].map((door) => [one.record, one.operation, door, one] as const),
)

describe.each(cases)('a %s that nobody has, for %s through %s', (_record, _name, door, one) => {
  test('is made in the sandbox, once, and the answer says so', async () => {
    const id = unique(one.prefix)
    const first = await ask(sandbox, door, one, id)
    expect(codeOf(first), first.text).toBeUndefined()
    expect(first.headers.get('sandbox-provisioned')).toBe(`${one.record}=${id}`)
    expect(first.text).toContain(id)
    const second = await ask(sandbox, door, one, id)
    expect(codeOf(second)).toBeUndefined()
    expect(second.headers.get('sandbox-provisioned')).toBeNull()
    const { data } = (await sandbox.graph(one.look, { id })).body
    expect(data[one.record][one.member]).toBe(id)
  })

  test.each([
    ['in live', () => live, {}],
    ['when it should be strict', () => sandbox, { 'sandbox-strict': 'true' }],
  ] as const)('is refused %s, and nothing is made', async (_where, bankOf, headers) => {
    const bank = bankOf()
    const before = await countRows(bank)
    const id = unique(one.prefix)
    const answer = await ask(bank, door, one, id, headers)
    expect(answer.status).toBe(door === 'REST' ? 422 : 200)
    expect(codeOf(answer)).toBe(one.code)
    const { errors, resourceId } = door === 'REST' ? answer.body : answer.body.errors[0].extensions
    expect(errors[0].pointer).toBe(door === 'REST' ? `/${one.member}` : `/input/${one.member}`)
    expect(resourceId).toBe(id)
    expect(answer.headers.get('sandbox-provisioned')).toBeNull()
    expect(await countRows(bank)).toBe(before)
  })
})

/** A loan of which three instalments are paid and part of the limit is left, so that anything can be tried. */
describe('a facility in a path that nobody has', () => {
  const path = (id: string) => `/v1/facilities/${id}/drawdowns`
  const look = `query ($id: ID!) { loan(loanId: $id) { state available { amount }
    delinquency { stage } schedule { status } } }`

  test('is made in the sandbox, once, and is ready for every operation', async () => {
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

  test('is absent to whoever only looks, in live, and when it should be strict', async () => {
    const id = unique('fac')
    expectAbsent((await sandbox.graph(look, { id })).body)
    const headers = { 'sandbox-strict': 'true' }
    const strict = await sandbox.rest('POST', path(id), { amount: '1.00' }, { headers })
    expect([strict.status, strict.body.code]).toEqual([404, 'FACILITY_NOT_FOUND'])
    const there = await live.rest('POST', path(id).slice(3), { amount: '1.00' })
    expect([there.status, there.body.code]).toEqual([404, 'FACILITY_NOT_FOUND'])
  })

  test('is made once for twenty who ask for it at once', async () => {
    const id = unique('fac')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sandbox.rest('POST', path(id), { amount: '10.00' })),
    )
    const codes = answers.map(({ status, body }) => body.code ?? status)
    // Twenty at one limit may meet more often than a command tries again, and say so.
    for (const code of codes) expect([200, 'VERSION_CONFLICT']).toContain(code)
  })
})

test('all that a request misses is made', async () => {
  const [customerId, productId] = [unique('cus'), unique('prd')]
  const answer = await sandbox.rest('POST', '/v1/accounts', { customerId, productId })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers.get('sandbox-provisioned')?.split(', ').toSorted()).toEqual([
    `customer=${customerId}`,
    `product=${productId}`,
  ])
})

test('a retry that made something replays the same answer and makes nothing', async () => {
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

test('thirty requests at once that miss the same party are all served', async () => {
  const partyId = unique('pty')
  const body = { ...goodBody('POST /notifications'), partyId }
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      sandbox.rest('POST', '/v1/notifications', body, { key: unique('key') }),
    ),
  )
  expect(answers.map(({ status, text }) => (status === 201 ? '' : text)).join('')).toBe('')
})

test('what is refused for its form makes nothing', async () => {
  const before = await countRows(sandbox)
  const body = { ...goodBody('POST /notifications'), partyId: unique('pty'), channel: 'fax' }
  const answer = await sandbox.rest('POST', '/v1/notifications', body, { key: unique('key') })
  expect(answer.status).toBe(400)
  expect(await countRows(sandbox)).toBe(before)
})

test('for a delegated user nothing is made: another party is as if absent', async () => {
  const before = await countRows(sandbox)
  const body = { ...goodBody('POST /notifications'), partyId: unique('pty') }
  const token = sandbox.token({ partyId: 'pty_ada' })
  const options = { key: unique('key'), token }
  const answer = await sandbox.rest('POST', '/v1/notifications', body, options)
  expect([answer.status, codeOf(answer)]).toEqual([422, 'PARTY_NOT_FOUND'])
  expect(await countRows(sandbox)).toBe(before)
})

describe('two environments', () => {
  test('the documented paths start with /v1 on the sandbox, and only there', async () => {
    for (const { method, path, name } of documented) {
      const options = { key: unique('key') }
      const wrong = await sandbox.rest(method, path, goodBody(name), options)
      expect([wrong.status, codeOf(wrong)], path).toEqual([404, 'ROUTE_NOT_FOUND'])
      const alsoWrong = await live.rest(method, `/v1${path}`, goodBody(name), options)
      expect([alsoWrong.status, codeOf(alsoWrong)], path).toEqual([404, 'ROUTE_NOT_FOUND'])
    }
  })

  test('a token of one is refused by the other, at every door', async () => {
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

  test('the served contract names the address it is for', async () => {
    const contracts = await Promise.all(
      [live, sandbox].map((bank) => bank.rest('GET', '/openapi.json', undefined, { token: null })),
    )
    const [ofLive, ofSandbox] = contracts.map(({ body }) => body.servers[0].url)
    expect(ofLive).not.toMatch(/\/v1$/)
    expect(ofSandbox).toBe(`${sandbox.url}/v1`)
    expect(Object.keys(contracts[0]!.body.paths)).toEqual(Object.keys(contracts[1]!.body.paths))
  })
})
