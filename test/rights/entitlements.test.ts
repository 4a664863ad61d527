/**
 * An entitlement of one party to an account of another takes effect, and ends, with the commit that
 * grants or revokes it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

let bank: Platform
let ada: string
let grace: string
beforeAll(async () => {
  bank = await aSeededPlatform('sandbox', true)
  ada = bank.token({ partyId: 'pty_ada' })
  grace = bank.token({ partyId: 'pty_grace' })
})
afterAll(() => bank.stop())

const account = 'arr_ada_current'
const euros = (amount: string) => ({ amount, currency: 'EUR' })

async function queryGraph(token: string, document: string, variables: object = {}) {
  const { body } = await bank.graph(document, variables as Record<string, unknown>, { token })
  const [error] = body.errors ?? []
  return { data: body.data, code: error?.extensions.code, error: error?.extensions }
}

let made = 0
async function grant(input: object = {}, token = ada) {
  const entitlementId = `grant_${++made}`
  const request = {
    entitlementId,
    grantorPartyId: 'pty_ada',
    granteePartyId: 'pty_grace',
    resource: `arrangement/${account}`,
    right: 'VIEW',
    ...input,
  }
  const document = `mutation ($input: GrantEntitlementInput!) { grantEntitlement(input: $input) {
    entitlementId right status limit { amount } validTo } }`
  return { entitlementId, ...(await queryGraph(token, document, { input: request })) }
}

const revoke = (id: string, token = ada) =>
  queryGraph(token, 'mutation ($id: ID!) { revokeEntitlement(entitlementId: $id) { status } }', {
    id,
  })

const look = (token = grace) =>
  queryGraph(
    token,
    `query ($id: ID!) { accountArrangement(arrangementId: $id) { arrangementId balances { available }
      entries(first: 3) { nodes { amount } } customer { status } }
      accountArrangements { nodes { arrangementId } }
      payments(arrangementId: $id) { nodes { paymentId debtorArrangement { arrangementId } } } }`,
    { id: account },
  )

const pay = (amount: string, more: object = {}, token = grace) =>
  queryGraph(
    token,
    `mutation ($input: CreateTransferInput!) { createTransfer(input: $input) {
      paymentId state debtorArrangement { arrangementId } } }`,
    {
      input: {
        debtorArrangementId: account,
        creditorArrangementId: 'arr_grace_current',
        amount: euros(amount),
        ...more,
      },
    },
  )

const close = (token = grace) =>
  queryGraph(
    token,
    'mutation ($id: ID!) { requestAccountArrangementClosure(arrangementId: $id) { state } }',
    { id: account },
  )

async function why(right: string, token = grace, resource = `arrangement/${account}`) {
  const document = `query ($right: EntitlementRight!, $resource: String!) {
    explainEntitlement(partyId: "pty_grace", resource: $resource, right: $right) {
      allowed because { rule allows detail } } }`
  const { data, code } = await queryGraph(token, document, { right, resource })
  return code ?? data.explainEntitlement
}

test('shows nothing to a party without an entitlement and explains why', async () => {
  expect((await look()).data.accountArrangement).toBeNull()
  expect((await pay('1.00')).code).toBe('ARRANGEMENT_NOT_FOUND')
  expect((await close()).code).toBe('ARRANGEMENT_NOT_FOUND')
  const because = [
    { rule: 'OWNER', allows: false, detail: `pty_grace does not own arrangement/${account}.` },
    {
      rule: 'NOTHING_GRANTED',
      allows: false,
      detail: `pty_grace has no entitlement to arrangement/${account}.`,
    },
  ]
  expect(await why('VIEW')).toEqual({ allowed: false, because })
})

test('shows the account, its balance, entries and payments with VIEW, and nothing else', async () => {
  const { entitlementId } = await grant()
  await pay('1.00', { creditorArrangementId: 'arr_ada_savings' }, ada)
  const { data, code } = await look()
  expect(code).toBeUndefined()
  expect(data.accountArrangement).toMatchObject({ arrangementId: account, customer: null })
  expect(data.accountArrangement.balances).toHaveLength(1)
  expect(data.accountArrangement.entries.nodes).toHaveLength(3)
  const listed = data.accountArrangements.nodes.map((each: any) => each.arrangementId)
  expect(listed.toSorted()).toEqual([
    account,
    'arr_grace_car',
    'arr_grace_current',
    'arr_grace_deposit',
    'arr_grace_growth',
    'arr_grace_overdraft',
    'arr_grace_roof',
  ])
  expect(data.payments.nodes).toMatchObject([{ debtorArrangement: { arrangementId: account } }])
  expect((await pay('1.00')).code).toBe('NOT_ENTITLED')
  expect((await close()).code).toBe('NOT_ENTITLED')
  expect(await why('TRANSFER')).toMatchObject({
    allowed: false,
    because: [{}, { detail: 'pty_ada granted view, which does not include transfer.' }],
  })
  expect((await revoke(entitlementId)).data.revokeEntitlement.status).toBe('REVOKED')
  expect((await look()).data.accountArrangement).toBeNull()
  expect(await why('VIEW')).toMatchObject({
    allowed: false,
    because: [{}, { detail: 'pty_ada granted view, which was revoked.' }],
  })
})

test('permits payments of today up to the limit with TRANSFER, until it is revoked', async () => {
  const { entitlementId, data } = await grant({ right: 'TRANSFER', limit: euros('50.00') })
  expect(data.grantEntitlement.limit).toEqual({ amount: '50.00' })
  const paid = await pay('50.00', { paymentId: 'pay_entitled' })
  expect(paid.data.createTransfer).toEqual({
    paymentId: 'pay_entitled',
    state: 'SETTLED',
    debtorArrangement: { arrangementId: account },
  })
  const again = await pay('50.00', { paymentId: 'pay_entitled' })
  expect(again.data.createTransfer.paymentId).toBe('pay_entitled')
  expect((await pay('50.01')).code).toBe('LIMIT_EXCEEDED')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  expect((await pay('1.00', { executionDate: tomorrow })).code).toBe('NOT_ENTITLED')
  const standing = `mutation ($input: CreateStandingOrderInput!) {
    createStandingOrder(input: $input) { standingOrderId } }`
  const input = {
    debtorArrangementId: account,
    creditorArrangementId: 'arr_grace_current',
    amount: euros('1.00'),
    frequency: 'MONTHLY',
    startsOn: tomorrow,
  }
  expect((await queryGraph(grace, standing, { input })).code).toBe('ARRANGEMENT_NOT_FOUND')
  expect((await close()).code).toBe('NOT_ENTITLED')
  // The grantee may revoke an entitlement too.
  await revoke(entitlementId, grace)
  expect((await pay('1.00')).code).toBe('ARRANGEMENT_NOT_FOUND')
})

test('permits transfers and the closure with MANAGE', async () => {
  const { entitlementId } = await grant({ right: 'MANAGE' })
  expect((await pay('60.00')).code).toBeUndefined()
  // Grace is entitled to close it; the error is about the loan that is settled through the account.
  expect((await close()).code).toBe('SETTLEMENT_ACCOUNT_IN_USE')
  expect(await why('TRANSFER', ada)).toMatchObject({ allowed: true })
  await revoke(entitlementId)
})

test('shows an agreement to a party that is entitled to it', async () => {
  const read =
    '{ agreement(agreementId: "agr_ada_1") { partyId } agreements { nodes { agreementId } } }'
  expect((await queryGraph(grace, read)).data.agreement).toBeNull()
  const { entitlementId } = await grant({ resource: 'agreement/agr_ada_1' })
  const { data } = await queryGraph(grace, read)
  expect(data.agreement).toEqual({ partyId: 'pty_ada' })
  expect(data.agreements.nodes).toContainEqual({ agreementId: 'agr_ada_1' })
  await revoke(entitlementId)
  expect((await queryGraph(grace, read)).data.agreement).toBeNull()
})

test.each([
  [
    'another party’s account',
    { resource: 'arrangement/arr_grace_current' },
    'ARRANGEMENT_NOT_FOUND',
  ],
  ['an unknown account', { resource: 'arrangement/absent' }, 'ARRANGEMENT_NOT_FOUND'],
  ['another party’s agreement', { resource: 'agreement/agr_grace_1' }, 'AGREEMENT_NOT_FOUND'],
  ['a resource of another type', { resource: 'party/pty_ada' }, 'VALIDATION_FAILED'],
  ['an empty resource', { resource: '' }, 'VALIDATION_FAILED'],
  ['the grantor as grantee', { granteePartyId: 'pty_ada' }, 'VALIDATION_FAILED'],
  ['an unknown grantee', { granteePartyId: 'absent' }, 'PARTY_NOT_FOUND'],
  ['another party as grantor', { grantorPartyId: 'pty_grace' }, 'PARTY_NOT_FOUND'],
  ['a limit for VIEW', { limit: euros('1.00') }, 'VALIDATION_FAILED'],
  ['a limit of zero', { right: 'TRANSFER', limit: euros('0.00') }, 'INVALID_AMOUNT'],
  [
    'a limit in another currency',
    { right: 'TRANSFER', limit: { amount: '1', currency: 'USD' } },
    'CURRENCY_MISMATCH',
  ],
  [
    'TRANSFER for an agreement',
    { resource: 'agreement/agr_ada_1', right: 'TRANSFER' },
    'VALIDATION_FAILED',
  ],
  ['an end in the past', { validTo: '2020-01-01' }, 'INVALID_DATE_RANGE'],
])('rejects an entitlement with %s', async (_, input, code) => {
  expect((await grant(input)).code).toBe(code)
})

test('rejects revoking an ended entitlement and hides entitlements from other parties', async () => {
  const { entitlementId } = await grant()
  const outsider = bank.token({ partyId: 'pty_stranger' })
  expect((await revoke(entitlementId, outsider)).code).toBe('ENTITLEMENT_NOT_FOUND')
  const read = 'query ($id: ID!) { entitlement(entitlementId: $id) { status } }'
  expect((await queryGraph(outsider, read, { id: entitlementId })).data).toEqual({
    entitlement: null,
  })
  await revoke(entitlementId)
  expect((await revoke(entitlementId)).error).toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
    currentState: 'revoked',
    allowedStates: [],
  })
  expect(await why('VIEW', outsider)).toBeNull()
})

test('publishes exactly the concurrent grants that succeeded', async () => {
  const granted = await Promise.all(
    Array.from({ length: 10 }, () => grant({ resource: 'arrangement/arr_ada_savings' })),
  )
  expect(granted.filter(({ code }) => code && code !== 'VERSION_CONFLICT')).toEqual([])
  const done = granted.filter(({ code }) => !code).map(({ entitlementId }) => entitlementId)
  // Of those that conflict, one always commits.
  expect(done.length).toBeGreaterThan(0)
  const { rows } = await bank.bank.pool.query(
    `select data from kernel.fact where subject = 'entitlements-of/pty_grace'`,
  )
  const published = rows[0].data.grants.map((each: any) => each.entitlementId)
  expect(published.toSorted()).toEqual(done.toSorted())
  for (const id of done) await revoke(id)
})

test('ends an entitlement after its last day', async () => {
  const today = new Date().toISOString().slice(0, 10)
  await grant({ validTo: today })
  expect((await look()).code).toBeUndefined()
  const to = new Date(Date.now() + 86_400_000).toISOString()
  const { body } = await bank.graph(
    'mutation ($to: DateTime!) { advanceClock(to: $to) { name } }',
    {
      to,
    },
  )
  expect(body.errors).toBeUndefined()
  expect((await look()).data.accountArrangement).toBeNull()
  expect(await why('VIEW')).toMatchObject({
    because: expect.arrayContaining([
      expect.objectContaining({ detail: `pty_ada granted view, which expired after ${today}.` }),
    ]),
  })
})
