import { describe, expect, test } from 'vitest'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'
import { HardshipStatus } from '../../../subgraphs/lending/model/relief/enumerations.ts'
import { hardshipStates } from '../../../subgraphs/lending/model/relief/hardship-request.ts'

const now = new Date('2026-03-01T12:00:00Z')
const request = { now, subject: 'user-1' }
const cancel = (status: HardshipStatus) =>
  applyTransition(
    hardshipStates,
    'cancelHardshipRequest',
    { hardshipRequestId: 'hrd_1', status, escalateAt: now },
    request,
  )

describe('cancelHardshipRequest', () => {
  test.each(['submitted', 'under-review'] as const)('withdraws a %s request', (status) => {
    expect(cancel(status)).toMatchObject({ status: 'cancelled', escalateAt: null })
  })

  test.each(['approved', 'declined', 'cancelled'] as const)('rejects a %s request', (status) => {
    expect(() => cancel(status)).toThrowError(
      expect.objectContaining({ code: 'INVALID_STATE_TRANSITION' }),
    )
  })
})

test('a review makes the other transitions', () => {
  expect(hardshipStates.table['submitted']).toContain('under-review')
  expect(hardshipStates.table['under-review']).toEqual(
    expect.arrayContaining(['approved', 'declined', 'cancelled']),
  )
})
