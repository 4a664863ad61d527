import pino from 'pino'
import { openDatabase } from '../../../kernel/database/db.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { parseConfig } from '../../../kernel/environment/config.ts'
import { armFaultPoint } from '../../../kernel/environment/fault-point.ts'
import { EventArchive } from '../../../kernel/events/event-archive.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { archiveNext } from '../../../subgraphs/events/workers/archive-log.ts'

// Archives the event log like the bank, in segments of ten events, until it kills itself at the given fault
// point or nothing is left.
const [url, folder, point] = process.argv.slice(2) as [string, string, string]
const log = pino({ level: 'silent' })
const database = openDatabase(url, log)
const config = parseConfig({
  EVENT_ARCHIVE_URL: `file://${folder}`,
  EVENT_ARCHIVE_AFTER_DAYS: '1',
})
const archive = new EventArchive(database.pool, config, 'live', log)
const bank = { ...database, archive, config, log, now: () => new Date() } as unknown as Bank
armFaultPoint({ name: point, hit: 1 })
while ((await archiveNext(bankContext(bank), 10)) > 0);
await database.close()
