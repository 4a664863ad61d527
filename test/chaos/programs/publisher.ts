import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { EventBroker } from '../../../kernel/events/event-broker.ts'
import { command } from '../../../kernel/writing/command.ts'
import { Heartbeat } from '../../../kernel/database/heartbeat.ts'
import { openDatabase } from '../../../kernel/database/db.ts'
import { declareEvents } from '../../../kernel/events/events.ts'
import { armFaultPoint } from '../../../kernel/environment/fault-point.ts'
import { newId } from '../../../kernel/environment/ids.ts'
import { EventLog } from '../../../kernel/events/event-log.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { fixedRing } from '../../../kernel/environment/key-ring.ts'
import { cursorOf } from '../../../kernel/events/event-ring.ts'

// Commits like the bank and follows its own event log, until it kills itself at the given fault point. Prints a
// line for each acknowledged commit, `acked <subject> <version>`, and for each event, `heard <position> <id>`.
const [url, brokerUrl, name, after, point] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const subjects = 4

declareEvents({ 'chaos.happened': 'Something happened.' })
const log = pino({ level: 'silent' })
const database = openDatabase(url, log)
const broker = brokerUrl ? new EventBroker(brokerUrl, fixedRing('chaos'), log) : null
const now = () => new Date()
const heartbeat = new Heartbeat(database.pool, log, now)
const { commits } = database
const events = commits.tell(new EventLog(database, log, heartbeat, broker))
const bank = { ...database, heartbeat, events, newId, log, now } as Bank
/** The same bank, whose commits leave their events in the outbox, as after the failure of a group. */
const alone = Object.assign(Object.create(commits), { commit: commits.commitAlone.bind(commits) })
const bankWithOutbox: Bank = { ...bank, commits: alone }

await events.start()
while (broker && !events.isBrokerConnected) await sleep(10)
void listenTo(BigInt(after))
// Armed only now, because the start is not under test.
armFaultPoint({ name: point, hit: 20 })
for (let at = 0; at < subjects; at++) {
  // Commits that append their events also take the outbox along, and leave the sequencer no work.
  const isAppending = at % 2 === 0 && !point.startsWith('sequencer.')
  void emit(`chaos/${name}-${at}`, isAppending ? bank : bankWithOutbox)
}

/** Each commit publishes a fact, whose version counts the commits, and emits two events. */
async function emit(subject: string, bankOf: Bank): Promise<void> {
  for (let version = 1; ;) {
    const domainEvent = { type: 'chaos.happened', subject, version, data: {}, parties: [] }
    try {
      await command(bankContext(bankOf), 'tell', null, () =>
        Promise.resolve({
          result: null,
          events: [domainEvent, domainEvent],
          facts: [{ subject, data: {} }],
        }),
      )
      process.stdout.write(`acked ${subject} ${version++}\n`)
    } catch {
      // The database is unavailable and will recover.
      await sleep(50)
    }
  }
}

async function listenTo(position: bigint): Promise<void> {
  for (let place = events.cursorAt(position); ; await events.waitForEvents(place)) {
    for (const event of await events.after(place).catch(() => [])) {
      place = cursorOf(event)
      process.stdout.write(`heard ${event.position} ${event.eventId}\n`)
    }
  }
}
