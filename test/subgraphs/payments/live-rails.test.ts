/**
 * In live nothing is simulated: without a rail no payment leaves for another bank, however it was
 * ordered, and none arrives from one.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  aBankWithMoney,
  abroad,
  findings,
  inside,
  list,
  paymentOf,
  runOnce,
  standing,
  eventsOf,
  transfer,
  work,
} from './payments-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithMoney()
})
beforeEach(() => {
  bank.bank.environment = 'live'
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

const books = async () => ({
  ada: await standing(bank, 'arr_ada'),
  transit: (await standing(bank, 'settlement-sct/EUR')).committed,
  nostro: (await standing(bank, 'nostro/EUR')).committed,
})

const order = (more: object = {}) =>
  bank.execute(
    `mutation ($input: CreateStandingOrderInput!) {
       order: createStandingOrder(input: $input) { standingOrderId rail } }`,
    { input: { frequency: 'MONTHLY', startsOn: '2026-03-04', ...abroad(more) } },
  )

/** Runs an action while the rail is simulated, as an older release did in live, too. */
async function whileSimulated<Result>(act: () => Promise<Result>): Promise<Result> {
  bank.bank.environment = 'sandbox'
  try {
    return await act()
  } finally {
    bank.bank.environment = 'live'
  }
}

describe('live without a payment rail', () => {
  test.each([
    ['a transfer for today', () => transfer(bank, abroad())],
    ['a transfer for a later day', () => transfer(bank, abroad({ executionDate: '2026-03-20' }))],
    [
      'a transfer that the simulation would return',
      () => transfer(bank, abroad({ creditorName: 'RETURN AC04' })),
    ],
    ['a standing order', () => order()],
  ])('rejects %s to another bank, and books and emits nothing', async (_what, send) => {
    const before = await books()
    const events = (await bank.events()).length
    const { errors } = await send()
    expect(errors[0]!.extensions).toMatchObject({
      code: 'RAIL_NOT_CONFIGURED',
      errors: [{ pointer: '/creditorIban', code: 'RAIL_NOT_CONFIGURED' }],
    })
    expect(errors[0]!.message).toContain('this release cannot connect to a payment rail')
    expect(await books()).toEqual(before)
    expect(await bank.events()).toHaveLength(events)
  })

  test('executes a transfer inside the bank without simulation', async () => {
    const { payment } = (await transfer(bank, inside())).data
    expect(payment).toMatchObject({ rail: 'INTERNAL', state: 'SETTLED', isSimulated: false })
  })

  test('rejects an invalid IBAN as such', async () => {
    const { code } = await transfer(bank, abroad({ creditorIban: 'DE00370400440532013000' }))
    expect(code).toBe('INVALID_IBAN')
  })
})

describe('payment ordered while the rail was simulated', () => {
  test('is rejected on its execution date', async () => {
    const later = abroad({ executionDate: '2026-03-03' })
    const { paymentId } = (await whileSimulated(() => transfer(bank, later))).data.payment
    const before = await books()
    bank.clock.set('2026-03-03T09:00:00Z')
    await work(bank)
    const { payment } = (await paymentOf(bank, paymentId)).data
    expect(payment).toMatchObject({ state: 'REJECTED', reasonCode: 'RAIL_NOT_CONFIGURED' })
    expect(await books()).toEqual(before)
  })

  test('makes its standing order miss the date', async () => {
    const { standingOrderId } = (await whileSimulated(() => order())).data.order
    const before = await books()
    bank.clock.set('2026-03-04T09:00:00Z')
    await work(bank)
    expect(await eventsOf(bank, `standing-order/${standingOrderId}`)).toEqual(['created', 'missed'])
    expect((await list(bank, { order: standingOrderId })).nodes).toEqual([])
    expect(await books()).toEqual(before)
  })

  test('is cancelled at its cut-off, and its reserved amount is released', async () => {
    const before = await books()
    const sent = (await whileSimulated(() => transfer(bank, abroad()))).data.payment
    expect((await books()).ada.promised).toBe(before.ada.promised + 1000)
    bank.clock.set('2026-03-05T15:00:00Z')
    await Promise.all([1, 2].map(() => runOnce(bank, 'payments.run-sct')))
    const { payment } = (await paymentOf(bank, sent.paymentId)).data
    expect(payment).toMatchObject({ state: 'CANCELLED', reasonCode: 'RAIL_NOT_CONFIGURED' })
    expect(await eventsOf(bank, `payment/${sent.paymentId}`)).toEqual([
      'created',
      'accepted',
      'cancelled',
    ])
    expect(await books()).toEqual(before)
  })

  test('that was sent is neither settled nor returned automatically', async () => {
    const sent = (
      await whileSimulated(async () => {
        const answer = await transfer(bank, abroad({ creditorName: 'RETURN AC04' }))
        bank.clock.set('2026-03-06T15:00:00Z')
        await work(bank)
        return answer
      })
    ).data.payment
    const before = await books()
    bank.clock.set('2026-03-20T15:00:00Z')
    await work(bank)
    expect((await paymentOf(bank, sent.paymentId)).data.payment.state).toBe('SUBMITTED')
    expect(await books()).toEqual(before)
  })

  test('is cancelled although the account of an earlier one is suspended', async () => {
    const [blocked, sent] = await whileSimulated(async () => [
      (await transfer(bank, abroad())).data.payment,
      (await transfer(bank, abroad({ debtorArrangementId: 'arr_grace' }))).data.payment,
    ])
    const suspend = (isSuspended: boolean) =>
      bank.rows(
        `update ledger.balance set is_suspended = $1, stamp = gen_random_uuid()
         where account_id = 'arr_ada'`,
        [isSuspended],
      )
    const stateOf = async ({ paymentId }: any) =>
      (await paymentOf(bank, paymentId)).data.payment.state
    await suspend(true)
    bank.clock.set('2026-03-24T15:00:00Z')
    await runOnce(bank, 'payments.run-sct').catch(() => undefined)
    expect([await stateOf(blocked), await stateOf(sent)]).toEqual(['ACCEPTED', 'CANCELLED'])
    await suspend(false)
    await runOnce(bank, 'payments.run-sct')
    expect(await stateOf(blocked)).toBe('CANCELLED')
  })
})
