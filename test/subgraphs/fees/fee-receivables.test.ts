/**
 * A fee that an account cannot pay stays owed and is collected once as money comes in. At every step
 * the control account fee-receivable equals the sum of the open receivables.
 */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { collectReceivables } from '../../../subgraphs/fees/commands/collect.ts'
import { collectFees } from '../../../subgraphs/fees/workers/collect-fees.ts'
import { aCaller, employee } from '../../kit/subgraph.ts'
import {
  accountFee,
  aCustomer,
  aFeeBank,
  anAccount,
  aProduct,
  charge,
  eur,
  income,
  pay,
  type FeeBank,
} from './fee-kit.ts'
import {
  runOnAccount,
  anAccountThatOwes,
  available,
  eventsOf,
  expectBooksToTie,
  owedBy,
} from './receivable-kit.ts'

let bank: FeeBank
beforeAll(async () => {
  bank = await aFeeBank()
  await aCustomer(bank, 'ada')
  await aCustomer(bank, 'grace')
})
afterAll(() => bank.drop())
afterEach(() => expectBooksToTie(bank))

describe('fee that the account cannot pay', () => {
  test('stays owed, and is collected once after the next credit', async () => {
    const before = Number(await income(bank))
    const { arrangementId, runs } = await anAccountThatOwes(bank, '3.00', '4.50')
    expect(runs[0]).toMatchObject({ status: 'COMPLETED', counts: { charged: 1, failed: 0 } })
    const [owed] = await owedBy(bank, arrangementId)
    expect(owed).toMatchObject({
      feeCode: 'fee-0',
      status: 'OPEN',
      dueSince: expect.stringMatching(/^2026-03-10T/),
      reasonCode: 'INSUFFICIENT_FUNDS',
      amount: eur('4.50'),
      outstanding: eur('4.50'),
      movements: [],
      settledAt: null,
    })
    const charged = (await bank.events()).find(
      ({ type, subject }) => type === 'pricing.fee.charged' && subject === `fee/${arrangementId}`,
    )
    expect(charged!.data).toMatchObject({ feeCode: 'fee-0', amount: '4.50', waivedFor: null })
    // No credit since: the balance is not touched.
    await bank.collect()
    expect(await available(bank, arrangementId)).toBe('3.00')
    await pay(bank, arrangementId, 'IN', '2000.00')
    await bank.collect()
    await bank.collect()
    expect(await available(bank, arrangementId)).toBe('1998.50')
    const [collected] = await owedBy(bank, arrangementId)
    expect(collected).toMatchObject({
      status: 'COLLECTED',
      collected: { amount: '4.50' },
      outstanding: eur('0.00'),
      settledAt: expect.any(String),
      movements: [{ kind: 'COLLECTION', amount: { amount: '4.50' } }],
    })
    expect(Number(await income(bank)) - before).toBeCloseTo(4.5)
    expect(await eventsOf(bank, owed.feeReceivableId)).toEqual([
      ['opened', ['pty_ada'], '4.50'],
      ['collected', ['pty_ada'], '0.00'],
    ])
  })

  test('is collected in parts, as far as the balance allows', async () => {
    const { arrangementId } = await anAccountThatOwes(bank, undefined, '4.50')
    for (const [amount, outstanding] of [
      ['1.00', '3.50'],
      ['2.00', '1.50'],
      ['5.00', '0.00'],
    ] as const) {
      await pay(bank, arrangementId, 'IN', amount)
      await bank.collect()
      const [{ outstanding: left }] = (await owedBy(bank, arrangementId)) as [any]
      expect(left.amount).toBe(outstanding)
    }
    expect(await available(bank, arrangementId)).toBe('3.50')
    const [{ feeReceivableId, movements }] = (await owedBy(bank, arrangementId)) as [any]
    expect(movements.map(({ amount }: any) => amount.amount)).toEqual(['1.00', '2.00', '1.50'])
    expect((await eventsOf(bank, feeReceivableId)).map(([fact]) => fact)).toEqual([
      'opened',
      'partially-collected',
      'partially-collected',
      'collected',
    ])
  })

  test('is collected after older ones, each in full before the next', async () => {
    const { arrangementId } = await anAccountThatOwes(bank, undefined, '4.00', '3.00', '2.00')
    await pay(bank, arrangementId, 'IN', '5.00')
    await bank.collect()
    const owed = await owedBy(bank, arrangementId)
    expect(owed.map(({ status, outstanding }) => [status, outstanding.amount])).toEqual([
      ['COLLECTED', '0.00'],
      ['OPEN', '2.00'],
      ['OPEN', '2.00'],
    ])
  })

  test('more than a hundred of one account do not keep the worker busy, and are collected in the end', async () => {
    const fee = { code: 'copy', name: 'Copy', frequency: 'ON_REQUEST', amount: eur('1.00') }
    const arrangementId = await anAccount(bank, await aProduct(bank, fee))
    for (let count = 0; count < 120; count++) {
      const input = `{ arrangementId: "${arrangementId}", feeCode: "copy" }`
      await bank.act(`mutation { chargeFee(input: ${input}) { status } }`, {}, employee)
    }
    const queued = async () => {
      const sql =
        'select from operations.fee_receivable where arrangement_id = $1 and is_collection_due'
      return (await bank.rows(sql, [arrangementId])).length
    }
    await pay(bank, arrangementId, 'IN', '3.00')
    await bank.collect()
    expect(await queued()).toBe(0)
    await pay(bank, arrangementId, 'IN', '117.00')
    await bank.collect()
    expect(await queued()).toBe(0)
    expect((await owedBy(bank, arrangementId)).filter((each) => each.status === 'OPEN')).toEqual([])
  })

  test('waits until a blocked account is unblocked', async () => {
    const productId = await aProduct(bank, accountFee)
    const account = await anAccount(bank, productId, { holds: '50.00' })
    await bank.act(
      `mutation { blockAccountArrangement(arrangementId: "${account}", kind: DEBIT) { state } }`,
    )
    await charge(bank, productId)
    await pay(bank, account, 'IN', '10.00')
    await bank.collect()
    expect(await owedBy(bank, account)).toMatchObject([
      { status: 'OPEN', reasonCode: 'ARRANGEMENT_BLOCKED' },
    ])
    await runOnAccount(bank, account, 'unblockAccountArrangement')
    await bank.collect()
    expect(await owedBy(bank, account)).toMatchObject([{ status: 'COLLECTED' }])
    expect(await available(bank, account)).toBe('55.50')
  })

  test('does not count as a payment for fees per event when it is collected', async () => {
    const productId = await aProduct(
      bank,
      { ...accountFee, frequency: 'PER_EVENT', amount: eur('0.25') },
      { ...accountFee, code: 'other' },
    )
    const account = await anAccount(bank, productId)
    await charge(bank, productId, { feeCode: 'other' })
    await pay(bank, account, 'IN', '10.00')
    await bank.collect()
    await pay(bank, account, 'OUT', '1.00')
    expect((await charge(bank, productId)).totals).toEqual([eur('0.25')])
  })

  test('is visible to its owner only', async () => {
    const { arrangementId } = await anAccountThatOwes(bank, undefined, '4.50')
    const [ada, grace] = [aCaller({ partyId: 'pty_ada' }), aCaller({ partyId: 'pty_grace' })]
    const [{ feeReceivableId }] = (await owedBy(bank, arrangementId, ada)) as [any]
    const one = `{ feeReceivable(feeReceivableId: "${feeReceivableId}") { status } }`
    expect((await bank.act(one, {}, ada)).feeReceivable.status).toBe('OPEN')
    expect((await bank.act(one, {}, grace)).feeReceivable).toBeNull()
    const list = `{ feeReceivables(arrangementId: "${arrangementId}") { nodes { feeReceivableId } } }`
    expect((await bank.act(list, {}, ada)).feeReceivables.nodes).toHaveLength(1)
    expect((await bank.act(list, {}, grace)).feeReceivables.nodes).toEqual([])
  })
})

describe('collection of owed fees', () => {
  test('happens once when two processes collect at once', async () => {
    const { arrangementId } = await anAccountThatOwes(bank, undefined, '4.50', '3.00')
    await pay(bank, arrangementId, 'IN', '100.00')
    const other = bank.another()
    const contexts = [bank.bank, other.bank, bank.bank, other.bank].map((one) => bankContext(one))
    await Promise.all(contexts.map((context) => collectReceivables(context, arrangementId)))
    expect(await available(bank, arrangementId)).toBe('92.50')
    const owed = await owedBy(bank, arrangementId)
    expect(owed.map(({ movements }) => movements.length)).toEqual([1, 1])
  })

  test('never overdraws the account in a race with a payment', async () => {
    const { arrangementId } = await anAccountThatOwes(bank, undefined, '4.50')
    await pay(bank, arrangementId, 'IN', '5.00')
    const collecting = collectReceivables(bankContext(bank.another().bank), arrangementId)
    await Promise.allSettled([collecting, pay(bank, arrangementId, 'OUT', '3.00')])
    await pay(bank, arrangementId, 'IN', '10.00')
    await bank.collect()
    expect(await owedBy(bank, arrangementId)).toMatchObject([{ status: 'COLLECTED' }])
    expect(['7.50', '10.50']).toContain(await available(bank, arrangementId))
  })

  // Queueing is one commit, and so is the collection of each account.
  test.each([0, 1, 2])(
    'resumes after a crash that follows %s commits, and happens once',
    async (commits) => {
      const accounts = [
        await anAccountThatOwes(bank, undefined, '4.50'),
        await anAccountThatOwes(bank, undefined, '4.50'),
      ].map(({ arrangementId }) => arrangementId)
      await bank.collect()
      for (const account of accounts) await pay(bank, account, 'IN', '10.00')
      const { commits: commit } = bank.bank
      const original = commit.commit
      let left = commits
      commit.commit = (statement) =>
        left-- > 0
          ? original.call(commit, statement)
          : Promise.reject(new Error('The plug was pulled.'))
      bank.bank.log.level = 'silent'
      await collectFees.run(bankContext(bank.bank)).catch(() => 0)
      commit.commit = original
      bank.bank.log.level = 'error'
      await bank.collect()
      for (const account of accounts) expect(await available(bank, account)).toBe('5.50')
    },
  )

  test('is started by the bank on request, as far as the balance allows', async () => {
    const { arrangementId } = await anAccountThatOwes(bank, '3.00', '4.50')
    const request = `mutation { collectFeeReceivables(arrangementId: "${arrangementId}") {
      status outstanding { amount } } }`
    const { collectFeeReceivables } = await bank.act(request)
    expect(collectFeeReceivables).toEqual([{ status: 'OPEN', outstanding: { amount: '1.50' } }])
    const refused = bank.act(request, {}, aCaller({ partyId: 'pty_ada' }))
    await expect(refused).rejects.toMatchObject({ code: 'NOT_FOR_DELEGATED_USERS' })
    const unknown = 'mutation { collectFeeReceivables(arrangementId: "arr_none") { status } }'
    await expect(bank.act(unknown)).rejects.toMatchObject({ code: 'ARRANGEMENT_NOT_FOUND' })
  })
})
