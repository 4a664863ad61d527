import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { aCaller, employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { create } from './kit.ts'
import * as kit from './payments-kit.ts'
import {
  account,
  aBankWithSignatories,
  alan,
  decline,
  entitle,
  eve,
  publish,
  setRule,
  sign,
  signaturesOf,
  toSign,
} from './signing-kit.ts'

const { ada, grace } = kit

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithSignatories()
  bank.bank.config.isStrongAuthenticationRequired = false
})
afterEach(async () => {
  await entitle(bank, 'pty_grace', 'transfer')
  await entitle(bank, 'pty_alan', 'transfer')
  await setRule(bank)
})
afterAll(async () => {
  expect(await kit.findings(bank)).toEqual([])
  await bank.drop()
})

/** Creates a payment of 10.00 to Grace and returns it. */
async function pay(caller: Caller, more: object = {}) {
  const { data, code } = await kit.transfer(bank, kit.inside(more), { caller })
  expect(code).toBeUndefined()
  return data.payment as { paymentId: string; state: string; executionDate: string }
}

const balance = async () => (await kit.standing(bank, account)).committed

describe('With two of three signatories', () => {
  test('a payment waits, is visible to the signatories, and is made by the second signature', async () => {
    const before = await balance()
    const { paymentId, state } = await pay(ada)
    expect(state).toBe('PENDING_SIGNATURES')
    expect(await kit.standing(bank, account)).toEqual({ committed: before, promised: 0 })
    expect(await toSign(bank, ada)).not.toContain(paymentId)
    for (const caller of [grace, alan]) expect(await toSign(bank, caller)).toContain(paymentId)
    expect(await toSign(bank, eve)).toEqual([])
    expect(await toSign(bank)).toContain(paymentId)
    expect(await signaturesOf(bank, paymentId, alan)).toMatchObject({
      signing: {
        requiredSignatures: 2,
        signatoryPartyIds: ['pty_ada', 'pty_grace', 'pty_alan'],
        expiresAt: '2026-03-16T09:00:00.000Z',
      },
      signatures: [{ partyId: 'pty_ada', isInitiator: true }],
    })
    const { data } = await sign(bank, paymentId, alan)
    expect(data.payment).toMatchObject({
      state: 'SETTLED',
      signatures: [
        { partyId: 'pty_ada', isInitiator: true },
        { partyId: 'pty_alan', isInitiator: false },
      ],
    })
    expect(await balance()).toBe(before - 1000)
    expect(await toSign(bank, grace)).not.toContain(paymentId)
    const types = ['created', 'signature-requested', 'signed', 'settled']
    expect(await kit.eventsOf(bank, `payment/${paymentId}`)).toEqual(types)
    const [requested] = (await bank.events()).filter(
      ({ type, subject }) =>
        subject === `payment/${paymentId}` && type === 'payments.payment.signature-requested',
    )
    expect(requested!.parties).toEqual(['pty_ada', 'pty_grace', 'pty_alan'])
  })

  test('the creditor of a settled payment does not see who signed it', async () => {
    await entitle(bank, 'pty_alan', 'transfer')
    const { paymentId } = await pay(ada)
    await sign(bank, paymentId, alan)
    await entitle(bank, 'pty_grace', null)
    const seen = await signaturesOf(bank, paymentId, grace)
    expect(seen).toMatchObject({ state: 'SETTLED', signing: null, signatures: [] })
  })

  test('nobody signs twice, and only signatories who may pay sign', async () => {
    const { paymentId } = await pay(grace)
    expect((await sign(bank, paymentId, grace)).code).toBe('ALREADY_SIGNED')
    expect((await sign(bank, paymentId, eve)).code).toBe('PAYMENT_NOT_FOUND')
    expect((await decline(bank, paymentId, eve)).code).toBe('PAYMENT_NOT_FOUND')
    expect((await sign(bank, paymentId, employee)).code).toBe('NOT_FOR_THE_BANK')
    expect((await decline(bank, paymentId, aCaller())).code).toBe('NOT_FOR_THE_BANK')
    expect((await sign(bank, 'pay_none', ada)).code).toBe('PAYMENT_NOT_FOUND')
    await entitle(bank, 'pty_eve', 'transfer')
    expect((await sign(bank, paymentId, eve)).code).toBe('NOT_A_SIGNATORY')
    expect((await decline(bank, paymentId, eve)).code).toBe('NOT_A_SIGNATORY')
    await entitle(bank, 'pty_eve', null)
    await entitle(bank, 'pty_alan', 'view')
    expect((await sign(bank, paymentId, alan)).code).toBe('NOT_ENTITLED')
    expect((await sign(bank, paymentId, ada)).data.payment.state).toBe('SETTLED')
    expect((await sign(bank, paymentId, ada)).code).toBe('INVALID_STATE_TRANSITION')
  })

  test('the limit of a signatory applies to what the signatory signs', async () => {
    await entitle(bank, 'pty_alan', 'transfer', { amountMinor: '999', currency: 'EUR' })
    const { paymentId } = await pay(ada)
    expect((await sign(bank, paymentId, alan)).code).toBe('LIMIT_EXCEEDED')
  })

  test('one decline is enough', async () => {
    const before = await balance()
    const { paymentId } = await pay(ada)
    const { data } = await decline(bank, paymentId, alan)
    expect(data.payment).toMatchObject({ state: 'REJECTED', reasonCode: 'SIGNATURE_DECLINED' })
    expect((await sign(bank, paymentId, grace)).code).toBe('INVALID_STATE_TRANSITION')
    expect(await balance()).toBe(before)
    const types = ['created', 'signature-requested', 'declined', 'rejected']
    expect(await kit.eventsOf(bank, `payment/${paymentId}`)).toEqual(types)
  })

  test('the signature of a party that lost the right does not count', async () => {
    const { paymentId } = await pay(grace)
    await entitle(bank, 'pty_grace', null)
    const signed = await sign(bank, paymentId, alan)
    expect(signed.data.payment).toMatchObject({ state: 'PENDING_SIGNATURES' })
    expect(signed.data.payment.signatures).toHaveLength(2)
    expect((await sign(bank, paymentId, ada)).data.payment.state).toBe('SETTLED')
  })

  test('the signature of a deceased party does not count', async () => {
    const { paymentId } = await pay(grace)
    await publish(bank, 'party/pty_grace', { status: 'deceased' })
    const signed = await sign(bank, paymentId, alan)
    expect(signed.data.payment.state).toBe('PENDING_SIGNATURES')
    expect((await sign(bank, paymentId, grace)).code).toBe('ALREADY_SIGNED')
    await publish(bank, 'party/pty_grace', { status: 'active' })
  })

  test('the rule of the day of creation applies', async () => {
    const { paymentId } = await pay(ada)
    await setRule(bank, { requiredSignatures: 3 })
    expect((await sign(bank, paymentId, alan)).data.payment.state).toBe('SETTLED')
    const other = await pay(ada)
    await setRule(bank, { requiredSignatures: 1 })
    expect((await signaturesOf(bank, other.paymentId, ada)).state).toBe('PENDING_SIGNATURES')
    await sign(bank, other.paymentId, alan)
    const { state } = await signaturesOf(bank, other.paymentId, ada)
    expect(state).toBe('PENDING_SIGNATURES')
    expect((await sign(bank, other.paymentId, grace)).data.payment.state).toBe('SETTLED')
  })

  test('of two last signatures at the same time, one executes the payment', async () => {
    const before = await balance()
    const { paymentId } = await pay(ada)
    const other = bank.another()
    const signed = await Promise.all([
      sign(bank, paymentId, alan),
      other.execute(
        'mutation ($id: ID!) { payment: signPayment(paymentId: $id) { state } }',
        { id: paymentId },
        { caller: grace },
      ),
    ])
    const codes: string[] = signed.map(({ code, data }) => code ?? data.payment.state)
    expect(codes.toSorted()).toEqual(['INVALID_STATE_TRANSITION', 'SETTLED'])
    expect(await balance()).toBe(before - 1000)
  })

  test('a payment without enough money keeps waiting without the last signature', async () => {
    const { paymentId } = await pay(ada, { amount: { amount: '100000.00', currency: 'EUR' } })
    expect((await sign(bank, paymentId, alan)).code).toBe('INSUFFICIENT_FUNDS')
    const waiting = await signaturesOf(bank, paymentId, alan)
    expect(waiting.state).toBe('PENDING_SIGNATURES')
    expect(waiting.signatures).toHaveLength(1)
    const cancelled = await kit.cancel(bank, paymentId, { caller: grace })
    expect(cancelled.data.payment.state).toBe('CANCELLED')
  })

  test('a payment for a later day is scheduled when it is signed', async () => {
    const before = await balance()
    const { paymentId } = await pay(ada, { executionDate: '2026-03-03' })
    const { data } = await sign(bank, paymentId, grace)
    expect(data.payment).toMatchObject({ state: 'SCHEDULED', executionDate: '2026-03-03' })
    expect(await balance()).toBe(before)
    await kit.cancel(bank, paymentId, { caller: ada })
  })

  test('a payment to another bank is accepted when it is signed', async () => {
    const { data } = await kit.transfer(bank, kit.abroad(), { caller: ada })
    const { paymentId, state } = data.payment
    expect(state).toBe('PENDING_SIGNATURES')
    expect((await sign(bank, paymentId, alan)).data.payment.state).toBe('ACCEPTED')
  })
})

describe('The rule', () => {
  test('lets one signatory pay small amounts alone, and no one else', async () => {
    await setRule(bank, { fromMinor: '1001' })
    expect((await pay(ada)).state).toBe('SETTLED')
    const large = { amount: { amount: '10.01', currency: 'EUR' } }
    expect((await pay(ada, large)).state).toBe('PENDING_SIGNATURES')
    await entitle(bank, 'pty_eve', 'transfer')
    const prepared = await pay(eve)
    expect(prepared.state).toBe('PENDING_SIGNATURES')
    const { data } = await sign(bank, prepared.paymentId, grace)
    expect(data.payment).toMatchObject({
      state: 'SETTLED',
      signatures: [{ partyId: 'pty_grace', isInitiator: false }],
    })
    await entitle(bank, 'pty_eve', null)
  })

  test('does not apply to the bank and its machine clients', async () => {
    expect((await pay(employee)).state).toBe('SETTLED')
    expect((await pay(aCaller())).state).toBe('SETTLED')
  })

  test('does not let a customer post or order payments that cannot wait', async () => {
    const order = `mutation ($input: CreateStandingOrderInput!) {
      createStandingOrder(input: $input) { standingOrderId } }`
    const input = { ...kit.inside(), frequency: 'MONTHLY', startsOn: '2026-03-05' }
    const ordered = await bank.execute(order, { input }, { caller: ada })
    expect(ordered.code).toBe('SIGNATURES_REQUIRED')
    const amount = { amount: '6.00', currency: 'EUR' }
    const instruction = {
      type: 'TRANSFER',
      debtorArrangementId: account,
      creditorArrangementId: 'arr_grace',
      amount,
    }
    const single = await bank.execute(create, { input: instruction }, { caller: ada })
    expect(single.code).toBe('SIGNATURES_REQUIRED')
    await setRule(bank, { fromMinor: '1000' })
    const batch = { instructions: [instruction, instruction] }
    const split = await bank.execute(create, { input: batch }, { caller: ada })
    expect(split.code).toBe('SIGNATURES_REQUIRED')
    const small = await bank.execute(create, { input: instruction }, { caller: ada })
    expect(small.code).toBeUndefined()
  })

  test('does not let a customer resume a standing order of before', async () => {
    await setRule(bank, { signatoryPartyIds: [] })
    const input = { ...kit.inside(), frequency: 'MONTHLY', startsOn: '2026-04-05' }
    const { data } = await bank.execute(
      `mutation ($input: CreateStandingOrderInput!) {
        createStandingOrder(input: $input) { standingOrderId } }`,
      { input },
      { caller: ada },
    )
    const { standingOrderId: id } = data.createStandingOrder
    const change = (name: string) =>
      bank.execute(
        `mutation ($id: ID!) { ${name}(standingOrderId: $id) { state } }`,
        { id },
        { caller: ada },
      )
    expect((await change('pauseStandingOrder')).code).toBeUndefined()
    await setRule(bank)
    expect((await change('resumeStandingOrder')).code).toBe('SIGNATURES_REQUIRED')
    expect((await change('cancelStandingOrder')).code).toBeUndefined()
  })
})

// Moves the clock, so it is the last test.
test('a payment that is not signed within 14 days is rejected', async () => {
  const { paymentId } = await pay(ada)
  const run = () => kit.runOnce(bank, 'payments.expire-signatures')
  expect(await run()).toBe(0)
  bank.clock.set('2026-03-16T09:00:00.000Z')
  expect((await sign(bank, paymentId, alan)).code).toBe('SIGNATURES_EXPIRED')
  expect(await toSign(bank, alan)).not.toContain(paymentId)
  expect(await run()).toBeGreaterThan(0)
  expect(await run()).toBe(0)
  const expired = await signaturesOf(bank, paymentId, ada)
  expect(expired).toMatchObject({ state: 'REJECTED', reasonCode: 'SIGNATURES_EXPIRED' })
  const types = ['created', 'signature-requested', 'signatures-expired', 'rejected']
  expect(await kit.eventsOf(bank, `payment/${paymentId}`)).toEqual(types)
})
