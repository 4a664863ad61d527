import { ArrangementState } from '../../../subgraphs/accounts/model/enumerations.ts'
import { FacilityState } from '../../../subgraphs/lending/model/facilities/enumerations.ts'
import { expect, test } from 'vitest'
import type { Lifecycle } from '../../../kernel/domain/states.ts'
import * as accounts from '../../../subgraphs/accounts/domain/arrangement.ts'
import * as lending from '../../../subgraphs/lending/domain/facilities/facility.ts'

function byLifecycle<State extends string>(
  states: readonly State[],
  lifecycleOf: (record: { state: State }) => Lifecycle,
) {
  const of = (lifecycle: Lifecycle) =>
    states.filter((state) => lifecycleOf({ state }) === lifecycle)
  return { open: of('open'), ending: of('ending'), ended: of('ended') }
}

test('an account takes new references until its closure is requested', () => {
  expect(byLifecycle(ArrangementState.values, accounts.lifecycleOf)).toEqual({
    open: ['pending', 'active', 'blocked', 'dormant'],
    ending: ['pending-closure'],
    ended: ['closed', 'rejected', 'cancelled'],
  })
})

test('a facility relies on its settlement account until it is settled or charged off', () => {
  expect(byLifecycle(FacilityState.values, lending.lifecycleOf)).toEqual({
    open: ['approved', 'active', 'in-arrears'],
    ending: ['charged-off'],
    ended: ['matured', 'paid-off', 'recovered', 'written-off', 'cancelled'],
  })
})
