import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { benchConsole } from './console.ts'
import { benchRequestLog, benchTokens } from './costs.ts'
import { benchEvents } from './events.ts'
import { benchNotifications } from './notifications.ts'
import { benchPostings } from './postings.ts'
import { benchSchedules } from './schedules.ts'

// Every path beside its limit, as ratios measured in one run: contenders take turns, so that what
// disturbs the machine disturbs all of them. Figures are medians over the rounds. Name a part to
// run it alone: `npm run bench -- postings`.
const parts = {
  notifications: benchNotifications,
  postings: benchPostings,
  schedules: benchSchedules,
  tokens: benchTokens,
  'request-log': benchRequestLog,
  events: benchEvents,
  console: benchConsole,
}
const request = process.argv.slice(2)

const folder = await mkdtemp(join(projectRoot, '.cache-bench-'))
const postgres = await startEmbeddedPostgres({
  dataDir: join(folder, 'postgres'),
  log: () => undefined,
})
try {
  for (const [name, bench] of Object.entries(parts)) {
    if (request.length === 0 || request.includes(name)) await bench(postgres, folder)
  }
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
