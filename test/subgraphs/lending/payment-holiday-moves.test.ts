import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  paymentHolidayMoves,
  paymentHolidayStates,
  type PaymentHolidayState,
} from '../../../subgraphs/lending/domain/payment-holiday.ts'
import { aLender, aLoan, findings, opened, runOnce, toldOf } from './facility-kit.ts'
import { aProduct, does, made, pause } from './relief-kit.ts'

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

const acts = {
  approvePaymentHoliday: 'approved',
  declinePaymentHoliday: 'declined',
  cancelPaymentHoliday: 'cancelled',
  endPaymentHoliday: 'ended-early',
} as const
const act = (name: string, id: string) => does(bank, name, 'paymentHoliday', id)

/** A holiday in a state, of a loan of its own. */
const holidayIn = async (state: PaymentHolidayState): Promise<string> => {
  const isAsked = ['requested', 'declined'].includes(state)
  const facilityId = await aLoanId(isAsked ? { productId: 'prd_asks' } : {})
  const isRunning = ['active', 'completed', 'ended-early'].includes(state)
  const startDate = isRunning ? '2026-03-02' : '2026-05-01'
  const { paymentHolidayId: id } = await made(
    pause(bank, { facilityId, startDate, instalments: 2 }),
  )
  if (state === 'declined') await made(act('declinePaymentHoliday', id))
  if (state === 'cancelled') await made(act('cancelPaymentHoliday', id))
  if (state === 'ended-early') await made(act('endPaymentHoliday', id))
  if (state === 'completed') {
    bank.clock.set('2026-05-03T09:00:00Z')
    await runOnce(bank, 'lending.turn-payment-holidays')
    bank.clock.set(start)
  }
  return id
}

for (const state of paymentHolidayStates) {
  for (const [name, to] of Object.entries(acts)) {
    const isLegal = paymentHolidayMoves[state].includes(to)
    test(`${name} on ${state} is ${isLegal ? to : 'refused'}`, async () => {
      const id = await holidayIn(state)
      const everything = async () => [
        await bank.rows('select * from lending.payment_holiday where payment_holiday_id = $1', [
          id,
        ]),
        await bank.rows('select count(*) from lending.schedule_version'),
        await toldOf(bank, `payment-holiday/${id}`),
      ]
      const before = await everything()
      const { data, errors } = await act(name, id)
      if (isLegal) {
        expect(errors).toEqual([])
        expect(data.record.status).toBe(to.toUpperCase().replaceAll('-', '_'))
        expect((await toldOf(bank, `payment-holiday/${id}`)).at(-1)).toBe(to)
      } else {
        expect(errors[0]!.extensions).toMatchObject({
          code: 'INVALID_STATE_TRANSITION',
          currentState: state,
          allowedStates: paymentHolidayMoves[state],
        })
        expect(await everything()).toEqual(before)
      }
    })
  }
}
