import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFurnishedBank, type FurnishedBank } from '../../contract/kit.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { aPlatform, eventually } from '../../kit/platform.ts'

let bank: FurnishedBank
beforeAll(async () => {
  bank = await aFurnishedBank('live', true)
})
afterAll(() => bank.stop())

const query = `query ($filter: AuditRefusalFilter, $first: Int, $after: String) {
  auditRefusals(filter: $filter, first: $first, after: $after) {
    nodes { clientId partyId subject operation code resourceId isThere count requestId firstAt }
    pageInfo { hasNextPage endCursor } } }`
const refusals = async (filter: object | null = null, page = {}): Promise<any> =>
  (await bank.graph(query, { filter, ...page })).body.data.auditRefusals
/** What was refused to a client, when as much of it is there. */
const told = (clientId: string, most: number): Promise<any[]> =>
  eventually(async () => {
    const { nodes } = await refusals({ clientId }, { first: 200 })
    const count = nodes.reduce((sum: number, each: any) => sum + Number(each.count), 0)
    return count >= most && nodes
  })

test('a record of another leaves who asked for it and that it is there; one that never was, that it is not', async () => {
  const token = bank.token({ clientId: 'prying', partyId: 'pty_grace' })
  const headers = { 'x-request-id': 'pry-1' }
  const ask = '($id: ID!) { peeked: party(partyId: $id) { partyId } }'
  for (const id of ['pty_ada', 'pty_ada', 'pty_nobody']) {
    const { body } = await bank.graph(`query ${ask}`, { id }, { token, headers })
    expect(body.data).toEqual({ peeked: null })
    expect(body.errors).toBeUndefined()
  }
  const by = Object.fromEntries((await told('prying', 3)).map((each) => [each.resourceId, each]))
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
])('a query that answers null to somebody leaves its code: %s', async (field, code) => {
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
  expect(await told(clientId, 1)).toMatchObject([{ operation, code, resourceId: 'fac_money' }])
})

test('a missing scope over REST and over the graph, and what is for the bank alone', async () => {
  const token = bank.token({ clientId: 'poor', scopes: [] })
  await bank.rest('GET', '/agreements', undefined, { token })
  await bank.graph('{ environment { name } }', {}, { token })
  const asParty = bank.token({ clientId: 'poor', partyId: 'pty_ada' })
  await bank.graph('{ jobs { name } }', {}, { token: asParty })
  const nodes = await told('poor', 3)
  expect(nodes.map(({ operation, code }) => `${operation}: ${code}`).sort()).toEqual([
    'GET /agreements: INSUFFICIENT_SCOPE',
    'environment: INSUFFICIENT_SCOPE',
    'jobs: NOT_FOR_DELEGATED_USERS',
  ])
})

test('the second pair of eyes that is the first', async () => {
  const token = bank.token({ clientId: 'drafter' })
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
  expect(await told('drafter', 1)).toMatchObject([
    {
      operation: 'approveNotificationTemplate',
      code: 'SEGREGATION_OF_DUTIES',
      resourceId: 'tpl_eyes',
    },
  ])
})

test('a token that is not good is counted, is believed in nothing, and is not kept', async () => {
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

test('what is no id is not kept: it may be anything that somebody typed', async () => {
  const caller = aCaller({ clientId: 'typing', partyId: 'pty_grace' })
  const resourceId = 'ada@example.com'
  bank.bank.refusals.note({
    caller,
    operation: 'party',
    code: 'PARTY_NOT_FOUND',
    resourceId,
    requestId: null,
  })
  expect(await told('typing', 1)).toMatchObject([{ resourceId: null, isThere: null }])
})

test('a flood is counted in full, and fills nothing', async () => {
  const { refusals: kept, pool } = bank.bank
  const before = await rowCount()
  const caller = aCaller({ clientId: 'flooding', partyId: 'pty_grace' })
  const most = 20_000
  for (let i = 0; i < most; i++) {
    const resourceId = `pty_${i}`
    const [operation, code, requestId] = ['party', 'PARTY_NOT_FOUND', `flood-${i}`] as const
    kept.note({ caller, operation, code, resourceId, requestId })
  }
  const nodes = await told('flooding', most)
  // 50 records by name, and one row for all others.
  expect(nodes).toHaveLength(51)
  // Many callers, each new: 400 rows an hour of a process, and one for each code beyond them.
  for (let i = 0; i < 5000; i++) {
    const each = aCaller({ clientId: `swarm-${i}` })
    kept.note({ caller: each, operation: 'jobs', code: 'INSUFFICIENT_SCOPE', requestId: null })
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

test('a limit, and pages from the latest back; for the bank alone', async () => {
  const strict = await aPlatform('live', undefined, true, { RATE_LIMIT_CLIENT: '1:60' })
  try {
    const token = strict.token({ clientId: 'hasty' })
    const ask = () => strict.graph('{ problems { code } }', {}, { token })
    await Promise.all(Array.from({ length: 70 }, ask))
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
