import { PaymentHolidayState } from '../../../subgraphs/lending/model/relief/enumerations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { paymentHolidayTransitions } from '../../../subgraphs/lending/domain/relief/payment-holiday.ts'
import { aLender, aLoan, findings, opened, runOnce, eventsOf } from './facility-kit.ts'
import { aProduct, does, made, createHoliday } from './relief-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
  await aProduct(bank, 'prd_asks', { isHolidayApprovalRequired: 'true' })
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

const start = '2026-03-02T09:00:00Z'
const aLoanId = async (more: object = {}): Promise<string> =>
  (await opened(bank, aLoan(more))).facilityId

const actions = {
  approvePaymentHoliday: 'approved',
  declinePaymentHoliday: 'declined',
  cancelPaymentHoliday: 'cancelled',
  endPaymentHoliday: 'ended-early',
} as const
const changeHoliday = (name: string, id: string) => does(bank, name, 'paymentHoliday', id)

/** A payment holiday in a state, on its own loan. */
const holidayIn = async (state: PaymentHolidayState): Promise<string> => {
  const isRequested = ['requested', 'declined'].includes(state)
  const facilityId = await aLoanId(isRequested ? { productId: 'prd_asks' } : {})
  const isRunning = ['active', 'completed', 'ended-early'].includes(state)
  const startDate = isRunning ? '2026-03-02' : '2026-05-01'
  const { paymentHolidayId: id } = await made(
    createHoliday(bank, { facilityId, startDate, installments: 2 }),
  )
  if (state === 'declined') await made(changeHoliday('declinePaymentHoliday', id))
  if (state === 'cancelled') await made(changeHoliday('cancelPaymentHoliday', id))
  if (state === 'ended-early') await made(changeHoliday('endPaymentHoliday', id))
  if (state === 'completed') {
    bank.clock.set('2026-05-03T09:00:00Z')
    await runOnce(bank, 'lending.start-and-end-payment-holidays')
    bank.clock.set(start)
  }
  return id
}

for (const state of PaymentHolidayState.values) {
  for (const [name, to] of Object.entries(actions)) {
    const isLegal = paymentHolidayTransitions[state].includes(to)
    test(`${name} in state ${state}: ${isLegal ? to : 'invalid transition'}`, async () => {
      const id = await holidayIn(state)
      const everything = async () => [
        await bank.rows('select * from lending.payment_holiday where payment_holiday_id = $1', [
          id,
        ]),
        await bank.rows('select count(*) from lending.schedule_version'),
        await eventsOf(bank, `payment-holiday/${id}`),
      ]
      const before = await everything()
      const { data, errors } = await changeHoliday(name, id)
      if (isLegal) {
        expect(errors).toEqual([])
        expect(data.record.status).toBe(to.toUpperCase().replaceAll('-', '_'))
        expect((await eventsOf(bank, `payment-holiday/${id}`)).at(-1)).toBe(to)
      } else {
        expect(errors[0]!.extensions).toMatchObject({
          code: 'INVALID_STATE_TRANSITION',
          currentState: state,
          allowedStates: paymentHolidayTransitions[state],
        })
        expect(await everything()).toEqual(before)
      }
    })
  }
}
