/** A replica that has events that a failover lost is not read. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ReadReplica } from '../../kernel/database/read-replica.ts'
import { payments } from '../../subgraphs/payments/index.ts'
import { eventually } from '../kit/eventually.ts'
import { aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'

let bank: RunningSubgraph
let replica: ReadReplica
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await bank.rows(`with head as (update kernel.head set position = 3)
    insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties,
      correlation_id, actor)
    select n, 'evt_' || n, 'tests.x.y', 'log/1', n, now(), '{}', '{}', 'test', 'test'
    from generate_series(1, 3) n`)
  await bank.bank.events.start()
  // The database itself stands in for its replica.
  const { connectionString } = bank.bank.pool.options
  const { config } = bank.bank
  config.readDatabaseUrls = { ...config.readDatabaseUrls, live: connectionString! }
  replica = (await ReadReplica.open(bank.bank))!
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await replica.close()
  await bank.bank.events.stop()
  await bank.drop()
})

test('a replica with the same events is read, and one with lost events is not', async () => {
  const { events, log } = bank.bank
  expect(await replica.hasReached(3n)).toBe(true)
  const warn = vi.spyOn(log, 'warn').mockReturnValue()
  // This process has read on after the failover: it has another event at the replica's position.
  vi.spyOn(events, 'cursorAt').mockImplementation((position) => ({
    position,
    eventId: 'evt_other',
  }))
  await eventually(() => !replica.isCurrentFor('caller', null))
  expect(await replica.hasReached(3n)).toBe(false)
  expect(warn).toHaveBeenCalledWith(
    { reason: 'It has events that the primary database lost.' },
    expect.any(String),
  )
  vi.restoreAllMocks()
  // The replica has followed the new primary.
  await eventually(() => replica.isCurrentFor('caller', null))
  // A replica that is ahead of this process is compared where both have an event.
  vi.spyOn(events, 'head', 'get').mockReturnValue(2n)
  expect(await replica.hasReached(3n)).toBe(true)
})
