import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller, employee } from '../../kit/subgraph.ts'
import { ada, bank, newId, open, openBank, publish } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const grace = aCaller({ partyId: 'pty_grace' })
const olga = aCaller({ subject: 'olga' })

async function anAccount(): Promise<string> {
  const arrangementId = newId()
  const input = { arrangementId, customerId: 'cus_ada', productId: 'prd_current' }
  expect((await bank.execute(open, { input })).code).toBeUndefined()
  await entitleGrace(arrangementId, 'transfer')
  return arrangementId
}

const entitleGrace = (arrangementId: string, right: string) =>
  publish('entitlements-of/pty_grace', {
    grants: [{ resource: `arrangement/${arrangementId}`, right, limit: null, validTo: null }],
  })

const propose = (arrangementId: string, more: object = {}, caller = employee) => {
  const input = {
    arrangementId,
    requiredSignatures: 2,
    signatoryPartyIds: ['pty_ada', 'pty_grace'],
    reason: 'Mandate of 2 March',
    ...more,
  }
  const document = `mutation ($input: ProposeSigningRuleInput!) {
    rule: proposeSigningRule(input: $input) { signingRuleId state proposedBy fromAmount { amount } } }`
  return bank.execute(document, { input }, { caller })
}

const decide = (name: string, id: string, caller = olga) =>
  bank.execute(
    `mutation ($id: ID!) { rule: ${name}(signingRuleId: $id) { state decidedBy } }`,
    { id },
    { caller },
  )

const ruleOf = async (arrangementId: string, caller = employee) => {
  const document = `query ($id: ID!) { accountArrangement(arrangementId: $id) { signingRule {
    requiredSignatures signatoryPartyIds fromAmount { amount currency } reason proposedBy } } }`
  const { data } = await bank.execute(document, { id: arrangementId }, { caller })
  return data.accountArrangement.signingRule
}

test('a signing rule is proposed, approved by another person, and shown to holders', async () => {
  const id = await anAccount()
  const fromAmount = { amount: '100.00', currency: 'EUR' }
  const { data } = await propose(id, { fromAmount })
  const { signingRuleId } = data.rule
  expect(data.rule).toMatchObject({ state: 'PROPOSED', fromAmount: { amount: '100.00' } })
  expect(await ruleOf(id)).toBeNull()
  expect((await decide('approveSigningRule', signingRuleId, employee)).code).toBe(
    'SEGREGATION_OF_DUTIES',
  )
  const approved = await decide('approveSigningRule', signingRuleId)
  expect(approved.data.rule).toEqual({ state: 'APPROVED', decidedBy: 'olga' })
  const rule = {
    requiredSignatures: 2,
    signatoryPartyIds: ['pty_ada', 'pty_grace'],
    fromAmount,
  }
  expect(await ruleOf(id)).toMatchObject({ ...rule, reason: 'Mandate of 2 March' })
  const hidden = { ...rule, reason: null, proposedBy: null }
  expect([await ruleOf(id, ada), await ruleOf(id, grace)]).toEqual([hidden, hidden])
  expect(await bank.fact(`signing-rule/${id}`)).toEqual({
    arrangementId: id,
    signingRuleId,
    requiredSignatures: 2,
    fromMinor: '10000',
    signatoryPartyIds: ['pty_ada', 'pty_grace'],
  })
  const events = (await bank.events()).filter(
    ({ subject }) => subject === `signing-rule/${signingRuleId}`,
  )
  expect(events.map(({ type, parties }) => [type, parties])).toEqual([
    ['accounts.signing-rule.proposed', []],
    ['accounts.signing-rule.approved', ['pty_ada', 'pty_grace']],
  ])
})

test('the rule that was approved last applies, and an empty one ends it', async () => {
  const id = await anAccount()
  const approve = async (more: object) => {
    const { data } = await propose(id, more)
    bank.clock.advance(1000)
    expect((await decide('approveSigningRule', data.rule.signingRuleId)).code).toBeUndefined()
  }
  await approve({})
  await approve({ requiredSignatures: 1 })
  expect(await ruleOf(id)).toMatchObject({ requiredSignatures: 1 })
  await approve({ requiredSignatures: 1, signatoryPartyIds: [] })
  expect(await ruleOf(id)).toBeNull()
})

test('a rejected rule does not apply', async () => {
  const id = await anAccount()
  const { data } = await propose(id)
  const rejected = await decide('rejectSigningRule', data.rule.signingRuleId)
  expect(rejected.data.rule.state).toBe('REJECTED')
  expect(await ruleOf(id)).toBeNull()
  const again = await decide('approveSigningRule', data.rule.signingRuleId)
  expect(again.code).toBe('INVALID_STATE_TRANSITION')
  const unknown = await decide('approveSigningRule', 'sgr_none')
  expect(unknown.code).toBe('SIGNING_RULE_NOT_FOUND')
})

test('a signatory must be entitled to pay when the rule is proposed and when it is approved', async () => {
  const id = await anAccount()
  const stranger = await propose(id, { signatoryPartyIds: ['pty_ada', 'pty_eve'] })
  expect(stranger.code).toBe('SIGNATORY_NOT_ENTITLED')
  const { data } = await propose(id)
  await entitleGrace(id, 'view')
  const { code } = await decide('approveSigningRule', data.rule.signingRuleId)
  expect(code).toBe('SIGNATORY_NOT_ENTITLED')
})

test.each([
  ['no signature', { requiredSignatures: 0 }, 'VALIDATION_FAILED'],
  ['more signatures than signatories', { requiredSignatures: 3 }, 'VALIDATION_FAILED'],
  ['two signatures of nobody', { signatoryPartyIds: [] }, 'VALIDATION_FAILED'],
  ['a signatory twice', { signatoryPartyIds: ['pty_ada', 'pty_ada'] }, 'VALIDATION_FAILED'],
  [
    'too many signatories',
    { signatoryPartyIds: Array.from({ length: 21 }, (_, index) => `pty_${index}`) },
    'VALIDATION_FAILED',
  ],
  ['no amount', { fromAmount: { amount: '0.00', currency: 'EUR' } }, 'INVALID_AMOUNT'],
  ['another currency', { fromAmount: { amount: '1.00', currency: 'USD' } }, 'CURRENCY_MISMATCH'],
  ['an unknown account', { arrangementId: 'arr_none' }, 'ARRANGEMENT_NOT_FOUND'],
])('a rule with %s is rejected', async (_, more, code) => {
  expect((await propose(await anAccount(), more)).code).toBe(code)
})

test('customers neither propose nor decide, nor see proposals', async () => {
  const id = await anAccount()
  expect((await propose(id, {}, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
  const { data } = await propose(id)
  const { signingRuleId } = data.rule
  const approved = await decide('approveSigningRule', signingRuleId, ada)
  expect(approved.code).toBeDefined()
  const list = await bank.execute('{ signingRules { nodes { state } } }', {}, { caller: ada })
  expect(list.code).toBe('NOT_FOR_DELEGATED_USERS')
  const all = await bank.execute(
    'query ($id: ID) { signingRules(arrangementId: $id, state: PROPOSED) { nodes { signingRuleId } } }',
    { id },
    { caller: employee },
  )
  expect(all.data.signingRules.nodes).toEqual([{ signingRuleId }])
})

test('a deceased party does not end the account of another', async () => {
  const id = await anAccount()
  await entitleGrace(id, 'manage')
  const requestClosure = () =>
    bank.execute(
      `mutation ($id: ID!) { requestAccountArrangementClosure(arrangementId: $id) { state } }`,
      { id },
      { caller: grace },
    )
  await publish('party/pty_grace', { status: 'deceased' })
  expect((await requestClosure()).code).toBe('PARTY_DECEASED')
  await publish('party/pty_grace', { status: 'active' })
  expect((await requestClosure()).code).toBeUndefined()
})
