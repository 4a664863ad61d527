import { parseArgs } from 'node:util'
import pg from 'pg'
import { urlOfRunningServer } from '../host/embedded-postgres.ts'
import { databaseOptions } from '../kernel/database/database-hosts.ts'
import { parseConfig } from '../kernel/environment/config.ts'
import { verifyArchive } from '../kernel/events/verify-archive.ts'
import { openStore } from '../kernel/storage/open-store.ts'

// Compares the archive of the event log with its hashes: `npm run archive -- verify --env live`. Prints
// the findings, and exits with 1 if there is any.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { env: { type: 'string', default: 'live' } },
})
const { env } = values
if (positionals.join() !== 'verify') throw new Error('The only command is verify.')
if (env !== 'live' && env !== 'sandbox') throw new Error('--env must be live or sandbox.')
const { dataDir, databaseUrls, eventArchive } = parseConfig(process.env)
if (!eventArchive) throw new Error('Set EVENT_ARCHIVE_URL.')
const url =
  databaseUrls[env] ?? (await urlOfRunningServer(`${dataDir}/postgres`, `bankgraph_${env}`))
const pool = new pg.Pool({ ...databaseOptions(url), max: 1 })
pool.on('error', () => undefined)
try {
  const result = await verifyArchive(pool, openStore(eventArchive.place, env))
  const { segments, events, head, findings } = result
  for (const finding of findings) console.error(finding)
  console.log(`${segments} segments with ${events} events; the last hash is ${head}.`)
  if (findings.length > 0) process.exitCode = 1
} finally {
  await pool.end()
}
