import type { ArrangementState } from '../../../subgraphs/accounts/model/enumerations.ts'
import { FacilityState } from '../../../subgraphs/lending/model/facilities/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'

import { lifecycleOf } from '../../../subgraphs/accounts/domain/arrangement.ts'
import { anAccount } from '../payments/kit.ts'
import { ada, aLender, aLimit, aLoan, open, opened, publish } from './facility-kit.ts'

let bank: RunningSubgraph
let serial = 0
beforeAll(async () => {
  bank = await aLender()
  await anAccount(bank, 'arr_savings')
  await account('arr_savings', 'active')
  await account('arr_usd', 'active', { currency: 'USD' })
  for (const state of ended) await account(`arr_${state}`, state)
})
afterAll(() => bank.drop())

const ended = ['closed', 'rejected', 'cancelled', 'pending-closure'] as const
const account = (arrangementId: string, state: ArrangementState, more: object = {}) =>
  publish(bank, `arrangement/${arrangementId}`, {
    arrangementId,
    partyId: 'pty_ada',
    currency: 'EUR',
    state,
    lifecycle: lifecycleOf({ state }),
    ...more,
  })

const change = (facilityId: string, settlementArrangementId: string, options: object = {}) =>
  bank.execute(
    `mutation ($input: ChangeSettlementAccountInput!) {
       changeSettlementAccount(input: $input) { facilityId settlementArrangement { arrangementId } } }`,
    { input: { facilityId, settlementArrangementId } },
    options,
  )
const aFacility = async (more: object = {}) => {
  const facilityId = `fac_${++serial}`
  await opened(bank, aLimit({ facilityId, ...more }))
  return facilityId
}
const eventTypesOf = async (facilityId: string) =>
  (await bank.events())
    .filter(({ subject }) => subject === `facility/${facilityId}`)
    .map(({ type }) => type)
const publishedOf = async (facilityId: string) => {
  const sql = 'select data from kernel.fact where subject = $1'
  return (await bank.rows(sql, [`facility/${facilityId}`]))[0]!['data'].settlementArrangementId
}

test('switches a facility to another account once, and publishes the change', async () => {
  const facilityId = await aFacility()
  const { data, errors } = await change(facilityId, 'arr_savings', { idempotencyKey: 'move-1' })
  expect(errors).toEqual([])
  expect(data.changeSettlementAccount).toEqual({
    facilityId,
    settlementArrangement: { arrangementId: 'arr_savings' },
  })
  expect(await publishedOf(facilityId)).toBe('arr_savings')
  const events = await eventTypesOf(facilityId)
  expect(events.at(-1)).toBe('lending.facility.settlement-account-changed')
  // Once per idempotency key, and once per content.
  expect((await change(facilityId, 'arr_savings', { idempotencyKey: 'move-1' })).data).toEqual(data)
  expect((await change(facilityId, 'arr_savings')).data).toEqual(data)
  expect((await change(facilityId, 'arr_ada', { idempotencyKey: 'move-1' })).code).toBe(
    'IDEMPOTENCY_KEY_REUSED',
  )
  expect(await eventTypesOf(facilityId)).toEqual(events)
})

test('sets an account for a facility without one', async () => {
  const facilityId = await aFacility({ settlementArrangementId: null })
  expect((await change(facilityId, 'arr_ada')).errors).toEqual([])
  expect(await publishedOf(facilityId)).toBe('arr_ada')
})

describe('changing the settlement account', () => {
  const refusals: [string, string][] = [
    ['arr_nowhere', 'ARRANGEMENT_NOT_FOUND'],
    ['arr_grace', 'ARRANGEMENT_NOT_FOUND'],
    ['arr_usd', 'CURRENCY_MISMATCH'],
    ...ended.map((state): [string, string] => [`arr_${state}`, 'ARRANGEMENT_CLOSED']),
  ]
  test.each(refusals)(
    'to %s is rejected with %s, as is opening a facility with it',
    async (settlementArrangementId, code) => {
      const facilityId = await aFacility()
      for (const { errors } of [
        await change(facilityId, settlementArrangementId),
        await open(bank, aLimit({ settlementArrangementId })),
        await open(bank, aLoan({ settlementArrangementId })),
      ]) {
        expect(errors).toMatchObject([{ extensions: { code } }])
        expect(errors[0]!.extensions!['errors']).toMatchObject([
          { pointer: '/settlementArrangementId' },
        ])
      }
      expect(await publishedOf(facilityId)).toBe('arr_ada')
    },
  )

  test('is rejected for an unknown facility, and for delegated users', async () => {
    expect((await change('fac_nowhere', 'arr_savings')).code).toBe('FACILITY_NOT_FOUND')
    const facilityId = await aFacility()
    expect((await change(facilityId, 'arr_savings', { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
  })

  test.each(FacilityState.values)(
    'of a facility in state %s is accepted or rejected with STATE_CONFLICT',
    async (state) => {
      const facilityId = await aFacility()
      await bank.rows('update lending.facility set state = $2 where facility_id = $1', [
        facilityId,
        state,
      ])
      const { errors } = await change(facilityId, 'arr_savings')
      if (['approved', 'active', 'in-arrears'].includes(state)) return expect(errors).toEqual([])
      expect(errors).toMatchObject([
        {
          extensions: {
            code: 'STATE_CONFLICT',
            currentState: state,
            allowedStates: ['approved', 'active', 'in-arrears'],
          },
        },
      ])
    },
  )
})
