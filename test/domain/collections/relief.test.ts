/** Which relief of lending holds the steps on a day. */
import { expect, test } from 'vitest'
import { isUndecided, reliefUntil } from '../../../subgraphs/collections/domain/relief.ts'

const day = '2026-05-01'
const reduction = {
  status: 'APPROVED',
  type: 'TEMPORARY_REDUCTION',
  requestedStartDate: '2026-05-01',
  requestedEndDate: '2026-07-31',
}
const holiday = { status: 'APPROVED', startDate: '2026-05-01', endDate: '2026-06-30' }

test('relief holds from its first day through its last day', () => {
  expect(reliefUntil([], [reduction], '2026-04-30')).toBe(null)
  expect(reliefUntil([], [reduction], day)).toBe('2026-07-31')
  expect(reliefUntil([], [reduction], '2026-07-31')).toBe('2026-07-31')
  expect(reliefUntil([], [reduction], '2026-08-01')).toBe(null)
  expect(reliefUntil([holiday], [], '2026-04-30')).toBe(null)
  expect(reliefUntil([holiday], [], day)).toBe('2026-06-30')
})

test('a reduction without a start date holds at once, and one without an end date never', () => {
  const open = { ...reduction, requestedStartDate: null }
  expect(reliefUntil([], [open], '2026-04-30')).toBe('2026-07-31')
  expect(reliefUntil([], [{ ...reduction, requestedEndDate: null }], day)).toBe(null)
})

test('the relief that ends last counts, unless it has not begun', () => {
  expect(reliefUntil([holiday], [reduction], day)).toBe('2026-07-31')
  const later = { ...reduction, requestedStartDate: '2026-06-01' }
  expect(reliefUntil([holiday], [later], day)).toBe('2026-06-30')
})

test('only relief that was granted holds', () => {
  for (const status of ['REQUESTED', 'DECLINED', 'CANCELLED', 'ENDED_EARLY', 'COMPLETED'])
    expect(reliefUntil([{ ...holiday, status }], [], day)).toBe(null)
  for (const status of ['SUBMITTED', 'DECLINED'])
    expect(reliefUntil([], [{ ...reduction, status }], day)).toBe(null)
  expect(reliefUntil([], [{ ...reduction, type: 'TERM_EXTENSION' }], day)).toBe(null)
})

test('a hardship request is undecided until it is approved, declined or withdrawn', () => {
  const states = ['SUBMITTED', 'UNDER_REVIEW', 'APPROVED', 'DECLINED', 'CANCELLED']
  expect(states.filter((status) => isUndecided({ status }))).toEqual(['SUBMITTED', 'UNDER_REVIEW'])
})
