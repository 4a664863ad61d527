import type { FacilityState } from '../../../subgraphs/lending/model/facilities/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lifecycleOf } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import { arrangementIn, bank, does, openBank, publish } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const aFacility = (facilityId: string, state: FacilityState, settlementArrangementId: string) =>
  publish(`facility/${facilityId}`, {
    facilityId,
    state,
    lifecycle: lifecycleOf({ state }),
    settlementArrangementId,
  })

describe('Closing a settlement account', () => {
  test.each(['approved', 'active', 'in-arrears'] as const)(
    'rejects the closure while the account settles a facility that is %s',
    async (state) => {
      for (const [from, act] of [
        ['active', 'requestClosure'],
        ['pending-closure', 'close'],
      ] as const) {
        const id = await arrangementIn(from)
        const facilityId = `fac_${state}_${act}`
        await aFacility(facilityId, state, id)
        const refused = await does(act, id)
        expect(refused.code).toBe('SETTLEMENT_ACCOUNT_IN_USE')
        expect(refused.errors[0]!.extensions).toMatchObject({
          resourceId: id,
          errors: [{ code: 'FACILITY_OPEN', resourceId: facilityId }],
        })
        await aFacility(facilityId, 'paid-off', id)
        expect((await does(act, id)).errors).toEqual([])
      }
    },
  )

  test('permits the closure when the facility collects nothing any more', async () => {
    for (const state of [
      'charged-off',
      'recovered',
      'written-off',
      'matured',
      'paid-off',
    ] as const) {
      const id = await arrangementIn('pending-closure')
      await aFacility(`fac_${state}`, state, id)
      expect((await does('close', id)).errors).toEqual([])
    }
  })
})
