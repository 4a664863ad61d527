import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLoan,
  draw,
  eventsOf,
  findings,
  fund,
  grace,
  morningOf,
  opened,
  payBack,
  publish,
  runOnce,
  withdraw,
} from './facility-kit.ts'

let bank: RunningSubgraph
let facilityId: string
/** The due date of its first installment, of 1,032.80, which is not paid. */
let dueDate: string
/** Four days later. */
let today: string
let serial = 0
beforeAll(async () => {
  bank = await aLender('2026-04-03T09:00:00Z')
})
afterAll(() => bank.drop())
afterEach(async () => {
  expect(await findings(bank)).toEqual([])
})

async function aLateLoan(more: object = {}) {
  facilityId = `loan_promise_${++serial}`
  await opened(bank, aLoan({ facilityId, settlementArrangementId: null, disburse: false, ...more }))
  const destination = { arrangementId: 'arr_ada' }
  const { errors, data } = await draw(bank, { facilityId, amount: '12000.00', destination })
  expect(errors).toEqual([])
  dueDate = data.drawdown.nextInstallment.dueDate
  today = addDays(dueDate, 4)
  await morningOf(bank, today)
}
beforeEach(() => aLateLoan())

const fields = `promiseToPayId status madeOn payBy note recordedBy amount { amount currency }
  received { amount } facility { facilityId openPromiseToPay { promiseToPayId } }`
const promise = async (input: object = {}, options: object = {}) =>
  bank.execute(
    `mutation ($input: CreatePromiseToPayInput!) {
      it: createPromiseToPay(input: $input) { ${fields} } }`,
    { input: { facilityId, amount: '500.00', payBy: addDays(today, 7), ...input } },
    options,
  )
async function promised(input: object = {}, options: object = {}) {
  const { data, errors } = await promise(input, options)
  expect(errors).toEqual([])
  return data.it
}
const cancel = (promiseToPayId: string, options: object = {}) =>
  bank.execute(
    `mutation ($id: ID!) { it: cancelPromiseToPay(promiseToPayId: $id) { status } }`,
    { id: promiseToPayId },
    options,
  )
async function settled(promiseToPayId: string) {
  while ((await runOnce(bank, 'lending.settle-promises-to-pay')) > 0);
  const { data, errors } = await bank.execute(
    `query ($id: ID!) { it: promiseToPay(promiseToPayId: $id) { status received { amount } } }`,
    { id: promiseToPayId },
  )
  expect(errors).toEqual([])
  return [data.it.status, data.it.received.amount]
}
async function paid(amount: string, more: object = {}): Promise<string> {
  const { data, errors } = await payBack(bank, { facilityId, amount, ...more })
  expect(errors).toEqual([])
  return data.repayment.repaymentId
}
const codeOf = ({ errors }: { errors: any[] }) => errors[0]?.extensions?.code
const pointerOf = ({ errors }: { errors: any[] }) => errors[0]?.extensions?.errors?.[0]?.pointer

describe('a promise to pay', () => {
  test('is kept by payments that add up to it in time', async () => {
    const made = await promised({ note: 'Salary on the 25th' }, { caller: ada })
    expect(made).toMatchObject({
      status: 'OPEN',
      madeOn: today,
      payBy: addDays(today, 7),
      note: 'Salary on the 25th',
      recordedBy: ada.subject,
      amount: { amount: '500.00', currency: 'EUR' },
      received: { amount: '0.00' },
      facility: { facilityId, openPromiseToPay: { promiseToPayId: made.promiseToPayId } },
    })
    const id = made.promiseToPayId
    await paid('200.00')
    expect(await settled(id)).toEqual(['OPEN', '200.00'])
    await morningOf(bank, addDays(today, 7))
    await paid('300.00')
    expect(await settled(id)).toEqual(['KEPT', '500.00'])
    await morningOf(bank, addDays(today, 20))
    expect(await settled(id)).toEqual(['KEPT', '500.00'])
    expect(await eventsOf(bank, `promise-to-pay/${id}`)).toEqual(['made', 'kept'])
  })

  test('does not tell the borrower which employee recorded it', async () => {
    const { promiseToPayId } = await promised({}, { caller: employee })
    const recordedBy = async (caller: typeof ada) => {
      const { data } = await bank.execute(
        'query ($id: ID!) { promiseToPay(promiseToPayId: $id) { recordedBy } }',
        { id: promiseToPayId },
        { caller },
      )
      return data.promiseToPay.recordedBy
    }
    expect(await recordedBy(employee)).toBe(employee.subject)
    expect(await recordedBy(ada)).toBeNull()
  })

  test('is broken once its last day is closed', async () => {
    const { promiseToPayId: id } = await promised()
    await paid('499.99')
    bank.clock.set(`${addDays(today, 8)}T00:10:00Z`)
    expect(await settled(id)).toEqual(['OPEN', '499.99'])
    await morningOf(bank, addDays(today, 8))
    expect(await settled(id)).toEqual(['BROKEN', '499.99'])
    expect(await eventsOf(bank, `promise-to-pay/${id}`)).toEqual(['made', 'broken'])
  })

  test('is kept by a collection on its last day', async () => {
    await aLateLoan({ settlementArrangementId: 'arr_grace', customerId: 'cus_grace' })
    const { promiseToPayId: id } = await promised({ amount: '1032.80' })
    await morningOf(bank, addDays(today, 7))
    await fund(bank, 'arr_grace', 200_000n)
    await morningOf(bank, addDays(today, 8))
    expect(await settled(id)).toEqual(['KEPT', '1032.80'])
  })

  test('counts no payment from before it was made or after its last day', async () => {
    await paid('100.00')
    bank.clock.set(`${today}T07:00:00Z`)
    const { promiseToPayId: id } = await promised({ amount: '100.00', payBy: today })
    expect(await settled(id)).toEqual(['OPEN', '0.00'])
    await morningOf(bank, addDays(today, 1))
    await paid('100.00')
    expect(await settled(id)).toEqual(['BROKEN', '0.00'])
  })

  test('follows a payment that bounces, and one with an earlier date', async () => {
    const { promiseToPayId: id } = await promised({ payBy: today })
    const repaymentId = await paid('500.00')
    expect(await settled(id)).toEqual(['KEPT', '500.00'])
    await morningOf(bank, addDays(today, 3))
    expect((await withdraw(bank, repaymentId)).errors).toEqual([])
    expect(await settled(id)).toEqual(['BROKEN', '0.00'])
    await paid('600.00', { paymentDate: today })
    expect(await settled(id)).toEqual(['KEPT', '600.00'])
    expect(await eventsOf(bank, `promise-to-pay/${id}`)).toEqual(['made', 'kept', 'broken', 'kept'])
  })

  test.each(['an extra payment', 'a payoff'])('is kept by %s', async (payment) => {
    const { promiseToPayId: id } = await promised()
    await fund(bank, 'arr_ada', 100_000n)
    const how = payment === 'a payoff' ? { strategy: 'PAYOFF' } : { amount: '1500.00' }
    const { data, errors } = await bank.execute(
      `mutation ($input: CreateExtraPaymentInput!) {
        it: createExtraPayment(input: $input) { status amount { amount } } }`,
      { input: { facilityId, sourceArrangementId: 'arr_ada', ...how } },
    )
    expect([errors, data.it.status]).toEqual([[], 'APPLIED'])
    expect(await settled(id)).toEqual(['KEPT', data.it.amount.amount])
  })

  test('can be replaced after it was cancelled', async () => {
    const first = await promised()
    const again = await promise({ amount: '600.00' })
    expect(codeOf(again)).toBe('RESOURCE_EXISTS')
    expect(again.errors[0]!.extensions!.resourceId).toBe(first.promiseToPayId)
    expect(codeOf(await cancel(first.promiseToPayId, { caller: grace }))).toBe(
      'PROMISE_TO_PAY_NOT_FOUND',
    )
    const { data } = await cancel(first.promiseToPayId, { caller: ada })
    expect(data.it.status).toBe('CANCELLED')
    const second = await promised({ amount: '600.00' }, { caller: employee })
    await paid('600.00')
    expect(await settled(first.promiseToPayId)).toEqual(['CANCELLED', '600.00'])
    expect(await settled(second.promiseToPayId)).toEqual(['KEPT', '600.00'])
    expect(codeOf(await cancel(second.promiseToPayId))).toBe('INVALID_STATE_TRANSITION')
    const list = await bank.execute(
      `query ($id: ID!) { facility(facilityId: $id) { openPromiseToPay { status }
        promisesToPay(first: 5) { nodes { status } } } }`,
      { id: facilityId },
    )
    expect(list.data.facility).toEqual({
      openPromiseToPay: null,
      promisesToPay: { nodes: [{ status: 'CANCELLED' }, { status: 'KEPT' }] },
    })
  })

  test('is one of several that are sent at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => promise()))
    const codes = answers.map((answer) => codeOf(answer) ?? 'made')
    expect(codes.filter((code) => code === 'made')).toHaveLength(1)
    expect(codes.filter((code) => code === 'RESOURCE_EXISTS')).toHaveLength(4)
  })

  test('is made only of what is due, in the time that the product allows', async () => {
    const refused = async (input: object, options: object = {}) => {
      const answer = await promise(input, options)
      return [codeOf(answer), pointerOf(answer)]
    }
    expect(await refused({ amount: '0.00' })).toEqual(['INVALID_AMOUNT', '/amount'])
    expect(await refused({ amount: '13000.00' })).toEqual(['EXCEEDS_PAYOFF_AMOUNT', '/amount'])
    const early = { payBy: addDays(today, -1) }
    expect(await refused(early)).toEqual(['INVALID_PAYMENT_DATE', '/payBy'])
    const late = { payBy: addDays(today, 31) }
    expect(await refused(late)).toEqual(['INVALID_PAYMENT_DATE', '/payBy'])
    expect(await refused({ note: ' ' })).toEqual(['VALIDATION_FAILED', '/note'])
    expect(await refused({}, { caller: grace })).toEqual(['FACILITY_NOT_FOUND', undefined])
    await paid('1032.80')
    expect(await refused({})).toEqual(['NOTHING_DUE', undefined])
  })

  test('has the time of the product', async () => {
    const parameters = [{ name: 'promiseToPayDays', default: '5' }]
    await publish(bank, 'product/prd_strict', {
      versions: [{ version: '1', status: 'active', parameters }],
    })
    await aLateLoan({ productId: 'prd_strict' })
    expect(codeOf(await promise({ payBy: addDays(today, 6) }))).toBe('INVALID_PAYMENT_DATE')
    await promised({ payBy: addDays(today, 5) })
  })
})
