import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { benchCapacity } from './capacity.ts'
import { benchCells } from './cells.ts'
import { benchConsole } from './console.ts'
import { benchRequestLog, benchTokens, benchTraces } from './costs.ts'
import { benchEvents } from './events.ts'
import { benchFederation } from './federation.ts'
import { benchGrowth } from './growth.ts'
import { benchIdle } from './idle.ts'
import { benchNights } from './nights.ts'
import { benchNotifications } from './notifications.ts'
import { benchPooler } from './pooler.ts'
import { benchPostings } from './postings.ts'
import { keepOutput, startPart, writeReport } from './report.ts'
import { benchScaleOut } from './scale-out.ts'
import { benchSchedules } from './schedules.ts'
import { benchSkew } from './skew.ts'
import { rounds, secondsPerTurn } from './turns.ts'

// Every path beside its limit, as ratios measured in one run: contenders take turns, so that what
// disturbs the machine disturbs all of them. Figures are medians over the rounds. Name parts to
// run them alone: `npm run bench -- postings`. `--report` writes docs/performance.md, and `--rows 10000000`
// adds a larger bank to `growth`.
type Part = (server: EmbeddedPostgres, folder: string, rows: number | null) => Promise<void> | void
const parts: Record<string, Part> = {
  notifications: benchNotifications,
  federation: benchFederation,
  postings: benchPostings,
  skew: benchSkew,
  schedules: benchSchedules,
  tokens: benchTokens,
  'request-log': benchRequestLog,
  traces: benchTraces,
  events: benchEvents,
  console: benchConsole,
  growth: benchGrowth,
  nights: benchNights,
  idle: benchIdle,
  pooler: benchPooler,
  cells: benchCells,
  'scale-out': benchScaleOut,
  capacity: benchCapacity,
}
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { report: { type: 'boolean' }, rows: { type: 'string' } },
})
const unknown = positionals.filter((name) => !(name in parts))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.\n`,
  )
  process.exit(1)
}
const names = Object.keys(parts).filter(
  (name) => positionals.length === 0 || positionals.includes(name),
)

if (values.report) keepOutput()
const folder = await mkdtemp(join(projectRoot, '.cache-bench-'))
const postgres = await startEmbeddedPostgres({
  dataDir: join(folder, 'postgres'),
  log: () => undefined,
  // Several processes of the platform, and their peers, share the server.
  settings: { max_connections: '600' },
})
try {
  for (const name of names) {
    startPart(name)
    await parts[name]!(postgres, folder, values.rows ? Number(values.rows) : null)
  }
  if (values.report)
    await writeReport(names, `${rounds} rounds of ${secondsPerTurn} s for each side`)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
