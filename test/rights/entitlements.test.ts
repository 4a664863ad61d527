/** What one party lets another do: it holds, and ends, with the commit that says so. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFixtures } from '../../host/fixtures.ts'
import { aPlatform, theGraph, type Platform } from '../kit/platform.ts'

let bank: Platform
let ada: string
let grace: string
beforeAll(async () => {
  bank = await aPlatform('sandbox', undefined, true)
  await makeFixtures(await theGraph(), bank.bank)
  ada = bank.token({ partyId: 'pty_ada' })
  grace = bank.token({ partyId: 'pty_grace' })
})
afterAll(() => bank.stop())

const account = 'arr_ada_current'
const euros = (amount: string) => ({ amount, currency: 'EUR' })

async function ask(token: string, document: string, variables: object = {}) {
  const { body } = await bank.graph(document, variables as Record<string, unknown>, { token })
  const [error] = body.errors ?? []
  return { data: body.data, code: error?.extensions.code, error: error?.extensions }
}

let made = 0
async function grant(input: object = {}, token = ada) {
  const entitlementId = `grant_${++made}`
  const asked = {
    entitlementId,
    grantorPartyId: 'pty_ada',
    granteePartyId: 'pty_grace',
    resource: `arrangement/${account}`,
    right: 'VIEW',
    ...input,
  }
  const document = `mutation ($input: GrantEntitlementInput!) { grantEntitlement(input: $input) {
    entitlementId right status limit { amount } validTo } }`
  return { entitlementId, ...(await ask(token, document, { input: asked })) }
}

const revoke = (id: string, token = ada) =>
  ask(token, 'mutation ($id: ID!) { revokeEntitlement(entitlementId: $id) { status } }', { id })

const look = (token = grace) =>
  ask(
    token,
    `query ($id: ID!) { accountArrangement(arrangementId: $id) { arrangementId balances { available }
      entries(first: 3) { nodes { amount } } customer { status } }
      accountArrangements { nodes { arrangementId } }
      payments(arrangementId: $id) { nodes { paymentId debtorArrangement { arrangementId } } } }`,
    { id: account },
  )

const pay = (amount: string, more: object = {}, token = grace) =>
  ask(
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
  ask(
    token,
    'mutation ($id: ID!) { requestAccountArrangementClosure(arrangementId: $id) { state } }',
    { id: account },
  )

async function why(right: string, token = grace, resource = `arrangement/${account}`) {
  const document = `query ($right: EntitlementRight!, $resource: String!) {
    explainEntitlement(partyId: "pty_grace", resource: $resource, right: $right) {
      allowed because { rule allows detail } } }`
  const { data, code } = await ask(token, document, { right, resource })
  return code ?? data.explainEntitlement
}

test('who was granted nothing sees nothing, and is told why', async () => {
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

test('to view is to see the account, its balance, entries and payments, and no more', async () => {
  const { entitlementId } = await grant()
  await pay('1.00', { creditorArrangementId: 'arr_ada_savings' }, ada)
  const { data, code } = await look()
  expect(code).toBeUndefined()
  expect(data.accountArrangement).toMatchObject({ arrangementId: account, customer: null })
  expect(data.accountArrangement.balances).toHaveLength(1)
  expect(data.accountArrangement.entries.nodes).toHaveLength(3)
  const listed = data.accountArrangements.nodes.map((each: any) => each.arrangementId)
  expect(listed.toSorted()).toEqual([account, 'arr_grace_current'])
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

test('to transfer is to pay up to the limit, today, until it is revoked', async () => {
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
  expect((await ask(grace, standing, { input })).code).toBe('ARRANGEMENT_NOT_FOUND')
  expect((await close()).code).toBe('NOT_ENTITLED')
  // Who has it may give it up.
  await revoke(entitlementId, grace)
  expect((await pay('1.00')).code).toBe('ARRANGEMENT_NOT_FOUND')
})

test('to manage includes the rest', async () => {
  const { entitlementId } = await grant({ right: 'MANAGE' })
  expect((await pay('60.00')).code).toBeUndefined()
  // Entitled to close it, and refused for what it is: a loan is settled through it.
  expect((await close()).code).toBe('SETTLEMENT_ACCOUNT_IN_USE')
  expect(await why('TRANSFER', ada)).toMatchObject({ allowed: true })
  await revoke(entitlementId)
})

test('an agreement can be shown too', async () => {
  const read =
    '{ agreement(agreementId: "agr_ada_1") { partyId } agreements { nodes { agreementId } } }'
  expect((await ask(grace, read)).data.agreement).toBeNull()
  const { entitlementId } = await grant({ resource: 'agreement/agr_ada_1' })
  const { data } = await ask(grace, read)
  expect(data.agreement).toEqual({ partyId: 'pty_ada' })
  expect(data.agreements.nodes).toContainEqual({ agreementId: 'agr_ada_1' })
  await revoke(entitlementId)
  expect((await ask(grace, read)).data.agreement).toBeNull()
})

test.each([
  ['another one’s account', { resource: 'arrangement/arr_grace_current' }, 'ARRANGEMENT_NOT_FOUND'],
  ['no account', { resource: 'arrangement/absent' }, 'ARRANGEMENT_NOT_FOUND'],
  ['another one’s agreement', { resource: 'agreement/agr_grace_1' }, 'AGREEMENT_NOT_FOUND'],
  ['something else', { resource: 'party/pty_ada' }, 'VALIDATION_FAILED'],
  ['nothing', { resource: '' }, 'VALIDATION_FAILED'],
  ['to oneself', { granteePartyId: 'pty_ada' }, 'VALIDATION_FAILED'],
  ['to nobody', { granteePartyId: 'absent' }, 'PARTY_NOT_FOUND'],
  ['for another one', { grantorPartyId: 'pty_grace' }, 'PARTY_NOT_FOUND'],
  ['a limit on looking', { limit: euros('1.00') }, 'VALIDATION_FAILED'],
  ['a limit of nothing', { right: 'TRANSFER', limit: euros('0.00') }, 'INVALID_AMOUNT'],
  [
    'a limit in another currency',
    { right: 'TRANSFER', limit: { amount: '1', currency: 'USD' } },
    'CURRENCY_MISMATCH',
  ],
  [
    'to transfer from an agreement',
    { resource: 'agreement/agr_ada_1', right: 'TRANSFER' },
    'VALIDATION_FAILED',
  ],
  ['until yesterday', { validTo: '2020-01-01' }, 'INVALID_DATE_RANGE'],
])('refused: %s', async (_, input, code) => {
  expect((await grant(input)).code).toBe(code)
})

test('what has ended does not end again, and is nobody else’s to end', async () => {
  const { entitlementId } = await grant()
  const stranger = bank.token({ partyId: 'pty_stranger' })
  expect((await revoke(entitlementId, stranger)).code).toBe('ENTITLEMENT_NOT_FOUND')
  const read = 'query ($id: ID!) { entitlement(entitlementId: $id) { status } }'
  expect((await ask(stranger, read, { id: entitlementId })).data).toEqual({ entitlement: null })
  await revoke(entitlementId)
  expect((await revoke(entitlementId)).error).toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
    currentState: 'revoked',
    allowedStates: [],
  })
  expect(await why('VIEW', stranger)).toBeNull()
})

test('ten at once are all granted, and all told', async () => {
  const granted = await Promise.all(
    Array.from({ length: 10 }, () => grant({ resource: 'arrangement/arr_ada_savings' })),
  )
  expect(granted.filter(({ code }) => code && code !== 'VERSION_CONFLICT')).toEqual([])
  const done = granted.filter(({ code }) => !code).map(({ entitlementId }) => entitlementId)
  const { rows } = await bank.bank.pool.query(
    `select data from kernel.fact where subject = 'entitlements-of/pty_grace'`,
  )
  const published = rows[0].data.grants.map((each: any) => each.entitlementId)
  expect(published.toSorted()).toEqual(done.toSorted())
  for (const id of done) await revoke(id)
})

test('after its last day it holds no more, without anybody doing anything', async () => {
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
