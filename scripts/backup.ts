import { parseArgs } from 'node:util'
import { takeBaseBackup } from '../host/backup/base-backup.ts'
import { requireBackup, summary } from '../host/backup/command-line.ts'
import { verifyBackup } from '../host/backup/restore.ts'
import { parseConfig } from '../kernel/environment/config.ts'

// Copies the databases of the running bank into BACKUP_DIR: `npm run backup`, or `npm run backup --
// --keep 30`. `npm run backup -- --verify` restores the backup, proves it, and deletes it again.
try {
  const { keep, verify } = parseArgs({
    options: {
      keep: { type: 'string', default: '7' },
      verify: { type: 'boolean', default: false },
    },
  }).values
  if (!/^[1-9]\d{0,3}$/.test(keep)) throw new Error('--keep must be a number from 1 to 9999.')
  const config = parseConfig(process.env)
  const place = requireBackup(config)
  if (verify) {
    const report = (step: string) => console.log(step)
    console.log(summary(await verifyBackup(config.dataDir, { place, to: null, report })))
  } else {
    const { takenAt } = await takeBaseBackup(config.dataDir, place, Number(keep))
    console.log(`The bank was backed up to ${place.folder} at ${takenAt}.`)
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
