import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Bank } from '../../../subgraphs/_kernel/bank.ts'
import { Carrier } from '../../../subgraphs/_kernel/carrier.ts'
import { command } from '../../../subgraphs/_kernel/command.ts'
import { openDatabase } from '../../../subgraphs/_kernel/db.ts'
import { declareEvents } from '../../../subgraphs/_kernel/events.ts'
import { armFaultPoint } from '../../../subgraphs/_kernel/fault-point.ts'
import { newId } from '../../../subgraphs/_kernel/ids.ts'
import { EventLog } from '../../../subgraphs/_kernel/log.ts'
import { bankContext } from '../../../subgraphs/_kernel/worker.ts'

// Commits as the bank does and listens to itself, until it dies at the point it is told. A line for
// each commit that was answered, `acked <subject> <version>`, and for each event, `heard <position> <id>`.
const [url, brokerUrl, name, after, point] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const subjects = 4

declareEvents({ 'chaos.told': 'Something happened.' })
const log = pino({ level: 'silent' })
const database = openDatabase(url, log)
const carrier = brokerUrl ? new Carrier(brokerUrl, 'chaos', log) : null
const events = new EventLog(database.pool, log, carrier)
const bank = { ...database, events, newId, log, now: () => new Date() } as Bank

await events.start()
while (carrier && !events.isCarried) await sleep(10)
void hear(BigInt(after))
// From here on: what the start did is no point of the work.
armFaultPoint({ name: point, hit: 20 })
for (let at = 0; at < subjects; at++) void tell(`chaos/${name}-${at}`)

/** Each commit publishes a fact, whose version counts them, and tells two events. */
async function tell(subject: string): Promise<void> {
  for (let version = 1; ;) {
    const told = { type: 'chaos.told', subject, version, data: {}, parties: [] }
    try {
      await command(bankContext(bank), 'tell', null, () =>
        Promise.resolve({ result: null, events: [told, told], facts: [{ subject, data: {} }] }),
      )
      process.stdout.write(`acked ${subject} ${version++}\n`)
    } catch {
      // The database is away, and comes back.
      await sleep(50)
    }
  }
}

async function hear(position: bigint): Promise<void> {
  for (;;) {
    for (const event of await events.after(position).catch(() => [])) {
      position = event.position
      process.stdout.write(`heard ${position} ${event.eventId}\n`)
    }
    await events.moreThan(position)
  }
}
