import { expect, test } from 'vitest'
import '../../../subgraphs/operations/events.ts'
import '../../../subgraphs/staff/events.ts'
import { knownEvents } from '../../../kernel/events/events.ts'
import { kindOfEvent } from '../../../subgraphs/operations/domain/identity-events.ts'

/** Events that change no right and no access. */
const withoutRecord = new Set<string>([])

test('a record of identity is derived from every event about employees, clients and tokens', () => {
  const types = [...knownEvents.keys()].filter((type) =>
    /^(staff\.employee|operations\.oauth-client|operations\.tokens)\./.test(type),
  )
  expect(types.length).toBeGreaterThan(15)
  expect(types.filter((type) => !kindOfEvent.has(type) && !withoutRecord.has(type))).toEqual([])
})
