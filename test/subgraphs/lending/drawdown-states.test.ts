import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  runDrawdownMutation,
  ada,
  aLender,
  aLimit,
  aLoan,
  booked,
  draw,
  facilityOf,
  findings,
  grace,
  morningOf,
  opened,
  payBack,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

test.each([
  ['approved', 'none'],
  ['active', 'none'],
  ['in-arrears', 'FACILITY_IN_ARREARS'],
  ['matured', 'FACILITY_NOT_ACTIVE'],
  ['paid-off', 'FACILITY_NOT_ACTIVE'],
  ['charged-off', 'FACILITY_NOT_ACTIVE'],
  ['recovered', 'FACILITY_NOT_ACTIVE'],
  ['written-off', 'FACILITY_NOT_ACTIVE'],
  ['cancelled', 'FACILITY_NOT_ACTIVE'],
])('a drawdown from a facility in state %s returns error code %s', async (state, code) => {
  const facilityId = `fac_is_${state}`
  await opened(bank, aLimit({ facilityId }))
  await bank.rows('update lending.facility set state = $2 where facility_id = $1', [
    facilityId,
    state,
  ])
  const before = await bank.rows('select count(*) from ledger.entry')
  const answer = await draw(bank, { facilityId, amount: '1.00' })
  expect(answer.code ?? 'none').toBe(code)
  if (code === 'none') return
  expect(await bank.rows('select count(*) from ledger.entry')).toEqual(before)
  if (code !== 'FACILITY_NOT_ACTIVE') return
  expect(answer.errors[0]!.extensions).toMatchObject({
    currentState: state,
    allowedStates: ['approved', 'active'],
  })
})

describe('drawdown states', () => {
  const commands = ['approveDrawdown', 'declineDrawdown', 'cancelDrawdown', 'reverseDrawdown']
  const ways: Record<string, string[]> = {
    REQUESTED: [],
    APPROVED: [],
    DISBURSED: ['approveDrawdown'],
    REVERSED: ['approveDrawdown', 'reverseDrawdown'],
    DECLINED: ['declineDrawdown'],
    CANCELLED: ['cancelDrawdown'],
  }
  const legal: Record<string, Record<string, string>> = {
    REQUESTED: {
      approveDrawdown: 'DISBURSED',
      declineDrawdown: 'DECLINED',
      cancelDrawdown: 'CANCELLED',
    },
    APPROVED: { cancelDrawdown: 'CANCELLED' },
    DISBURSED: { reverseDrawdown: 'REVERSED' },
  }
  let serial = 0

  test.each(Object.keys(ways).flatMap((state) => commands.map((name) => [state, name] as const)))(
    'in state %s, %s makes its transition or is rejected',
    async (state, name) => {
      const facilityId = `fac_states_${++serial}`
      const isApprovalRequired = state !== 'APPROVED'
      await opened(bank, aLimit({ facilityId, isApprovalRequired }))
      const drawdownId = `drw_states_${serial}`
      const valueDate = state === 'APPROVED' ? '2026-03-20' : null
      await draw(bank, { facilityId, drawdownId, amount: '100.00', valueDate })
      for (const step of ways[state]!)
        expect((await runDrawdownMutation(bank, step, drawdownId)).errors).toEqual([])
      const query = 'query ($id: ID!) { drawdown(drawdownId: $id) { status } }'
      const stateOf = async () =>
        (await bank.execute(query, { id: drawdownId })).data.drawdown.status
      expect(await stateOf()).toBe(state)
      const eventCount = (await bank.events()).length
      const answer = await runDrawdownMutation(bank, name, drawdownId)
      const next = legal[state]?.[name]
      expect(await stateOf()).toBe(next ?? state)
      if (next) return
      expect(answer.errors[0]!.extensions).toMatchObject({
        code: 'INVALID_STATE_TRANSITION',
        currentState: state.toLowerCase(),
      })
      expect((await bank.events()).length).toBe(eventCount)
    },
  )

  test('lets a delegated user cancel their own drawdown, but not approve, decline or reverse it', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_who', isApprovalRequired: true }))
    const input = { facilityId: 'fac_who', amount: '1.00', drawdownId: 'drw_who' }
    await draw(bank, input, { caller: ada })
    for (const name of ['approveDrawdown', 'declineDrawdown', 'reverseDrawdown']) {
      expect((await runDrawdownMutation(bank, name, 'drw_who', { caller: ada })).code).toBe(
        'NOT_FOR_DELEGATED_USERS',
      )
    }
    expect(
      (await runDrawdownMutation(bank, 'cancelDrawdown', 'drw_who', { caller: grace })).code,
    ).toBe('DRAWDOWN_NOT_FOUND')
    expect(
      (await runDrawdownMutation(bank, 'cancelDrawdown', 'drw_who', { caller: ada })).errors,
    ).toEqual([])
  })

  test('a reversal restores the facility and the account', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_back' }))
    await draw(bank, { facilityId: 'fac_back', amount: '1000.00' })
    const before = await facilityOf(bank, 'fac_back')
    const money = await booked(bank, 'arr_ada')
    const { drawdown } = (await draw(bank, { facilityId: 'fac_back', amount: '500.00' })).data
    expect(
      (await runDrawdownMutation(bank, 'reverseDrawdown', drawdown.drawdownId)).errors,
    ).toEqual([])
    const { scheduleVersions, ...after } = await facilityOf(bank, 'fac_back')
    expect(after).toEqual({ ...before, scheduleVersions: undefined })
    expect(scheduleVersions[0].cause).toBe('REVERSAL')
    expect(await booked(bank, 'arr_ada')).toBe(money)
  })

  test('pays off a loan when the only drawdown not repaid is reversed, with nothing due again', async () => {
    const facilityId = 'fac_repaid'
    await opened(bank, aLoan({ facilityId, kind: 'SME_FACILITY', disburse: false }))
    await draw(bank, { facilityId, amount: '1000.00' })
    const { drawdown } = (await draw(bank, { facilityId, amount: '500.00' })).data
    expect((await payBack(bank, { facilityId, amount: '1000.00' })).errors).toEqual([])
    expect(
      (await runDrawdownMutation(bank, 'reverseDrawdown', drawdown.drawdownId)).errors,
    ).toEqual([])
    const nothing = {
      outstandingPrincipal: { amount: '0.00' },
      accruedInterest: { amount: '0.00' },
      amountDue: { amount: '0.00' },
      nextInstallment: null,
    }
    expect(await facilityOf(bank, facilityId)).toMatchObject(nothing)
    await morningOf(bank, '2026-03-03')
    expect(await facilityOf(bank, facilityId)).toMatchObject({ ...nothing, state: 'PAID_OFF' })
  })
})
