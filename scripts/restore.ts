import { parseArgs } from 'node:util'
import { requireBackup, summary, targetOf } from '../host/backup/command-line.ts'
import { restore } from '../host/backup/restore.ts'
import { parseConfig } from '../kernel/environment/config.ts'

// Restores the bank from BACKUP_DIR into DATA_DIR, which must be empty: `npm run restore`, or up to
// a point in time: `npm run restore -- --to 2090-01-02T03:04:05Z`, or up to the commit that appended a
// position of the event log: `npm run restore -- --to-position 4711`.
try {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, 'to-position': { type: 'string' } },
  })
  const config = parseConfig(process.env)
  const restored = await restore(config.dataDir, {
    place: requireBackup(config),
    to: targetOf(values),
    report: (step) => console.log(step),
  })
  console.log(summary(restored))
  console.log(`The bank is in ${config.dataDir}. Start it with npm start.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
