import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, eur, post } from './kit.ts'
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
} from './signing-kit.ts'

const { ada, grace } = kit

/** Alan holds Ada's account as well, and Eve holds Grace's account and the savings of Ada. */
let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithSignatories()
  bank.bank.config.isStrongAuthenticationRequired = false
  await anAccount(bank, 'arr_savings')
  const savings = { arrangementId: 'arr_savings', partyId: 'pty_ada', currency: 'EUR' }
  await kit.publishAccount(bank, 'NL55BKGR0000000003', savings)
  await publish(bank, `account-holders/${account}`, { partyIds: ['pty_alan'] })
  for (const id of ['arr_grace', 'arr_savings']) {
    await publish(bank, `account-holders/${id}`, { partyIds: ['pty_eve'] })
  }
})
afterEach(async () => {
  await entitle(bank, 'pty_grace', 'transfer')
  await publish(bank, 'party/pty_grace', { status: 'active' })
  await setRule(bank)
})
afterAll(async () => {
  expect(await kit.findings(bank)).toEqual([])
  await bank.drop()
})

async function pay(caller: Caller, more: object = {}): Promise<string> {
  const { data, errors } = await kit.transfer(bank, kit.inside(more), { caller })
  expect(errors).toEqual([])
  return data.payment.paymentId
}

/** Returns who receives the events of a payment, by the last part of their type. */
async function receivers(paymentId: string): Promise<Record<string, readonly string[]>> {
  const events = (await bank.events()).filter(({ subject }) => subject === `payment/${paymentId}`)
  return Object.fromEntries(
    events.map(({ type, parties }) => [type.split('.').at(-1), parties.toSorted()]),
  )
}

describe('The events', () => {
  const signatories = ['pty_ada', 'pty_alan', 'pty_grace']

  test('of signatures go to the side of the debtor only', async () => {
    const paymentId = await pay(ada)
    await sign(bank, paymentId, alan)
    expect(await receivers(paymentId)).toEqual({
      created: ['pty_ada', 'pty_alan'],
      'signature-requested': signatories,
      signed: signatories,
      settled: ['pty_ada', 'pty_alan', 'pty_eve', 'pty_grace'],
    })
  })

  test('of a transfer between own accounts go to the holders of the creditor once it is settled', async () => {
    const toSavings = { creditorArrangementId: 'arr_savings' }
    const cancelled = await pay(ada, toSavings)
    await kit.cancel(bank, cancelled, { caller: ada })
    expect(await receivers(cancelled)).toEqual({
      created: ['pty_ada', 'pty_alan'],
      'signature-requested': signatories,
      cancelled: ['pty_ada', 'pty_alan'],
    })
    const settled = await pay(ada, toSavings)
    await sign(bank, settled, alan)
    expect(await receivers(settled)).toMatchObject({
      signed: signatories,
      settled: ['pty_ada', 'pty_alan', 'pty_eve'],
    })
  })

  test('of a payment from another bank go to the holders of the creditor', async () => {
    const incoming = {
      creditorIban: kit.adasIban,
      debtorIban: kit.outside,
      debtorName: 'Konrad Zuse',
      amount: eur('1.00'),
    }
    const { data } = await kit.receive(bank, incoming)
    const all = await receivers(data.payment.paymentId)
    expect(Object.values(all)).not.toEqual([])
    for (const parties of Object.values(all)) expect(parties).toEqual(['pty_ada', 'pty_alan'])
  })

  test('of signatures do not go to signatories that may no longer pay', async () => {
    const revoked = await pay(ada)
    await entitle(bank, 'pty_grace', null)
    await decline(bank, revoked, alan)
    expect((await receivers(revoked))['declined']).toEqual(['pty_ada', 'pty_alan'])
    await entitle(bank, 'pty_grace', 'transfer')
    const deceased = await pay(ada)
    await publish(bank, 'party/pty_grace', { status: 'deceased' })
    await sign(bank, deceased, alan)
    expect((await receivers(deceased))['signed']).toEqual(['pty_ada', 'pty_alan'])
  })
})

test('a deceased party does not act on the account of another', async () => {
  const waiting = await pay(ada)
  await publish(bank, 'party/pty_grace', { status: 'deceased' })
  const before = await kit.standing(bank, account)
  const asGrace = { caller: grace }
  expect((await kit.transfer(bank, kit.inside(), asGrace)).code).toBe('PARTY_DECEASED')
  await setRule(bank, { signatoryPartyIds: [] })
  expect((await kit.transfer(bank, kit.inside(), asGrace)).code).toBe('PARTY_DECEASED')
  expect((await kit.cancel(bank, waiting, asGrace)).code).toBe('PARTY_DECEASED')
  expect((await decline(bank, waiting, grace)).code).toBe('PARTY_DECEASED')
  expect(await kit.standing(bank, account)).toEqual(before)
  await kit.cancel(bank, waiting, { caller: ada })
})

describe('A posting', () => {
  const instruction = {
    type: 'TRANSFER',
    debtorArrangementId: account,
    creditorArrangementId: 'arr_grace',
    amount: eur('1.00'),
  }

  test('from the account of another does not disclose its rule', async () => {
    expect((await post(bank, instruction, { caller: ada })).code).toBe('SIGNATURES_REQUIRED')
    for (const caller of [eve, grace]) {
      expect((await post(bank, instruction, { caller })).code).toBe('ARRANGEMENT_NOT_FOUND')
    }
  })

  test('that was booked before a rule is approved is replayed', async () => {
    const once = { caller: ada, idempotencyKey: 'before-the-rule' }
    await setRule(bank, { signatoryPartyIds: [] })
    const booked = await post(bank, instruction, once)
    expect(booked.code).toBeUndefined()
    await setRule(bank)
    const before = await kit.standing(bank, account)
    const repeated = await post(bank, instruction, once)
    expect(repeated.data).toEqual(booked.data)
    expect(repeated.isReplayed).toBe(true)
    expect(await kit.standing(bank, account)).toEqual(before)
    const other = { ...instruction, amount: eur('2.00') }
    expect((await post(bank, other, once)).code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect((await post(bank, instruction, { caller: ada })).code).toBe('SIGNATURES_REQUIRED')
  })

  test('that was booked before the customer has a passkey is replayed', async () => {
    const once = { caller: ada, idempotencyKey: 'before-the-passkey' }
    await setRule(bank, { signatoryPartyIds: [] })
    const booked = await post(bank, instruction, once)
    expect(booked.code).toBeUndefined()
    bank.bank.config.isStrongAuthenticationRequired = true
    expect((await post(bank, instruction, { caller: ada })).code).toBe('APPROVAL_REQUIRED')
    const repeated = await post(bank, instruction, once)
    expect(repeated.data).toEqual(booked.data)
    bank.bank.config.isStrongAuthenticationRequired = false
  })
})
