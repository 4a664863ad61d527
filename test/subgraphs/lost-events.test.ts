/** A failover loses events that processes had read, and the log assigns their positions to others. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Bank } from '../../kernel/environment/bank.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { cursorOf, type LogCursor } from '../../kernel/events/event-ring.ts'
import { bankContext, startWorkers } from '../../kernel/work/worker.ts'
import { command } from '../../kernel/writing/command.ts'
import { payments } from '../../subgraphs/payments/index.ts'
import { eventually } from '../kit/eventually.ts'
import { aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'

declareEvents({ 'tests.branch.grew': 'A branch of the log has grown.' })

let bank: RunningSubgraph
/** A process that only reads. */
let other: Bank
beforeAll(async () => {
  bank = await aSubgraph(payments)
  other = bank.another().bank
  await Promise.all([bank.bank.events.start(), other.events.start()])
})
afterAll(() => bank.drop())

const grow = (on = bank.bank) =>
  command(bankContext(on), 'grow', {}, async () => {
    const event = { type: 'tests.branch.grew', subject: 'log/1', version: 1, data: {}, parties: [] }
    return { result: null, events: [event] }
  })

/** The IDs in the log after a position, in its order. */
const idsAfter = async (position: bigint): Promise<string[]> => {
  const sql = 'select event_id from kernel.event where position > $1 order by position'
  return (await bank.rows(sql, [String(position)])).map((row) => row['event_id'])
}
let failovers = 0
/** Replaces the last events by others in one transaction, before any process looks. */
async function failOver(lost: number, count: number): Promise<void> {
  const branch = ++failovers
  await bank.rows(`do $$
    declare common bigint;
    begin
      select position - ${lost} into common from kernel.head for update;
      delete from kernel.event where position > common;
      update kernel.head set position = common + ${count};
      insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties,
        correlation_id, actor)
      select common + n, 'evt_${branch}_' || n, 'tests.branch.grew', 'branch/${branch}', n, now(),
        '{}', '{}', 'test', 'test'
      from generate_series(1, ${count}) n;
    end $$`)
}

interface Reader {
  ids: string[]
  place: LogCursor
  stop(): void
}

/** Reads everything after a place, as a subscription does. */
function follow({ events }: Bank, from: LogCursor): Reader {
  const ending = new AbortController()
  const reader: Reader = { ids: [], place: from, stop: () => ending.abort() }
  void (async () => {
    while (!ending.signal.aborted && events.isOpen) {
      reader.place = events.current(reader.place)
      for (const event of await events.after(reader.place)) {
        reader.ids.push(event.eventId)
        reader.place = cursorOf(event)
      }
      await events.waitForEvents(reader.place, ending.signal)
    }
  })()
  return reader
}

/** Lets all processes read to the end of the log. */
const settle = async () => {
  const [last] = await bank.rows(
    'select position, kernel.event_id_at(position) as id from kernel.head',
  )
  const isAtEnd = ({ events }: Bank) =>
    events.end.eventId === last!['id'] && events.head === BigInt(last!['position'])
  await eventually(() => isAtEnd(bank.bank) && isAtEnd(other))
}

test.each([
  ['fewer', 3, 1],
  ['as many', 3, 3],
  ['more', 2, 5],
  ['no', 2, 0],
])(
  'readers receive %s new events at the positions of lost ones, each once',
  async (_, lost, count) => {
    for (let at = 0; at < 4; at++) await grow()
    await settle()
    const from = bank.bank.events.cursorAt(bank.bank.events.head - 4n)
    const error = vi.spyOn(other.log, 'error').mockReturnValue()
    const readers = [bank.bank, other].map((each) => follow(each, from))
    const before = await idsAfter(from.position)
    const counts = [bank.bank, other].map(({ events }) => events.losses.count)
    await eventually(() => readers.every(({ ids }) => ids.length === 4))
    await failOver(lost, count)
    if (count === 0) await eventually(() => other.events.head < from.position + 4n)
    await settle()
    await grow(other)
    await settle()
    const after = await idsAfter(from.position + 4n - BigInt(lost))
    expect(after).toHaveLength(count + 1)
    await eventually(() => readers.every(({ ids }) => ids.length === 4 + after.length))
    for (const { ids, stop } of readers) {
      expect(ids).toEqual([...before, ...after])
      stop()
    }
    expect(error).toHaveBeenCalledTimes(1)
    expect([bank.bank, other].map(({ events }) => events.losses.count)).toEqual(
      counts.map((each) => each + lost),
    )
    error.mockRestore()
  },
)

// The outbox can survive a failover that loses the events' positions, or the former primary returns.
test('readers go on after events that were lost and are in the log again', async () => {
  for (let at = 0; at < 3; at++) await grow()
  await settle()
  const from = bank.bank.events.cursorAt(bank.bank.events.head - 3n)
  const reader = follow(other, from)
  const before = await idsAfter(from.position)
  await eventually(() => reader.ids.length === 3)
  const { end } = other.events
  await bank.rows(`create table kernel.kept as
    select * from kernel.event where position > ${from.position + 1n}`)
  await failOver(2, 0)
  const isBack = ({ events }: Bank) => events.head === from.position + 1n
  await eventually(() => isBack(bank.bank) && isBack(other))
  await bank.rows(`with back as (insert into kernel.event select * from kernel.kept)
    update kernel.head set position = ${end.position}`)
  await settle()
  await eventually(() => reader.ids.length === 5)
  expect(other.events.current(end)).toEqual(end)
  await other.events.waitForTypes(end, () => false, AbortSignal.timeout(50))
  await grow(other)
  await settle()
  await eventually(() => reader.ids.length === 6)
  const [, ...returned] = before
  expect(reader.ids).toEqual([...before, ...returned, ...(await idsAfter(end.position))])
  reader.stop()
  await bank.rows('drop table kernel.kept')
})

test('an own commit after the failover shows the loss at once', async () => {
  await grow()
  await grow()
  await settle()
  const from = bank.bank.events.end
  vi.spyOn(bank.bank.log, 'error').mockReturnValue()
  vi.spyOn(other.log, 'error').mockReturnValue()
  const reader = follow(bank.bank, bank.bank.events.cursorAt(from.position - 1n))
  await eventually(() => reader.ids.length === 1)
  await failOver(1, 2)
  const startedAt = performance.now()
  await grow()
  await eventually(() => reader.ids.length === 4)
  // The heartbeat would need up to a second.
  expect(performance.now() - startedAt).toBeLessThan(700)
  expect(reader.ids.slice(1)).toEqual(await idsAfter(from.position - 1n))
  reader.stop()
  await settle()
  vi.restoreAllMocks()
})

test('a process that has just started notices, too, and wakes its workers', async () => {
  for (let at = 0; at < 3; at++) await grow()
  await settle()
  const late = bank.another().bank
  await late.events.start()
  for (const each of [bank.bank, other, late]) vi.spyOn(each.log, 'error').mockReturnValue()
  const reader = follow(late, late.events.end)
  const before = late.events.head
  const woken: bigint[] = []
  const workers = startWorkers(late, [
    {
      name: 'tests.follow-branch',
      purpose: 'Follows the log.',
      everyMs: 3_600_000,
      wakeOn: ['tests.branch.*'],
      run() {
        woken.push(late.events.head)
        return Promise.resolve(0)
      },
    },
  ])
  await eventually(() => woken.length > 0)
  await failOver(3, 3)
  await settle()
  await eventually(() => woken.length > 1)
  await eventually(() => reader.ids.length === 3)
  expect(reader.ids).toEqual(await idsAfter(before - 3n))
  reader.stop()
  await workers.stop()
  vi.restoreAllMocks()
})

test('a client learns that its event is not in the log, and where to continue', async () => {
  for (let at = 0; at < 2; at++) await grow()
  await settle()
  const [first, last] = (await bank.bank.events.after(
    bank.bank.events.cursorAt(bank.bank.events.head - 2n),
  )) as [any, any]
  for (const each of [bank.bank, other]) vi.spyOn(each.log, 'error').mockReturnValue()
  const { events } = other
  await events.requireInLog(cursorOf(last))
  await failOver(1, 1)
  const starting = bank.another().bank
  await starting.events.start()
  // Neither the process that has not looked yet, nor the one that never knew the event, accepts it.
  const lost = { code: 'POSITION_NOT_IN_LOG' }
  await expect(starting.events.requireInLog(cursorOf(last))).rejects.toMatchObject(lost)
  await settle()
  await expect(events.requireInLog(cursorOf(last))).rejects.toMatchObject({
    ...lost,
    message: expect.stringContaining(`has the position ${first.position};`),
  })
  await events.requireInLog(cursorOf(first))
  await starting.events.requireInLog({ ...cursorOf(first), eventId: null })
  const beyond = { position: last.position + 10n, eventId: 'evt_beyond' }
  await expect(events.requireInLog(beyond)).rejects.toMatchObject(lost)
  vi.restoreAllMocks()
})
