import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { BackupConfig } from '../../kernel/environment/backup-config.ts'
import { urlOfRunningServer } from '../embedded-postgres.ts'
import { removeFilesBefore } from './bank-files.ts'
import { decryptText, encryptStream, encryptText } from './encrypted-file.ts'
import { encryptedNames, encryptedPath, names, spoolFolder, type BaseBackup } from './layout.ts'

/** What belongs to the running server, or is rebuilt: https://www.postgresql.org/docs/18/continuous-archiving.html */
const excluded = [
  'postmaster.pid',
  'postmaster.opts',
  '.s.PGSQL.*',
  'pg_wal/*',
  'pg_replslot/*',
  'pg_dynshmem/*',
  'pg_notify/*',
  'pg_serial/*',
  'pg_snapshots/*',
  'pg_stat_tmp/*',
  'pg_subtrans/*',
  `${spoolFolder}/*`,
  'global/pg_control',
]
/** A file that was not written to for so long belongs to a backup that was interrupted. */
const maxDraftAgeMs = 60 * 60 * 1000
const archiveTimeoutMs = 120_000

/**
 * Copies the cluster of a running bank, keeps the last `keep` copies, and removes the WAL that none
 * of them needs. The manifest is written last: a copy without one does not count. Throws an Error if
 * the bank does not run here, or runs without BACKUP_DIR.
 */
export async function takeBaseBackup(
  dataDir: string,
  place: BackupConfig,
  keep: number,
  signal?: AbortSignal,
): Promise<BaseBackup> {
  const client = await connect(dataDir)
  try {
    const { rows: modes } = await client.query('show archive_mode')
    if (modes[0].archive_mode !== 'on')
      throw new Error('The bank runs without BACKUP_DIR. Restart it with the setting.')
    const began = await client.query(
      `select pg_walfile_name(pg_backup_start('bankgraph', fast => true)) as segment`,
    )
    const name = new Date().toISOString().replaceAll(':', '-')
    await copyCluster(join(dataDir, 'postgres', 'cluster'), place, names.base(name))
    const { rows } = await client.query(
      `select labelfile as label, pg_walfile_name(lsn) as segment, clock_timestamp() as at
       from pg_backup_stop(wait_for_archive => true)`,
    )
    const { label, segment, at } = rows[0] as { label: string; segment: string; at: Date }
    await segmentArchived(place, segment, signal)
    const backup: BaseBackup = {
      name,
      takenAt: at.toISOString(),
      firstSegment: began.rows[0].segment as string,
      label,
    }
    const manifest = names.manifest(name)
    await encryptText(
      JSON.stringify(backup),
      encryptedPath(place.folder, manifest),
      manifest,
      place.key,
    )
    await prune(place, keep)
    return backup
  } finally {
    await client.end()
  }
}

async function connect(dataDir: string): Promise<pg.Client> {
  try {
    const client = new pg.Client(await urlOfRunningServer(`${dataDir}/postgres`, 'postgres'))
    client.on('error', () => undefined)
    await client.connect()
    return client
  } catch (cause) {
    throw new Error(`No bank runs in ${dataDir}. Start it with BACKUP_DIR first.`, { cause })
  }
}

/**
 * Whether a copy is due: there is none of the last `maxAgeMs`, or none since a restore, from which
 * on the WAL belongs to another timeline.
 */
export async function isBaseBackupDue(
  dataDir: string,
  place: BackupConfig,
  maxAgeMs: number,
): Promise<boolean> {
  const latest = (await baseBackups(place)).at(-1)
  if (!latest || Date.now() - Date.parse(latest.takenAt) >= maxAgeMs) return true
  const client = await connect(dataDir)
  try {
    const sql = 'select pg_walfile_name(pg_current_wal_lsn()) as segment'
    const { rows } = await client.query<{ segment: string }>(sql)
    return rows[0]!.segment.slice(0, 8) !== latest.firstSegment.slice(0, 8)
  } finally {
    await client.end()
  }
}

/** Streams the files into the backup. `pg_control` comes last, as PostgreSQL's own tool does it. */
async function copyCluster(cluster: string, { folder, key }: BackupConfig, name: string) {
  const patterns = excluded.map((pattern) => `--exclude=./${pattern}`)
  const tar = spawn('tar', ['-C', cluster, ...patterns, '-cf', '-', '.', 'global/pg_control'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  tar.stderr.on('data', (chunk) => (output += chunk))
  const exited = once(tar, 'close') as Promise<[number | null]>
  await encryptStream(tar.stdout, encryptedPath(folder, name), name, key)
  const [code] = await exited
  // 1 means that files changed while they were read, which the WAL repairs.
  if (code !== 0 && code !== 1) throw new Error(`The cluster cannot be copied. ${output.trim()}`)
}

/** Returns the complete copies, the oldest first. */
export async function baseBackups({ folder, key }: BackupConfig): Promise<BaseBackup[]> {
  const manifests = (await encryptedNames(folder, 'base')).filter((name) => name.endsWith('.json'))
  return Promise.all(
    manifests.map(async (file) => {
      const name = `base/${file}`
      return JSON.parse(await decryptText(encryptedPath(folder, name), name, key)) as BaseBackup
    }),
  )
}

/** Removes copies beyond the last `keep`, those that were interrupted, and what only they needed. */
async function prune(place: BackupConfig, keep: number): Promise<void> {
  const { folder } = place
  const kept = (await baseBackups(place)).slice(-keep)
  const keptFiles = new Set(kept.flatMap(({ name }) => [`${name}.tar`, `${name}.json`]))
  // The manifest goes first: a copy without one does not count.
  for (const file of (await encryptedNames(folder, 'base')).sort()) {
    if (!keptFiles.has(file)) await rm(encryptedPath(folder, `base/${file}`))
  }
  for (const draft of await readdir(join(folder, 'base'))) {
    const path = join(folder, 'base', draft)
    const isLeft = draft.endsWith('.tmp') && Date.now() - (await stat(path)).mtimeMs > maxDraftAgeMs
    if (isLeft) await rm(path, { force: true })
  }
  const { firstSegment, takenAt } = kept[0]!
  await removeFilesBefore(place, new Date(takenAt))
  for (const segment of await encryptedNames(folder, 'wal')) {
    // Segments of all timelines are numbered alike.
    const isOld = segment.length >= 24 && segment.slice(8, 24) < firstSegment.slice(8)
    if (isOld) await rm(encryptedPath(folder, names.segment(segment)))
  }
}

async function segmentArchived({ folder }: BackupConfig, segment: string, signal?: AbortSignal) {
  for (const deadline = Date.now() + archiveTimeoutMs; ;) {
    const isThere = await stat(encryptedPath(folder, names.segment(segment))).then(
      () => true,
      () => false,
    )
    if (isThere) return
    signal?.throwIfAborted()
    if (Date.now() > deadline) {
      throw new Error(`The WAL segment ${segment} did not arrive. See the log of the bank.`)
    }
    await sleep(200)
  }
}
