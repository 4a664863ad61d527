import type { BackupConfig } from '../../kernel/environment/backup-config.ts'
import type { Config } from '../../kernel/environment/config.ts'
import type { Restored } from './restore.ts'
import type { RestoreTarget } from './restore-target.ts'

/** Returns where the backup is. Throws an Error that names the settings if they are not set. */
export function requireBackup({ backup }: Config): BackupConfig {
  if (backup) return backup
  throw new Error(
    'Set BACKUP_DIR to the folder of the backup, and BACKUP_KEY or BACKUP_KEY_FILE to its key.',
  )
}

/** Parses the options that say where a restore ends. Throws an Error if they say nothing clear. */
export function targetOf(options: { to?: string; 'to-position'?: string }): RestoreTarget {
  const { to, 'to-position': position } = options
  if (to !== undefined && position !== undefined) {
    throw new Error('Send either --to or --to-position.')
  }
  if (to !== undefined) return { instant: instantOf(to) }
  if (position === undefined) return null
  if (/^[1-9]\d{0,14}$/.test(position)) return { position: Number(position) }
  throw new Error('--to-position must be a position of the event log, like 4711.')
}

/** Parses an instant with its zone. Throws an Error if it is none. */
function instantOf(text: string): Date {
  const isComplete = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const instant = new Date(text)
  if (!isComplete || Number.isNaN(instant.getTime())) {
    throw new Error('--to must be an instant with its zone, like 2090-01-02T03:04:05Z.')
  }
  return instant
}

/** Says in words what was restored. */
export function summary({ base, segments, proofs }: Restored): string {
  const lines = proofs.map(
    ({ database, events, lastEventAt, postings, parties }) =>
      `${database}: ${events} events up to ${lastEventAt?.toISOString() ?? 'none'}, ${postings} postings, ${parties} parties; sound.`,
  )
  const source = `From the copy of ${base.takenAt} and ${segments} WAL segments:`
  return [source, ...lines].join('\n')
}
