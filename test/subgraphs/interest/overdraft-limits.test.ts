/** Limits of overdrafts: who proposes and approves them, and when they apply. */
import 'reflect-metadata'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { interruptRead } from '../../kit/interrupted.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { ada, anInterestBank, eur, newId, post, start, type InterestBank } from './kit.ts'
import {
  accountOf,
  aCurrentAccount,
  aCurrentProduct,
  approve,
  arrange,
  nightOf,
  propose,
  proposer,
  reconcileOverdrafts,
} from './overdraft-kit.ts'

let bank: InterestBank
let productId: string
beforeAll(async () => {
  bank = await anInterestBank()
  productId = await aCurrentProduct(bank, { noticeDays: 10 })
})
beforeEach(() => bank.clock.set(start))
afterAll(() => bank.drop())

const limitOf = async (id: string) => (await accountOf(bank, id)).overdraftLimit.amount
const pay = (id: string, amount: string, valueDate?: string) =>
  post(bank, id, 'OUT', amount, valueDate)

describe('The limit', () => {
  test('comes with the account on the terms of the product', async () => {
    const id = await aCurrentAccount(bank, productId, '300.00')
    const { overdraftLimit, overdraft, overdrafts, balances } = await accountOf(bank, id)
    expect(overdraftLimit.amount).toBe('300.00')
    expect(balances[0].available).toBe('300.00')
    expect(overdraft).toMatchObject({
      state: 'APPROVED',
      limit: { amount: '300.00' },
      interestFreeAmount: { amount: '0.00' },
      annualRatePct: '3.65',
      unarrangedRatePct: '7.30',
      validFrom: '2026-01-01',
      validTo: null,
    })
    expect(overdrafts).toEqual([overdraft])
  })

  test('takes two persons, and then lets money out up to it', async () => {
    const id = await aCurrentAccount(bank, productId)
    await expect(pay(id, '0.01')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    const overdraftId = await propose(bank, id, '1000.00', { annualRatePct: '2.5' })
    expect(await limitOf(id)).toBe('0.00')
    await expect(approve(bank, overdraftId, proposer)).rejects.toMatchObject({
      code: 'SEGREGATION_OF_DUTIES',
    })
    await expect(approve(bank, overdraftId, aCaller())).rejects.toMatchObject({
      code: 'PERSON_REQUIRED',
    })
    expect(await approve(bank, overdraftId)).toEqual({ approveOverdraft: { state: 'APPROVED' } })
    const { overdraft } = await accountOf(bank, id)
    expect(overdraft).toMatchObject({ annualRatePct: '2.5', unarrangedRatePct: '7.30' })
    expect([overdraft.proposedBy, overdraft.decidedBy]).toEqual(['liam', 'anna'])
    await pay(id, '1000.00')
    await expect(pay(id, '0.01')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  test('is lowered only with notice below a limit that is approved at the same time', async () => {
    const id = await aCurrentAccount(bank, productId, '300.00')
    const [higher, lower] = [await propose(bank, id, '2000.00'), await propose(bank, id, '500.00')]
    interruptRead(bank.bank, 'accountOverdraft', () => approve(bank, higher))
    await expect(approve(bank, lower)).rejects.toMatchObject({ code: 'OVERDRAFT_NOTICE_TOO_SHORT' })
    expect(await limitOf(id)).toBe('2000.00')
  })

  test('is lowered only with notice, and then holds back what exceeds it', async () => {
    const id = await aCurrentAccount(bank, productId, '1000.00')
    await pay(id, '800.00')
    await expect(propose(bank, id, '200.00')).rejects.toMatchObject({
      code: 'OVERDRAFT_NOTICE_TOO_SHORT',
    })
    await arrange(bank, id, '200.00', { validFrom: '2026-01-11' })
    expect((await accountOf(bank, id)).overdrafts).toHaveLength(2)
    await nightOf(bank, '2026-01-10')
    expect(await limitOf(id)).toBe('1000.00')
    await nightOf(bank, '2026-01-11')
    const { overdraftLimit, balances } = await accountOf(bank, id)
    expect([overdraftLimit.amount, balances[0].available]).toEqual(['200.00', '-600.00'])
    await expect(pay(id, '1.00')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    await post(bank, id, 'IN', '650.00')
    expect((await accountOf(bank, id)).balances[0].available).toBe('50.00')
    await reconcileOverdrafts(bank)
  })

  test('is raised for some days, after which the one before applies again', async () => {
    const id = await aCurrentAccount(bank, productId, '300.00')
    await arrange(bank, id, '900.00', { validFrom: '2026-01-05', validTo: '2026-01-07' })
    const limits: string[] = []
    for (const day of ['2026-01-04', '2026-01-05', '2026-01-07', '2026-01-08']) {
      await nightOf(bank, day)
      limits.push(await limitOf(id))
    }
    expect(limits).toEqual(['300.00', '900.00', '900.00', '300.00'])
    const types = (await bank.events())
      .filter(({ subject }) => subject === `arrangement/${id}`)
      .map(({ type }) => type.split('.').at(-1))
    expect(types).toEqual(['opened', 'overdraft-limit-changed', 'overdraft-limit-changed'])
  })

  test('of two that are approved at the same time, both count', async () => {
    const id = await aCurrentAccount(bank, productId)
    const ids = [
      await propose(bank, id, '400.00'),
      await propose(bank, id, '500.00', { validFrom: '2026-01-03' }),
    ]
    await Promise.all(ids.map((each) => approve(bank, each)))
    const { overdrafts, overdraftLimit } = await accountOf(bank, id)
    expect(overdraftLimit.amount).toBe('400.00')
    expect(overdrafts).toHaveLength(2)
    const [fact] = await bank.rows('select data from kernel.fact where subject = $1', [
      `overdrafts/${id}`,
    ])
    expect((fact as any).data.overdrafts).toHaveLength(2)
  })

  test.each<[string, object, string]>([
    ['above the maximum of the product', { limit: eur('5000.01') }, 'PARAMETER_OUT_OF_RANGE'],
    ['below zero', { limit: eur('-1.00') }, 'PARAMETER_OUT_OF_RANGE'],
    ['in another currency', { limit: { amount: '1.00', currency: 'USD' } }, 'CURRENCY_MISMATCH'],
    ['from a day that has passed', { validFrom: '2025-12-31' }, 'INVALID_DATE_RANGE'],
    [
      'that ends before it begins',
      { validFrom: '2026-01-02', validTo: '2026-01-01' },
      'INVALID_DATE_RANGE',
    ],
    ['with a negative rate', { annualRatePct: '-0.1' }, 'VALIDATION_FAILED'],
    ['with too many decimals', { unarrangedRatePct: '1.1234567' }, 'VALIDATION_FAILED'],
    ['of an unknown account', { arrangementId: 'arr_unknown' }, 'ARRANGEMENT_NOT_FOUND'],
  ])('%s is rejected', async (_, more, code) => {
    const id = await aCurrentAccount(bank, productId)
    await expect(propose(bank, id, '500.00', more)).rejects.toMatchObject({ code })
  })

  test('is not approved if nobody proposed it', async () => {
    await expect(approve(bank, 'ovd_unknown')).rejects.toMatchObject({
      code: 'OVERDRAFT_NOT_FOUND',
    })
  })

  test('needs a product with terms, and an account that is open', async () => {
    const plainId = newId('prd')
    const input = `{ productId: "${plainId}", name: "Plain", productClass: "current-account",
      status: "active", version: "2026.1" }`
    await bank.act(`mutation { createProduct(input: ${input}) { productId } }`)
    const plain = await aCurrentAccount(bank, plainId, '100.00')
    expect(await accountOf(bank, plain)).toMatchObject({
      overdraftLimit: { amount: '100.00' },
      overdraft: null,
      overdraftInterest: null,
    })
    await expect(propose(bank, plain, '500.00')).rejects.toMatchObject({
      code: 'OVERDRAFT_NOT_OFFERED',
    })
    const closing = await aCurrentAccount(bank, productId)
    await bank.act(
      `mutation { requestAccountArrangementClosure(arrangementId: "${closing}") { state } }`,
    )
    await expect(propose(bank, closing, '500.00')).rejects.toMatchObject({
      code: 'OVERDRAFT_NOT_OFFERED',
    })
  })
})

describe('What customers see', () => {
  test('is what was approved, without who decided; never a proposal', async () => {
    const id = await aCurrentAccount(bank, productId, '300.00')
    await propose(bank, id, '2000.00')
    const { overdraft, overdrafts, overdraftInterest } = await accountOf(bank, id, ada)
    expect(overdrafts).toEqual([overdraft])
    expect(overdraft).toMatchObject({ limit: { amount: '300.00' }, state: 'APPROVED' })
    expect([overdraft.reason, overdraft.proposedBy, overdraft.decidedBy]).toEqual([
      null,
      null,
      null,
    ])
    expect(overdraftInterest.accrued.amount).toBe('0.00')
    for (const query of [
      '{ overdrafts { nodes { overdraftId } } }',
      `mutation { proposeOverdraft(input: { arrangementId: "${id}", reason: "Please",
        limit: { amount: "900.00", currency: "EUR" } }) { state } }`,
      `mutation { chargeOverdraftInterest(arrangementId: "${id}") { accruedThrough } }`,
    ]) {
      await expect(bank.act(query, {}, ada)).rejects.toMatchObject({
        code: 'NOT_FOR_DELEGATED_USERS',
      })
    }
    const events = (await bank.events()).filter(({ type }) =>
      type.startsWith('accounts.overdraft.'),
    )
    for (const { type, parties } of events) {
      expect(parties).toEqual(type.endsWith('approved') ? ['pty_ada'] : [])
    }
  })
})
