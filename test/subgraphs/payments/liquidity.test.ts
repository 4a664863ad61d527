import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { eur, post } from './kit.ts'
import {
  aBankWithMoney,
  abroad,
  ada,
  adasIban,
  inside,
  outside,
  receive,
  transfer,
  work,
} from './payments-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithMoney()
  bank.bank.environment = 'sandbox'
})
afterAll(() => bank.drop())

const position = (days: number, options: object = {}) =>
  bank.execute(
    `query ($days: Int!) { liquidityPosition(currency: "EUR", days: $days) {
      currency nostro inTransit customerDeposits openAuthorizationsOut openAuthorizationsIn
      days { date inflow outflow nostro flows { kind direction amount } } } }`,
    { days },
    options,
  )

const authorize = (direction: string, amount: string, id: string, more: object = {}) =>
  post(bank, {
    type: `${direction}BOUND_AUTHORIZATION`,
    arrangementId: 'arr_ada',
    amount: eur(amount),
    clientTransactionId: id,
    ...more,
  })

test('reports balances, amounts in transit, and expected flows by day', async () => {
  await receive(bank, {
    creditorIban: adasIban,
    debtorIban: outside,
    debtorName: 'Konrad Zuse',
    amount: eur('500.00'),
  })
  await transfer(bank, inside())
  await transfer(bank, inside({ executionDate: '2026-03-03' }))
  await transfer(bank, abroad({ amount: eur('100.00') }))
  await transfer(bank, abroad({ amount: eur('30.00'), executionDate: '2026-03-06' }))
  await bank.execute(
    'mutation ($input: CreateStandingOrderInput!) { createStandingOrder(input: $input) { standingOrderId } }',
    { input: abroad({ amount: eur('5.00'), frequency: 'WEEKLY', startsOn: '2026-03-03' }) },
  )
  expect((await authorize('OUT', '20.00', 'card')).errors).toEqual([])
  const expiresAt = '2026-03-04T12:00:00Z'
  expect((await authorize('IN', '7.00', 'refund', { expiresAt })).errors).toEqual([])
  expect((await authorize('IN', '9.00', 'some-day')).errors).toEqual([])

  const { liquidityPosition: found } = (await position(9)).data
  expect(found).toMatchObject({
    nostro: '500.00',
    // The 1,000.00 that was booked by hand, which no correspondent has paid yet.
    inTransit: '1000.00',
    customerDeposits: '1500.00',
    openAuthorizationsOut: '20.00',
    openAuthorizationsIn: '16.00',
  })
  const days = found.days.map((day: any) => [day.date, day.inflow, day.outflow, day.nostro])
  expect(days).toEqual([
    ['2026-03-02', '0.00', '20.00', '480.00'],
    ['2026-03-03', '0.00', '100.00', '380.00'],
    ['2026-03-04', '7.00', '5.00', '382.00'],
    ['2026-03-05', '0.00', '0.00', '382.00'],
    ['2026-03-06', '0.00', '0.00', '382.00'],
    ['2026-03-07', '0.00', '0.00', '382.00'],
    ['2026-03-08', '0.00', '0.00', '382.00'],
    ['2026-03-09', '0.00', '30.00', '352.00'],
    ['2026-03-10', '0.00', '0.00', '352.00'],
  ])
  expect(found.days[2].flows).toEqual([
    { kind: 'STANDING_ORDER', direction: 'OUT', amount: '5.00' },
    { kind: 'AUTHORIZATION', direction: 'IN', amount: '7.00' },
  ])
})

test('forecasts what the execution of the payments then books', async () => {
  bank.clock.set('2026-03-02T15:30:00Z')
  await work(bank)
  bank.clock.set('2026-03-03T08:00:00Z')
  await work(bank)
  const { liquidityPosition: found } = (await position(1)).data
  expect(found.nostro).toBe('400.00')
})

test('is forbidden to delegated users, and limited to 90 days', async () => {
  expect((await position(5, { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
  expect((await position(0)).code).toBe('VALIDATION_FAILED')
  expect((await position(91)).code).toBe('VALIDATION_FAILED')
  expect((await position(90)).data.liquidityPosition.days).toHaveLength(90)
})
