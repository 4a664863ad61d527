/**
 * Fees that are charged one by one: when something happens on an account, and by an employee. Each is
 * charged once, and the books tie after every test.
 */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { chargeEventFees } from '../../../subgraphs/fees/workers/charge-event-fees.ts'
import { aCaller, employee } from '../../kit/subgraph.ts'
import {
  aCustomer,
  aFeeBank,
  anAccount,
  aProduct,
  eur,
  income,
  pay,
  sequenced,
  type FeeBank,
} from './fee-kit.ts'
import {
  chargeFee,
  chargesOf,
  chargeEventTypes,
  expectChargesToTie,
  notaryFee,
  passDays,
  payable,
  preview,
  refund,
  returnFee,
  send,
  sendingFee,
} from './charge-kit.ts'
import { available, owedBy, runOnAccount } from './receivable-kit.ts'

let bank: FeeBank
beforeAll(async () => {
  bank = await aFeeBank()
  // The simulated rail to other banks exists only in the sandbox.
  bank.bank.environment = 'sandbox'
  await aCustomer(bank, 'ada')
  await aCustomer(bank, 'grace', 'student')
})
afterAll(() => bank.drop())
afterEach(() => expectChargesToTie(bank))

describe('fee on an event', () => {
  test('is charged once for each payment that was sent or returned', async () => {
    const productId = await aProduct(bank, sendingFee, returnFee)
    const arrangementId = await anAccount(bank, productId, { holds: '500.00' })
    const other = await anAccount(bank, await aProduct(bank), { holds: '500.00' })
    const before = Number(await income(bank))
    const paymentId = await send(bank, arrangementId, '120.00', 'RETURN AC04')
    await send(bank, other, '120.00', 'RETURN AC04')
    await passDays(bank, 7)
    await bank.chargeEvents()
    await bank.chargeEvents()
    const charges = await chargesOf(bank, arrangementId)
    expect(charges).toHaveLength(2)
    expect(charges[0]).toMatchObject({
      feeCode: 'sending',
      trigger: 'PAYMENT_SENT',
      triggerReference: paymentId,
      status: 'CHARGED',
      outcomeReason: null,
      amount: eur('1.20'),
      basis: eur('120.00'),
      receivable: null,
    })
    expect(charges[1]).toMatchObject({
      feeCode: 'return',
      trigger: 'PAYMENT_RETURNED',
      triggerReference: paymentId,
      amount: eur('3.50'),
    })
    // The payment itself came back.
    expect(await available(bank, arrangementId)).toBe('495.30')
    expect(Number(await income(bank)) - before).toBeCloseTo(4.7)
    expect(await chargesOf(bank, other)).toEqual([])
    expect(await chargeEventTypes(bank, charges[0].feeChargeId)).toEqual([
      ['triggered', ['pty_ada']],
      ['charged', ['pty_ada']],
    ])
    const { accountArrangement } = await bank.act(
      `{ accountArrangement(arrangementId: "${arrangementId}") { transactions { nodes { description } } } }`,
    )
    const texts = accountArrangement.transactions.nodes.map(({ description }: any) => description)
    expect(texts).toContainEqual(expect.stringMatching(/^Returned payment, 2026-\d\d-\d\d$/))
  })

  test('of an account without money becomes a receivable, which is collected later', async () => {
    const fee = { ...returnFee, trigger: 'STANDING_ORDER_MISSED' }
    const arrangementId = await anAccount(bank, await aProduct(bank, fee))
    const to = await anAccount(bank, await aProduct(bank))
    const startsOn = bankContext(bank.bank).now().toISOString().slice(0, 10)
    await bank.act(
      'mutation ($input: CreateStandingOrderInput!) { createStandingOrder(input: $input) { standingOrderId } }',
      {
        input: {
          debtorArrangementId: arrangementId,
          creditorArrangementId: to,
          amount: eur('80.00'),
          frequency: 'MONTHLY',
          startsOn,
          retryDays: 0,
        },
      },
    )
    await passDays(bank, 1)
    await bank.chargeEvents()
    const [charge] = await chargesOf(bank, arrangementId)
    expect(charge).toMatchObject({
      trigger: 'STANDING_ORDER_MISSED',
      status: 'CHARGED',
      outcomeReason: 'INSUFFICIENT_FUNDS',
      receivable: { status: 'OPEN', outstanding: { amount: '3.50' } },
      owed: { amount: '3.50' },
    })
    expect(await available(bank, arrangementId)).toBe('0.00')
    await pay(bank, arrangementId, 'IN', '10.00')
    await bank.collect()
    expect(await available(bank, arrangementId)).toBe('6.50')
    expect((await owedBy(bank, arrangementId))[0]).toMatchObject({ status: 'COLLECTED' })
    const [collected] = await chargesOf(bank, arrangementId)
    expect([collected.status, collected.owed]).toEqual(['CHARGED', { amount: '0.00' }])
  })

  test('of an account that owes several on one day is owed for each', async () => {
    const arrangementId = await anAccount(bank, await aProduct(bank, returnFee), { holds: '30.00' })
    for (let sent = 0; sent < 3; sent++) await send(bank, arrangementId, '10.00', 'RETURN AC04')
    await passDays(bank, 7)
    await pay(bank, arrangementId, 'OUT', '30.00')
    await bank.chargeEvents()
    const owed = await owedBy(bank, arrangementId)
    expect(owed.map(({ outstanding }) => outstanding.amount)).toEqual(['3.50', '3.50', '3.50'])
  })

  test('is waived under the conditions of the product', async () => {
    const waivers = [{ kind: 'CUSTOMER_SEGMENT', segment: 'student' }]
    const productId = await aProduct(bank, { ...sendingFee, waivers })
    const request = { customerId: 'cus_grace', holds: '100.00' }
    const arrangementId = await anAccount(bank, productId, request)
    await send(bank, arrangementId, '20.00')
    // The next business day may be after a weekend.
    await passDays(bank, 4)
    await bank.chargeEvents()
    const [charge] = await chargesOf(bank, arrangementId)
    expect(charge).toMatchObject({ status: 'WAIVED', outcomeReason: 'customer-segment' })
    expect(charge.postingInstruction).toBeNull()
    expect(await available(bank, arrangementId)).toBe('80.00')
  })

  test('of an account that was closed in the meantime fails, and nothing is booked', async () => {
    const arrangementId = await anAccount(bank, await aProduct(bank, sendingFee), {
      holds: '20.00',
    })
    await send(bank, arrangementId, '20.00')
    await passDays(bank, 4)
    const closing = ['requestAccountArrangementClosure', 'closeAccountArrangement']
    await runOnAccount(bank, arrangementId, ...closing)
    await bank.chargeEvents()
    const [charge] = await chargesOf(bank, arrangementId)
    expect(charge).toMatchObject({ status: 'FAILED', outcomeReason: 'ARRANGEMENT_CLOSED' })
    expect([charge.postingInstruction, charge.receivable]).toEqual([null, null])
  })

  // The first commit stores the position in the log with the fees that are due. The others charge them.
  test.each([0, 1, 2])('is charged once if the process dies after %s commits', async (commits) => {
    const productId = await aProduct(bank, sendingFee, { ...sendingFee, code: 'other' })
    const arrangementId = await anAccount(bank, productId, { holds: '100.00' })
    await send(bank, arrangementId, '20.00')
    // The next business day may be after a weekend.
    await passDays(bank, 4)
    await sequenced(bank)
    const { commits: committer, log } = bank.bank
    const { commit } = committer
    const { level } = log
    log.level = 'silent'
    let left = commits
    committer.commit = (statement) =>
      left-- > 0
        ? commit.call(committer, statement)
        : Promise.reject(new Error('The plug was pulled.'))
    await chargeEventFees.run(bankContext(bank.bank)).catch(() => undefined)
    committer.commit = commit
    log.level = level
    const done = (await chargesOf(bank, arrangementId)).filter(({ status }) => status === 'CHARGED')
    expect(done).toHaveLength(Math.max(commits - 1, 0))
    const context = bankContext(bank.bank)
    await Promise.all([chargeEventFees.run(context), chargeEventFees.run(context)])
    await bank.chargeEvents()
    const charges = await chargesOf(bank, arrangementId)
    expect(charges.map(({ status }) => status)).toEqual(['CHARGED', 'CHARGED'])
    expect(await available(bank, arrangementId)).toBe('79.00')
  })
})

describe('fee that an employee charges', () => {
  test('is previewed, charged, and owed to the third party', async () => {
    const productId = await aProduct(bank, notaryFee, returnFee)
    const arrangementId = await anAccount(bank, productId, { holds: '50.00' })
    const [before, owed] = [await income(bank), Number(await payable(bank, 'notary'))]
    const input = { arrangementId, feeCode: 'notary', reason: 'Mortgage deed' }
    expect(await preview(bank, input)).toEqual({
      feeCode: 'notary',
      feeName: 'Notarial certificate',
      amount: eur('40.00'),
      thirdParty: 'notary',
      outcome: 'CHARGED',
      outcomeReason: null,
    })
    expect(await available(bank, arrangementId)).toBe('50.00')
    const feeChargeId = `fch_${arrangementId}`
    const charge = await chargeFee(bank, { ...input, feeChargeId })
    expect(await chargeFee(bank, { ...input, feeChargeId })).toEqual(charge)
    expect(charge).toMatchObject({
      status: 'CHARGED',
      thirdParty: 'notary',
      reason: 'Mortgage deed',
    })
    expect(await available(bank, arrangementId)).toBe('10.00')
    expect(Number(await payable(bank, 'notary')) - owed).toBe(4_000)
    expect(await income(bank)).toBe(before)
    expect(await preview(bank, input)).toMatchObject({
      outcome: 'OWED',
      outcomeReason: 'INSUFFICIENT_FUNDS',
    })
    const second = await chargeFee(bank, input)
    expect(second.receivable).toMatchObject({ status: 'OPEN', outstanding: { amount: '40.00' } })
    // The bank bears a waiver: the third party still gets its money.
    await bank.act(
      `mutation { waiveFeeReceivable(feeReceivableId: "${second.receivable.feeReceivableId}",
        reason: "Hardship") { status } }`,
      {},
      employee,
    )
    expect(Number(await payable(bank, 'notary')) - owed).toBe(8_000)
    expect(Number(await income(bank)) - Number(before)).toBeCloseTo(-40)
  })

  test.each<[string, object, string]>([
    ['of an unknown code', { feeCode: 'gold' }, 'FEE_NOT_FOUND'],
    ['that only an event triggers', { feeCode: 'return' }, 'FEE_NOT_FOUND'],
    ['without the basis that it needs', { feeCode: 'share' }, 'FEE_NOT_CHARGEABLE'],
    [
      'on a basis in another currency',
      { basis: { amount: '1', currency: 'USD' } },
      'FEE_NOT_CHARGEABLE',
    ],
    ['to an unknown account', { arrangementId: 'arr_none' }, 'ARRANGEMENT_NOT_FOUND'],
    ['that is waived', { feeCode: 'free' }, 'FEE_WAIVED'],
  ])('%s is rejected', async (_what, more, code) => {
    const share = { code: 'share', frequency: 'ON_REQUEST', percent: '2' }
    const waivers = [{ kind: 'ACCOUNT_AGE', months: 1200 }]
    const free = { ...notaryFee, code: 'free', waivers }
    const productId = await aProduct(bank, notaryFee, returnFee, share, free)
    const arrangementId = await anAccount(bank, productId, { holds: '50.00' })
    const input = { arrangementId, feeCode: 'notary', ...more }
    await expect(chargeFee(bank, input)).rejects.toMatchObject({ code })
    expect(await chargesOf(bank, arrangementId)).toEqual([])
    expect(await available(bank, arrangementId)).toBe('50.00')
  })

  test('is visible to its customer only, who can neither charge nor preview', async () => {
    const arrangementId = await anAccount(bank, await aProduct(bank, notaryFee), { holds: '50.00' })
    const input = { arrangementId, feeCode: 'notary' }
    const { feeChargeId } = await chargeFee(bank, input)
    const [own, stranger] = [aCaller({ partyId: 'pty_ada' }), aCaller({ partyId: 'pty_grace' })]
    expect(await chargesOf(bank, arrangementId, own)).toMatchObject([{ feeChargeId }])
    expect(await chargesOf(bank, arrangementId, stranger)).toEqual([])
    const query = `{ feeCharge(feeChargeId: "${feeChargeId}") { status } }`
    expect((await bank.act(query, {}, own)).feeCharge).toEqual({ status: 'CHARGED' })
    expect((await bank.act(query, {}, stranger)).feeCharge).toBeNull()
    await expect(refund(bank, 'propose', 'fch_none')).rejects.toMatchObject({
      code: 'FEE_CHARGE_NOT_FOUND',
    })
    const code = 'NOT_FOR_DELEGATED_USERS'
    await expect(preview(bank, input, own)).rejects.toMatchObject({ code })
    await expect(refund(bank, 'propose', feeChargeId, own)).rejects.toMatchObject({ code })
  })
})
