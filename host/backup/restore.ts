import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { BackupConfig } from '../../kernel/environment/backup-config.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../embedded-postgres.ts'
import { postgresAccount } from '../postgres-account.ts'
import { filesAt } from './bank-files.ts'
import { baseBackups } from './base-backup.ts'
import { decryptFile } from './encrypted-file.ts'
import {
  encryptedNames,
  encryptedPath,
  names,
  restoredWalFolder,
  segmentPattern,
  type BaseBackup,
} from './layout.ts'
import { prove, type Proof } from './prove.ts'

/** A bank that was restored in a folder. */
export interface Restored {
  base: BaseBackup
  /** The number of WAL segments that were there to replay. */
  segments: number
  proofs: Proof[]
}

export interface RestoreOptions {
  place: BackupConfig
  /** The point in time; null for everything that was archived. */
  to: Date | null
  /** Called before each step, with a sentence. */
  report: (step: string) => void
}

const run = promisify(execFile)
const replayTimeoutMs = 24 * 60 * 60 * 1000

/**
 * Restores a bank into a data folder, which must not exist or be empty. It is restored and proven
 * beside this folder, and moved there when it is sound. Throws an Error if there is no backup, no
 * WAL up to the time, or if the proof finds something; nothing is left then.
 */
export async function restore(dataDir: string, options: RestoreOptions): Promise<Restored> {
  if (!(await isEmpty(dataDir))) {
    throw new Error(`${dataDir} is not empty. Move it away, or restore to another DATA_DIR.`)
  }
  return restoreBeside(dataDir, options, async (draft) => {
    await rm(dataDir, { recursive: true, force: true })
    await rename(draft, dataDir)
  })
}

/**
 * Restores a bank beside a data folder, proves it, and deletes it again. It is not restored in the
 * folder of the backup, where everything is encrypted.
 */
export function verifyBackup(dataDir: string, options: RestoreOptions): Promise<Restored> {
  return restoreBeside(dataDir, options, () => Promise.resolve())
}

async function isEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

async function restoreBeside(
  dataDir: string,
  options: RestoreOptions,
  use: (draft: string) => Promise<void>,
): Promise<Restored> {
  const { place, to, report } = options
  const base = await chooseBase(place, to)
  await mkdir(dirname(resolve(dataDir)), { recursive: true })
  const draft = await mkdtemp(`${resolve(dataDir)}.restoring-`)
  try {
    report(`Restoring the copy of ${base.takenAt}.`)
    await extractCluster(place, base, join(draft, 'postgres', 'cluster'))
    for (const file of await filesAt(place, to)) {
      const name = names.file(file)
      await decryptFile(encryptedPath(place.folder, name), name, place.key, join(draft, file))
    }
    const segments = await extractWal(place, base, join(draft, 'postgres', 'cluster'))
    await giveToServer(join(draft, 'postgres', 'cluster'))
    report(`Replaying ${segments} WAL segments${to ? ` up to ${to.toISOString()}` : ''}.`)
    const proofs = await replayAndProve(draft, to, report)
    const findings = proofs.flatMap((proof) => proof.findings)
    if (findings.length > 0) {
      throw new Error(`The restored bank is not sound:\n${findings.join('\n')}`)
    }
    for (const name of ['port', 'owner']) await rm(join(draft, 'postgres', name), { force: true })
    const cluster = join(draft, 'postgres', 'cluster')
    await rm(join(cluster, restoredWalFolder), { recursive: true, force: true })
    await use(draft)
    return { base, segments, proofs }
  } finally {
    await rm(draft, { recursive: true, force: true })
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

async function extractCluster({ folder, key }: BackupConfig, base: BaseBackup, cluster: string) {
  await mkdir(cluster, { recursive: true, mode: 0o700 })
  const name = names.base(base.name)
  // Nothing is extracted before the whole file is authentic.
  const archive = join(cluster, '..', 'cluster.tar')
  await decryptFile(encryptedPath(folder, name), name, key, archive)
  await run('tar', ['-C', cluster, '-xf', archive])
  await rm(archive)
  await writeFile(join(cluster, 'backup_label'), base.label)
  await writeFile(join(cluster, 'recovery.signal'), '')
}

/** Decrypts the WAL since the copy, and returns the number of segments. */
async function extractWal({ folder, key }: BackupConfig, base: BaseBackup, cluster: string) {
  const isNeeded = (segment: string) =>
    !segmentPattern.test(segment) || segment.slice(8) >= base.firstSegment.slice(8)
  const needed = (await encryptedNames(folder, 'wal')).filter(isNeeded)
  await mkdir(join(cluster, restoredWalFolder), { mode: 0o700 })
  for (const segment of needed) {
    const name = names.segment(segment)
    await decryptFile(
      encryptedPath(folder, name),
      name,
      key,
      join(cluster, restoredWalFolder, segment),
    )
  }
  return needed.filter((segment) => segmentPattern.test(segment)).length
}

async function giveToServer(cluster: string): Promise<void> {
  const { uid, gid } = await postgresAccount(join(cluster, '..', 'none'))
  if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, cluster])
}

async function replayAndProve(draft: string, to: Date | null, report: RestoreOptions['report']) {
  const lines: string[] = []
  const postgres = await startEmbeddedPostgres({
    dataDir: join(draft, 'postgres'),
    log: (line) => lines.push(line),
    startTimeoutMs: replayTimeoutMs,
    settings: {
      restore_command: `cp ${restoredWalFolder}/%f %p`,
      recovery_target_action: 'promote',
      // Otherwise it would accept connections before the end of the recovery.
      hot_standby: 'off',
      ...(to && { recovery_target_time: timestampOf(to) }),
    },
  }).catch((error: Error) => {
    const isShort = lines.some((line) => line.includes('before configured recovery target'))
    if (!isShort) throw error
    throw new Error(`The archive ends before ${to!.toISOString()}. Restore without --to.`)
  })
  try {
    report('Proving the ledger, the journal and the event log.')
    const proofs: Proof[] = []
    for (const name of await databasesOf(postgres)) {
      proofs.push(await prove(postgres.url(name), name))
    }
    return proofs
  } finally {
    await postgres.stop()
  }
}

/** Returns an instant in the form that PostgreSQL's setting accepts, which has no `Z`. */
const timestampOf = (instant: Date) => instant.toISOString().replace('T', ' ').replace('Z', '+00')

async function databasesOf(postgres: EmbeddedPostgres): Promise<string[]> {
  const client = new pg.Client(postgres.url('postgres'))
  client.on('error', () => undefined)
  await client.connect()
  const sql = `select datname as name from pg_database where datname like 'bankgraph%' order by datname`
  const { rows } = await client.query<{ name: string }>(sql)
  await client.end()
  return rows.map(({ name }) => name)
}
