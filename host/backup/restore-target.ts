import pg from 'pg'
import type { BackupConfig } from '../../kernel/environment/backup-config.ts'
import { identityFile } from './bank-files.ts'
import { baseBackups } from './base-backup.ts'
import type { BaseBackup } from './layout.ts'
import { replay, unpackCluster, unpackFiles, withDraft } from './recovery.ts'

/**
 * Where a restore ends: at an instant, or with the commit that appended a position of the event log
 * of the live environment. null for everything that was archived.
 */
export type RestoreTarget = { instant: Date } | { position: number } | null

/** How a target is reached. */
export interface RestorePlan {
  base: BaseBackup
  /** The setting of PostgreSQL that ends the recovery. */
  settings: Record<string, string>
  /** The target in words, such as `event 4711`; null for everything. */
  name: string | null
  /** The instant whose files outside the database are restored; null for the last ones. */
  filesAt: Date | null
  /** The transaction that must be the last one in the event log; null if the target is no position. */
  lastCommit: string | null
}

export const liveDatabase = 'bankgraph_live'

/**
 * Plans a restore. For a position, the newest copy is restored beside `dataDir` and replayed to the
 * end, because only the database knows which transaction appended an event. Commits append to the
 * log one after another, so the transactions up to this one are those up to the position: nothing of
 * the log is missing, and nothing came after it. Throws an Error if there is no backup before the
 * target, or no event at the position.
 */
export async function planRestore(
  dataDir: string,
  place: BackupConfig,
  target: RestoreTarget,
  report: (step: string) => void,
): Promise<RestorePlan> {
  if (target === null) {
    const base = await chooseBase(place, null)
    return { base, settings: {}, name: null, filesAt: null, lastCommit: null }
  }
  if ('instant' in target) {
    const { instant } = target
    return {
      base: await chooseBase(place, instant),
      settings: { recovery_target_time: timestampOf(instant) },
      name: instant.toISOString(),
      filesAt: instant,
      lastCommit: null,
    }
  }
  const name = `event ${target.position}`
  const newest = await chooseBase(place, null)
  report(`Looking for ${name} in the copy of ${newest.takenAt} and all that came after it.`)
  const { xid, time } = await findEvent(dataDir, place, newest, target.position)
  return {
    // An event is not committed before its time, so this copy was complete before the commit.
    base: await chooseBase(place, time),
    settings: { recovery_target_xid: xid },
    name,
    filesAt: time,
    lastCommit: xid,
  }
}

/** Returns the last copy that was complete at a time. */
async function chooseBase(place: BackupConfig, to: Date | null): Promise<BaseBackup> {
  const backups = await baseBackups(place)
  const [first] = backups
  if (!first) throw new Error(`${place.folder} has no backup.`)
  const base = backups.findLast(({ takenAt }) => to === null || new Date(takenAt) <= to)
  if (base) return base
  throw new Error(`The first backup in ${place.folder} was complete at ${first.takenAt}.`)
}

/** Returns an instant in the form that PostgreSQL's setting accepts, which has no `Z`. */
const timestampOf = (instant: Date) => instant.toISOString().replace('T', ' ').replace('Z', '+00')

// Events are inserted once and never updated, so `xmin` is the transaction that appended them.
const eventSql = `
  select head.position::float8 as head, e.xmin::text as xid, e.time
  from kernel.head head left join kernel.event e on e.position = $1`

/** Returns the transaction that appended an event, and the time of the event. */
async function findEvent(
  dataDir: string,
  place: BackupConfig,
  base: BaseBackup,
  position: number,
): Promise<{ xid: string; time: Date }> {
  const { head, xid, time } = await withDraft(dataDir, async (draft) => {
    await unpackCluster(place, base, draft)
    await unpackFiles(place, [identityFile], draft)
    const postgres = await replay(draft, {}, 'The archive cannot be replayed.')
    const client = new pg.Client(postgres.url(liveDatabase))
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query(eventSql, [position])
      return rows[0] as { head: number; xid: string | null; time: Date | null }
    } finally {
      await client.end()
      await postgres.stop()
    }
  })
  if (xid !== null && time !== null) return { xid, time }
  throw new Error(
    position > head
      ? `The archive ends with event ${head}, before event ${position}.`
      : `Event ${position} is in the archive of the event log. Restore to its time with --to.`,
  )
}
