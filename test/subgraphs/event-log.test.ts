/** The event log of a process that is ahead of its database, as after a failover. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command } from '../../kernel/writing/command.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { bankContext } from '../../kernel/work/worker.ts'
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
  const [known] = await log.after(0n)
  // This process has seen three events that the new primary does not have.
  const lost = [2n, 3n, 4n].map((position) => ({ ...known!, position, eventId: `evt_${position}` }))
  log.addOwnEvents(lost)
  expect(log.head).toBe(4n)
  await eventually(async () => log.head === 1n)
  await grow()
  await eventually(async () => log.head === 2n)
  const [event] = await log.after(1n)
  expect(event!.eventId).not.toBe('evt_2')
})
