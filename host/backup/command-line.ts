import type { BackupConfig } from '../../kernel/environment/backup-config.ts'
import type { Config } from '../../kernel/environment/config.ts'
import type { Restored } from './restore.ts'

/** Returns where the backup is. Throws an Error that names the settings if they are not set. */
export function requireBackup({ backup }: Config): BackupConfig {
  if (backup) return backup
  throw new Error(
    'Set BACKUP_DIR to the folder of the backup, and BACKUP_KEY or BACKUP_KEY_FILE to its key.',
  )
}

/** Parses an instant with its zone. Throws an Error if it is none. */
export function instantOf(text: string): Date {
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
