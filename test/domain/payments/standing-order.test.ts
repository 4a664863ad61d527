import { describe, expect, test } from 'vitest'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'
import { skipPassedDates } from '../../../subgraphs/payments/domain/standing-order.ts'
import { StandingOrderState } from '../../../subgraphs/payments/model/enumerations.ts'
import {
  standingOrderStates,
  type StandingOrder,
} from '../../../subgraphs/payments/model/standing-order.ts'

const now = new Date('2026-03-10T12:00:00Z')
const orderIn = (state: StandingOrderState, more: Partial<StandingOrder> = {}) =>
  ({
    standingOrderId: 'sto_1',
    frequency: 'weekly',
    startsOn: '2026-03-01',
    endsOn: null,
    maxExecutions: null,
    executions: 0,
    occurrence: 0,
    nextOn: '2026-03-01',
    attemptOn: '2026-03-01',
    ...more,
    state,
  }) as StandingOrder

const operations = ['pauseStandingOrder', 'resumeStandingOrder', 'cancelStandingOrder'] as const

describe.each(operations)('%s', (operation) => {
  const { from, to } = standingOrderStates.transitions[operation]
  test.each(StandingOrderState.values)('of a standing order that is %s', (state) => {
    const act = () =>
      applyTransition(standingOrderStates, operation, orderIn(state), { now, subject: 'ada' })
    if ((from as readonly string[]).includes(state)) expect(act().state).toBe(to)
    else expect(act).toThrow(`cannot become ${to}`)
  })
})

test('a canceled standing order has no further payment dates', () => {
  const request = { now, subject: 'ada' }
  expect(
    applyTransition(standingOrderStates, 'cancelStandingOrder', orderIn('paused'), request),
  ).toMatchObject({ state: 'cancelled', nextOn: null, attemptOn: null })
})

test('a resumed standing order skips the dates that passed', () => {
  expect(skipPassedDates(orderIn('active'), now)).toMatchObject({
    state: 'active',
    occurrence: 2,
    nextOn: '2026-03-15',
    attemptOn: '2026-03-15',
  })
})

test('a resumed standing order without further dates is completed', () => {
  expect(skipPassedDates(orderIn('active', { endsOn: '2026-03-08' }), now)).toMatchObject({
    state: 'completed',
    nextOn: null,
    attemptOn: null,
  })
})
