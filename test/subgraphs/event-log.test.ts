/** The event log of a process: after a failover, and under load. */
import 'reflect-metadata'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command } from '../../kernel/writing/command.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { bankContext, startWorkers } from '../../kernel/work/worker.ts'
import { payments } from '../../subgraphs/payments/index.ts'
import { eventually } from '../kit/eventually.ts'
import { aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'

declareEvents({ 'tests.log.grew': 'The log has grown.' })

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await bank.bank.events.start()
})
afterAll(() => bank.drop())

const grow = () =>
  command(bankContext(bank.bank), 'grow', {}, async () => {
    const event = { type: 'tests.log.grew', subject: 'log/1', version: 1, data: {}, parties: [] }
    return { result: null, events: [event] }
  })

test('continues from the database’s position after a failover that lost events', async () => {
  const { events: log } = bank.bank
  await grow()
  await eventually(async () => log.head === 1n)
  const [known] = await log.after(log.cursorAt(0n))
  // This process has seen three events that the new primary does not have.
  const lost = [2n, 3n, 4n].map((position) => ({ ...known!, position, eventId: `evt_${position}` }))
  log.addOwnEvents({ after: log.end, events: lost })
  expect(log.head).toBe(4n)
  await eventually(async () => log.head === 1n)
  await grow()
  await eventually(async () => log.head === 2n)
  const [event] = await log.after(log.cursorAt(1n))
  expect(event!.eventId).not.toBe('evt_2')
})

test('starts a worker at most 20 times a second under load, and never misses the last event', async () => {
  const { events: log } = bank.bank
  let passes = 0
  let seen = 0n
  const { stop } = startWorkers(bank.bank, [
    {
      name: 'tests.follow-log',
      purpose: 'Follows the log.',
      everyMs: 3_600_000,
      wakeOn: ['tests.log.*'],
      run() {
        passes++
        seen = log.head
        return Promise.resolve(0)
      },
    },
  ])
  try {
    const startedAt = performance.now()
    for (let commits = 0; commits < 100; commits++) {
      await grow()
      await sleep(5)
    }
    await eventually(() => seen === log.head)
    expect(passes).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 50)
  } finally {
    await stop()
  }
})
