import { expect, test } from 'vitest'
import { closeReasonOf } from '../../../subgraphs/collections/domain/episode.ts'
import { FacilityState } from '../../../subgraphs/lending/model/facilities/enumerations.ts'

test('every state of a facility but arrears closes an episode', () => {
  const open = FacilityState.values.filter((state) => closeReasonOf(state) === null)
  expect(open).toEqual(['in-arrears'])
  expect(closeReasonOf('active')).toBe('cured')
  expect(closeReasonOf('written-off')).toBe('charged-off')
})
