import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSampleBank, type SampleBank } from '../../contract/kit.ts'
import { eventually } from '../../kit/platform.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live')
})
afterAll(() => bank.stop())

const query = `query ($subject: String!, $first: Int, $after: String) {
  auditTrail(subject: $subject, first: $first, after: $after) {
    nodes { sequence type meaning actor requestId changes { member before after } snapshot }
    pageInfo { hasNextPage endCursor } } }`
const trail = async (variables: object, options = {}) => {
  const { body } = await bank.graph(query, variables as never, options)
  return body
}

test('shows who changed a record, in which request, and what changed', async () => {
  const headers = { 'x-request-id': 'audit-1' }
  const token = bank.token({ clientId: 'clerk' })
  await bank.graph(
    `mutation { suspendCustomer(customerId: "cus_ada", reason: "A letter came back.") { status } }`,
    {},
    { headers, token },
  )
  const nodes = await eventually(async () => {
    const { data } = await trail({ subject: 'customer/cus_ada' })
    const found = data.auditTrail.nodes
    return found.at(-1)?.type === 'parties.customer.suspended' && found
  })
  expect(nodes.map(({ sequence }: any) => sequence)).toEqual(
    nodes.map((_: any, at: number) => at + 1),
  )
  expect(nodes[0]).toMatchObject({ type: 'parties.customer.created' })
  const last = nodes.at(-1)
  expect(last).toMatchObject({ actor: 'clerk', requestId: 'audit-1' })
  expect(last.meaning).toMatch(/\.$/)
  expect(last.changes).toContainEqual({
    member: 'status',
    before: { value: 'active' },
    after: { value: 'suspended' },
  })
  const [one, two] = [
    await trail({ subject: 'customer/cus_ada', first: 2 }),
    await trail({ subject: 'customer/cus_ada' }),
  ]
  const { endCursor } = one.data.auditTrail.pageInfo
  const rest = await trail({ subject: 'customer/cus_ada', after: endCursor })
  expect([...one.data.auditTrail.nodes, ...rest.data.auditTrail.nodes]).toEqual(
    two.data.auditTrail.nodes,
  )
})

test('is empty for an unknown record and forbidden to delegated users', async () => {
  expect((await trail({ subject: 'customer/nobody' })).data.auditTrail.nodes).toEqual([])
  const token = bank.token({ partyId: 'pty_ada' })
  const refused = await trail({ subject: 'customer/cus_ada' }, { token })
  expect(refused.errors[0].extensions.code).toBe('NOT_FOR_DELEGATED_USERS')
})
