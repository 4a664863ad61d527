/** Two people at one bank: a joint account from which two of its holders sign. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

let bank: Platform
let tokens: Record<'ada' | 'grace' | 'mallory' | 'liam' | 'anna', string>
beforeAll(async () => {
  bank = await aSeededPlatform('sandbox')
  tokens = {
    ada: bank.token({ partyId: 'pty_ada' }),
    grace: bank.token({ partyId: 'pty_grace' }),
    mallory: bank.token({ partyId: 'pty_mallory' }),
    liam: bank.token({ subject: 'liam' }),
    anna: bank.token({ subject: 'anna' }),
  }
}, 120_000)
afterAll(() => bank.stop())

const account = 'arr_ada_current'

async function run(who: keyof typeof tokens, document: string) {
  const { body } = await bank.graph(document, {}, { token: tokens[who] })
  return { data: body.data, code: body.errors?.[0]?.extensions.code as string | undefined }
}

async function pay(who: keyof typeof tokens, paymentId: string) {
  const { data, code } = await run(
    who,
    `mutation { createTransfer(input: { paymentId: "${paymentId}", debtorArrangementId: "${account}",
      creditorArrangementId: "arr_grace_current", amount: { amount: "12.00", currency: "EUR" } }) {
      state } }`,
  )
  return code ?? data.createTransfer.state
}

test('Grace becomes a holder and sees the account like Ada', async () => {
  const before = await run('grace', `{ accountArrangement(arrangementId: "${account}") { state } }`)
  expect(before.data.accountArrangement).toBeNull()
  const added = await run(
    'liam',
    `mutation { addAccountHolder(input: { entitlementId: "ent_joint", arrangementId: "${account}",
      partyId: "pty_grace" }) { isHolder } }`,
  )
  expect(added.data.addAccountHolder.isHolder).toBe(true)
  const document = `{
    accountArrangement(arrangementId: "${account}") {
      balances { available } entries(first: 2) { nodes { amount } }
      transactions(first: 2) { nodes { transactionId amount { amount } } } holders { partyId party { displayName } } }
    standingOrders(arrangementId: "${account}") { nodes { standingOrderId } }
    payments(arrangementId: "${account}") { nodes { paymentId } } }`
  const [seen, own] = [await run('grace', document), await run('ada', document)]
  expect(seen.code).toBeUndefined()
  const { holders, ...rest } = seen.data.accountArrangement
  expect(holders).toEqual([{ partyId: 'pty_grace', party: { displayName: 'Grace Hopper' } }])
  const { holders: named, ...ownRest } = own.data.accountArrangement
  expect(named).toEqual([{ partyId: 'pty_grace', party: null }])
  expect(rest).toEqual(ownRest)
  expect(seen.data.standingOrders).toEqual(own.data.standingOrders)
  const withoutOwn = seen.data.payments.nodes
  expect(withoutOwn).toEqual(own.data.payments.nodes)
  const attack = await run(
    'grace',
    `mutation { addAccountHolder(input: { arrangementId: "${account}", partyId: "pty_mallory" }) {
      entitlementId } }`,
  )
  expect(attack.code).toBeDefined()
})

test('with a rule of two signatures, neither pays alone', async () => {
  const proposed = await run(
    'liam',
    `mutation { proposeSigningRule(input: { signingRuleId: "sgr_joint", arrangementId: "${account}",
      requiredSignatures: 2, signatoryPartyIds: ["pty_ada", "pty_grace"], reason: "Mandate" }) {
      state } }`,
  )
  expect(proposed.code).toBeUndefined()
  const approve = 'mutation { approveSigningRule(signingRuleId: "sgr_joint") { state } }'
  expect((await run('liam', approve)).code).toBe('SEGREGATION_OF_DUTIES')
  expect((await run('anna', approve)).data.approveSigningRule.state).toBe('APPROVED')
  expect(await pay('ada', 'pay_joint')).toBe('PENDING_SIGNATURES')
  const toSign = '{ paymentsToSign { nodes { paymentId signatures { party { displayName } } } } }'
  const listed = await run('grace', toSign)
  // Grace sees that Ada signed, but Ada's name belongs to Ada.
  expect(listed.data.paymentsToSign.nodes).toEqual([
    { paymentId: 'pay_joint', signatures: [{ party: null }] },
  ])
  expect((await run('mallory', toSign)).data.paymentsToSign.nodes).toEqual([])
  const sign = 'mutation { signPayment(paymentId: "pay_joint") { state } }'
  expect((await run('mallory', sign)).code).toBe('PAYMENT_NOT_FOUND')
  expect((await run('ada', sign)).code).toBe('ALREADY_SIGNED')
  expect((await run('liam', sign)).code).toBe('NOT_FOR_THE_BANK')
  expect((await run('grace', sign)).data.signPayment.state).toBe('SETTLED')
})

test('both receive the events of the account and of its payments', async () => {
  const typesOf = async (who: 'ada' | 'grace') => {
    const { data } = await run(
      who,
      '{ businessEvents(subject: "payment/pay_joint", first: 50) { nodes { type } } }',
    )
    return data.businessEvents.nodes.map(({ type }: { type: string }) => type.split('.').at(-1))
  }
  const expected = ['created', 'signature-requested', 'signed', 'settled']
  const [ada, grace] = await eventually(async () => {
    const both = [await typesOf('ada'), await typesOf('grace')]
    return both.every((each) => each.length === expected.length) && both
  })
  expect([ada, grace]).toEqual([expected, expected])
  const balances = await eventually(async () => {
    const { data } = await run(
      'grace',
      `{ businessEvents(subject: "balance/${account}", first: 50) { nodes { type } } }`,
    )
    return data.businessEvents.nodes.length > 0 && data.businessEvents.nodes
  })
  expect(balances[0]).toEqual({ type: 'accounts.balance.changed' })
})

test('over REST, a customer cannot post what needs further signatures, and the bank can', async () => {
  const posting = {
    type: 'transfer',
    debtorArrangementId: account,
    creditorArrangementId: 'arr_grace_current',
    amount: { amount: '1.00', currency: 'EUR' },
  }
  const rejected = await bank.rest('POST', '/v1/posting-instructions', posting, {
    token: tokens.ada,
    key: 'joint-1',
  })
  expect([rejected.status, rejected.body.code]).toEqual([403, 'SIGNATURES_REQUIRED'])
  const posted = await bank.rest('POST', '/v1/posting-instructions', posting, { key: 'joint-2' })
  expect(posted.status).toBe(200)
})

test('a holder who is removed no longer counts, and sees nothing', async () => {
  expect(await pay('grace', 'pay_joint_last')).toBe('PENDING_SIGNATURES')
  await run(
    'liam',
    'mutation { proposeAccountHolderRemoval(entitlementId: "ent_joint") { status } }',
  )
  const approve = 'mutation { approveAccountHolderRemoval(entitlementId: "ent_joint") { status } }'
  expect((await run('anna', approve)).data.approveAccountHolderRemoval.status).toBe('REVOKED')
  const sign = 'mutation { signPayment(paymentId: "pay_joint_last") { state } }'
  expect((await run('grace', sign)).code).toBe('PAYMENT_NOT_FOUND')
  expect((await run('ada', sign)).data.signPayment.state).toBe('PENDING_SIGNATURES')
  const seen = await run(
    'grace',
    '{ payment(paymentId: "pay_joint_last") { state } paymentsToSign { nodes { paymentId } } }',
  )
  expect(seen.data).toEqual({ payment: null, paymentsToSign: { nodes: [] } })
  const decline = 'mutation { declinePayment(paymentId: "pay_joint_last") { state reasonCode } }'
  expect((await run('ada', decline)).data.declinePayment).toEqual({
    state: 'REJECTED',
    reasonCode: 'SIGNATURE_DECLINED',
  })
})
