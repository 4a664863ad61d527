import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSampleBank, type SampleBank } from '../../contract/kit.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { aPlatform, eventually } from '../../kit/platform.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live', true)
})
afterAll(() => bank.stop())

const query = `query ($filter: AuditRefusalFilter, $first: Int, $after: String) {
  auditRefusals(filter: $filter, first: $first, after: $after) {
    nodes { clientId partyId subject operation code resourceId isThere count requestId firstAt }
    pageInfo { hasNextPage endCursor } } }`
const refusals = async (filter: object | null = null, page = {}): Promise<any> =>
  (await bank.graph(query, { filter, ...page })).body.data.auditRefusals
/** The refusals recorded for a client, once there are this many. */
const refusalsOf = (clientId: string, max: number): Promise<any[]> =>
  eventually(async () => {
    const { nodes } = await refusals({ clientId }, { first: 200 })
    const count = nodes.reduce((sum: number, each: any) => sum + Number(each.count), 0)
    return count >= max && nodes
  })

test('records the root field of an error that is inside fragments', async () => {
  const token = bank.token({ clientId: 'fragmented', scopes: ['parties:read'] })
  const text = `mutation { ...F } fragment F on Mutation { ... { made: openCase(input: {
    caseType: FRAUD, title: "T" }) { caseId } } }`
  const { body } = await bank.graph(text, {}, { token })
  expect(body.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE')
  expect(await refusalsOf('fragmented', 1)).toMatchObject([{ operation: 'openCase' }])
})

test('records who asked for a hidden record, and whether the record exists', async () => {
  const token = bank.token({ clientId: 'prying', partyId: 'pty_grace' })
  const headers = { 'x-request-id': 'pry-1' }
  const fields = '($id: ID!) { peeked: party(partyId: $id) { partyId } }'
  for (const id of ['pty_ada', 'pty_ada', 'pty_nobody']) {
    const { body } = await bank.graph(`query ${fields}`, { id }, { token, headers })
    expect(body.data).toEqual({ peeked: null })
    expect(body.errors).toBeUndefined()
  }
  const by = Object.fromEntries(
    (await refusalsOf('prying', 3)).map((each) => [each.resourceId, each]),
  )
  const like = { clientId: 'prying', partyId: 'pty_grace', subject: 'pty_grace' }
  const same = { ...like, operation: 'party', code: 'PARTY_NOT_FOUND', requestId: 'pry-1' }
  expect(by['pty_ada']).toMatchObject({ ...same, isThere: true, count: '2' })
  expect(by['pty_nobody']).toMatchObject({ ...same, isThere: false, count: '1' })
  const { nodes } = await refusals({ clientId: 'prying', isThere: true })
  expect(nodes.map(({ resourceId }: any) => resourceId)).toEqual(['pty_ada'])
})

test.each([
  ['postingInstruction(postingInstructionId: $id)', 'POSTING_INSTRUCTION_NOT_FOUND'],
  ['webhookDelivery(deliveryId: $id)', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  ['facility(facilityId: $id)', 'FACILITY_NOT_FOUND'],
  ['loan(loanId: $id)', 'LOAN_NOT_FOUND'],
  ['balance(arrangementId: $id)', 'ARRANGEMENT_NOT_FOUND'],
])('records the code behind a null response: %s', async (field, code) => {
  const clientId = `prying-${code}`
  const token = bank.token({ clientId, partyId: 'pty_grace' })
  const { body } = await bank.graph(
    `query ($id: ID!) { peeked: ${field} { __typename } }`,
    { id: 'fac_money' },
    { token },
  )
  expect(body.errors).toBeUndefined()
  expect(body.data).toEqual({ peeked: null })
  const operation = /^\w+/.exec(field)![0]
  expect(await refusalsOf(clientId, 1)).toMatchObject([
    { operation, code, resourceId: 'fac_money' },
  ])
})

test('records a missing scope over REST and GraphQL, and operations denied to delegated users', async () => {
  const token = bank.token({ clientId: 'poor', scopes: [] })
  await bank.rest('GET', '/agreements', undefined, { token })
  await bank.graph('{ jobs { name } }', {}, { token })
  const asParty = bank.token({ clientId: 'poor', partyId: 'pty_ada' })
  await bank.graph('{ jobs { name } }', {}, { token: asParty })
  const nodes = await refusalsOf('poor', 3)
  expect(nodes.map(({ operation, code }) => `${operation}: ${code}`).sort()).toEqual([
    'GET /agreements: INSUFFICIENT_SCOPE',
    'jobs: INSUFFICIENT_SCOPE',
    'jobs: NOT_FOR_DELEGATED_USERS',
  ])
})

test('records a violation of four eyes', async () => {
  const token = bank.token({ clientId: 'drafter', subject: 'dora' })
  const { body } = await bank.graph(
    `mutation ($input: CreateNotificationTemplateInput!) {
      createNotificationTemplate(input: $input) { templateId } }`,
    {
      input: { templateId: 'tpl_eyes', channel: 'PUSH', body: 'Hello.' },
    },
    { token, key: 'eyes-1' },
  )
  expect(body.errors).toBeUndefined()
  const step = (name: string) =>
    bank.graph(`mutation { ${name}(templateId: "tpl_eyes") { status } }`, {}, { token })
  await step('submitNotificationTemplate')
  const refused = await step('approveNotificationTemplate')
  expect(refused.body.errors[0].extensions.code).toBe('SEGREGATION_OF_DUTIES')
  expect(await refusalsOf('drafter', 1)).toMatchObject([
    {
      operation: 'approveNotificationTemplate',
      code: 'SEGREGATION_OF_DUTIES',
      resourceId: 'tpl_eyes',
    },
  ])
})

test('counts an invalid token, without trusting or storing anything in it', async () => {
  const token = `${bank.forge({ client_id: 'mallory', sub: 'mallory' })}x`
  await bank.rest('GET', '/agreements', undefined, { token })
  const { nodes } = await eventually(async () => {
    const found = await refusals({ code: 'TOKEN_INVALID' })
    return found.nodes.length > 0 && found
  })
  expect(nodes[0]).toMatchObject({ clientId: null, partyId: null, subject: null, resourceId: null })
  const { rows } = await bank.bank.pool.query('select refusal::text as text from kernel.refusal')
  const text = JSON.stringify(rows)
  expect(text).not.toContain('mallory')
  expect(text).not.toContain(token.split('.')[2]!.slice(0, 20))
})

test('does not store a resource id that is not an id, since it could be anything that was typed', async () => {
  const caller = aCaller({ clientId: 'typing', partyId: 'pty_grace' })
  const resourceId = 'ada@example.com'
  bank.bank.refusals.record({
    caller,
    operation: 'party',
    code: 'PARTY_NOT_FOUND',
    resourceId,
    requestId: null,
  })
  expect(await refusalsOf('typing', 1)).toMatchObject([{ resourceId: null, isThere: null }])
})

test('counts a flood in full, in a bounded number of rows', async () => {
  const { refusals: retained, pool } = bank.bank
  const before = await rowCount()
  const caller = aCaller({ clientId: 'flooding', partyId: 'pty_grace' })
  const max = 20_000
  for (let i = 0; i < max; i++) {
    const resourceId = `pty_${i}`
    const [operation, code, requestId] = ['party', 'PARTY_NOT_FOUND', `flood-${i}`] as const
    retained.record({ caller, operation, code, resourceId, requestId })
  }
  const nodes = await refusalsOf('flooding', max)
  // 50 records by their id, and one row for all others.
  expect(nodes).toHaveLength(51)
  // Many callers, each new: 400 rows per hour and process, and one per code beyond them.
  for (let i = 0; i < 5000; i++) {
    const each = aCaller({ clientId: `swarm-${i}` })
    retained.record({
      caller: each,
      operation: 'jobs',
      code: 'INSUFFICIENT_SCOPE',
      requestId: null,
    })
  }
  await eventually(async () => {
    const { nodes: rest } = await refusals({ code: 'INSUFFICIENT_SCOPE' }, { first: 200 })
    return rest.some(({ operation, count }: any) => operation === '*' && Number(count) > 4000)
  })
  expect((await rowCount()) - before).toBeLessThanOrEqual(410)

  async function rowCount() {
    return (await pool.query('select 1 from kernel.refusal')).rowCount!
  }
})

test('records rate limiting, returns pages from newest to oldest, and denies delegated users', async () => {
  const strict = await aPlatform('live', undefined, true, { RATE_LIMIT_CLIENT: '1:60' })
  try {
    const token = strict.token({ clientId: 'hasty' })
    const listProblems = () => strict.graph('{ problems { code } }', {}, { token })
    await Promise.all(Array.from({ length: 70 }, listProblems))
    await eventually(async () => {
      const { rows } = await strict.bank.pool.query(
        `select count::int from kernel.refusal where client_id = 'hasty' and code = 'RATE_LIMITED'`,
      )
      return rows[0]?.count > 0
    })
  } finally {
    await strict.stop()
  }
  const first = await refusals(null, { first: 2 })
  const { endCursor: after } = first.pageInfo
  const rest = await refusals(null, { first: 2, after })
  const times = [...first.nodes, ...rest.nodes].map(({ firstAt }: any) => firstAt as string)
  expect(times).toEqual([...times].sort().reverse())
  const token = bank.token({ partyId: 'pty_ada' })
  const { body } = await bank.graph(query, {}, { token })
  expect(body.errors[0].extensions.code).toBe('NOT_FOR_DELEGATED_USERS')
})
