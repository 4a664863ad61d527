import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  aBankWithMoney,
  abroad,
  ada,
  adasIban,
  cancel,
  findings,
  outside,
  paymentOf,
  receive,
  runOnce,
  standing,
  eventsOf,
  transfer,
  work,
} from './payments-kit.ts'
import { pay, post } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  // The Thursday before Easter.
  bank = await aBankWithMoney('2026-04-02T09:00:00.000Z')
  bank.bank.environment = 'sandbox'
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

const send = async (more: object = {}) => (await transfer(bank, abroad(more))).data.payment
const now = async (id: string) => (await paymentOf(bank, id)).data.payment
const books = async () => ({
  ada: await standing(bank, 'arr_ada'),
  transit: (await standing(bank, 'settlement-sct/EUR')).committed,
  nostro: (await standing(bank, 'nostro/EUR')).committed,
})

test('reserves a payment, sends it at the cut-off, and settles it after Easter', async () => {
  const sent = await send()
  expect(sent).toMatchObject({
    rail: 'SCT',
    isSimulated: true,
    state: 'ACCEPTED',
    creditorIban: outside,
    cutOffAt: '2026-04-02T15:00:00.000Z',
  })
  const promised = { committed: 100_000, promised: 1000 }
  expect(await books()).toEqual({ ada: promised, transit: 0, nostro: 0 })

  bank.clock.set('2026-04-02T14:59:59Z')
  await work(bank)
  expect((await now(sent.paymentId)).state).toBe('ACCEPTED')
  bank.clock.set('2026-04-02T15:00:00Z')
  await work(bank)
  const paid = { committed: 99_000, promised: 0 }
  expect((await now(sent.paymentId)).state).toBe('SUBMITTED')
  expect(await books()).toEqual({ ada: paid, transit: -1000, nostro: 0 })

  bank.clock.set('2026-04-02T15:15:00Z')
  await work(bank)
  expect((await now(sent.paymentId)).state).toBe('ACKNOWLEDGED')
  bank.clock.set('2026-04-07T06:59:59Z')
  await work(bank)
  expect((await now(sent.paymentId)).state).toBe('ACKNOWLEDGED')
  bank.clock.set('2026-04-07T07:00:00Z')
  await work(bank)
  expect(await now(sent.paymentId)).toMatchObject({ state: 'SETTLED', reasonCode: null })
  expect(await books()).toEqual({ ada: paid, transit: 0, nostro: -1000 })
  expect(await eventsOf(bank, `payment/${sent.paymentId}`)).toEqual([
    'created',
    'accepted',
    'submitted',
    'acknowledged',
    'settled',
  ])
  const { batchId } = await now(sent.paymentId)
  const facts = ['sent', 'acknowledged', 'settled']
  expect(await eventsOf(bank, `rail-batch/${batchId}`)).toEqual(facts)
})

test('sends a payment once with three workers, and one batch per cut-off', async () => {
  const payments = [await send(), await send(), await send()]
  const before = await books()
  bank.clock.set('2026-04-07T15:00:00Z')
  const run = () => runOnce(bank, 'payments.run-sct')
  await Promise.all([run(), run(), run()])
  const after = await Promise.all(payments.map(({ paymentId }) => now(paymentId)))
  expect(new Set(after.map(({ batchId }) => batchId)).size).toBe(1)
  expect((await books()).transit).toBe(before.transit - 3000)
})

describe('cancellation of an external payment', () => {
  test('releases the reserved amount before the cut-off', async () => {
    const sent = await send()
    const before = await books()
    expect((await cancel(bank, sent.paymentId)).data.payment.state).toBe('CANCELLED')
    expect((await books()).ada).toEqual({ ...before.ada, promised: before.ada.promised - 1000 })
  })

  test('is rejected after the cut-off', async () => {
    const sent = await send()
    bank.clock.set('2026-04-08T15:00:00Z')
    await work(bank)
    const refused = await cancel(bank, sent.paymentId)
    expect(refused.code).toBe('INVALID_STATE_TRANSITION')
    expect(refused.errors[0]!.extensions).toMatchObject({ currentState: 'submitted' })
  })
})

describe('returned payment', () => {
  test('is credited a business day after its settlement, with the reason', async () => {
    bank.clock.set('2026-04-09T09:00:00Z')
    const before = await books()
    const sent = await send({ creditorName: 'RETURN AC04' })
    // Thursday's payment settles on Friday and is returned on Monday; one jump of the clock does it all.
    bank.clock.set('2026-04-13T09:59:59Z')
    await work(bank)
    expect((await now(sent.paymentId)).state).toBe('SETTLED')
    bank.clock.set('2026-04-13T10:00:00Z')
    await work(bank)
    expect(await now(sent.paymentId)).toMatchObject({ state: 'RETURNED', reasonCode: 'AC04' })
    expect((await books()).ada).toEqual(before.ada)
    expect((await eventsOf(bank, `payment/${sent.paymentId}`)).at(-1)).toBe('returned')
  })

  test('goes to the suspense account when its account has been closed', async () => {
    const sent = await send({ creditorName: 'RETURN AC06' })
    bank.clock.set('2026-04-14T09:00:00Z')
    await work(bank)
    const guard =
      'update ledger.balance set is_closed = $1, stamp = gen_random_uuid() where account_id = $2'
    await bank.rows(guard, [true, 'arr_ada'])
    bank.clock.set('2026-04-20T12:00:00Z')
    await work(bank)
    await bank.rows(guard, [false, 'arr_ada'])
    expect((await now(sent.paymentId)).state).toBe('RETURNED')
    expect((await standing(bank, 'suspense/EUR')).committed).toBe(1000)
  })
})

test('completes every payment when the clock jumps by a year', async () => {
  const sent = await send()
  bank.clock.set('2027-04-20T12:00:00Z')
  await work(bank)
  expect((await now(sent.paymentId)).state).toBe('SETTLED')
  expect((await books()).transit).toBe(0)
})

test('postpones the payment of a suspended account to the next cut-off, and sends the others', async () => {
  const suspend = (isSuspended: boolean) =>
    bank.rows(
      `update ledger.balance set is_suspended = $1, stamp = gen_random_uuid() where account_id = 'arr_grace'`,
      [isSuspended],
    )
  bank.clock.set('2027-04-21T09:00:00Z')
  await post(bank, pay('arr_grace', '50.00'))
  const [adas, graces] = [await send(), await send({ debtorArrangementId: 'arr_grace' })]
  await suspend(true)
  bank.clock.set('2027-04-21T15:00:00Z')
  await work(bank)
  expect((await now(adas.paymentId)).state).toBe('SUBMITTED')
  expect(await now(graces.paymentId)).toMatchObject({
    state: 'ACCEPTED',
    cutOffAt: '2027-04-22T15:00:00.000Z',
  })
  await suspend(false)
  bank.clock.set('2027-04-22T15:00:00Z')
  await work(bank)
  expect((await now(graces.paymentId)).state).toBe('SUBMITTED')
  bank.clock.set('2027-04-26T12:00:00Z')
  await work(bank)
})

describe('incoming payment', () => {
  const incoming = (more: object = {}) => ({
    creditorIban: adasIban,
    debtorIban: outside,
    debtorName: 'Konrad Zuse',
    amount: { amount: '25.00', currency: 'EUR' },
    ...more,
  })

  test('is booked on the nostro and on the account, once per idempotency key', async () => {
    const before = await books()
    const options = { idempotencyKey: 'in' }
    const came = await receive(bank, incoming(), options)
    expect(came.data.payment).toMatchObject({
      direction: 'IN',
      rail: 'SCT',
      state: 'SETTLED',
      debtorIban: outside,
      debtorName: 'Konrad Zuse',
      creditorArrangement: { arrangementId: 'arr_ada' },
    })
    expect((await receive(bank, incoming(), options)).data).toEqual(came.data)
    const after = await books()
    expect(after.ada.committed - before.ada.committed).toBe(2500)
    expect(after.nostro - before.nostro).toBe(2500)
    expect(after.transit).toBe(before.transit)
    const mine = await paymentOf(bank, came.data.payment.paymentId, { caller: ada })
    expect(mine.errors).toEqual([])
  })

  test.each([
    ['to an unknown account', { creditorIban: 'NL55BKGR0000000003' }, 'ACCOUNT_NUMBER_NOT_FOUND'],
    ['from an invalid IBAN', { debtorIban: 'DE00370400440532013000' }, 'INVALID_IBAN'],
    ['from an account at this bank', { debtorIban: adasIban }, 'DESTINATION_NOT_REACHABLE'],
    ['in dollars', { amount: { amount: '1', currency: 'USD' } }, 'DESTINATION_NOT_REACHABLE'],
    ['with a zero amount', { amount: { amount: '0', currency: 'EUR' } }, 'INVALID_AMOUNT'],
  ])('is rejected %s', async (_what, more, code) => {
    expect((await receive(bank, incoming(more))).code).toBe(code)
  })

  test('can be simulated only by the bank, and only in the sandbox', async () => {
    const byCustomer = await receive(bank, incoming(), { caller: ada })
    expect(byCustomer.code).toBe('NOT_FOR_DELEGATED_USERS')
    bank.bank.environment = 'live'
    expect((await receive(bank, incoming())).code).toBe('SIMULATION_NOT_AVAILABLE')
    bank.bank.environment = 'sandbox'
  })
})
