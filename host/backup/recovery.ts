import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { BackupConfig } from '../../kernel/environment/backup-config.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../embedded-postgres.ts'
import { postgresAccount } from '../postgres-account.ts'
import { decryptFile } from './encrypted-file.ts'
import {
  encryptedNames,
  encryptedPath,
  names,
  restoredWalFolder,
  segmentPattern,
  type BaseBackup,
} from './layout.ts'

const run = promisify(execFile)
const replayTimeoutMs = 24 * 60 * 60 * 1000

/** Calls `work` with a new folder beside a data folder, and deletes what is left of it afterwards. */
export async function withDraft<Result>(
  dataDir: string,
  work: (draft: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(dirname(resolve(dataDir)), { recursive: true })
  const draft = await mkdtemp(`${resolve(dataDir)}.restoring-`)
  try {
    return await work(draft)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Returns the folder of the cluster in a data folder. */
export const clusterIn = (dataDir: string) => join(dataDir, 'postgres', 'cluster')

/** Decrypts files outside the database into a draft. */
export async function unpackFiles(
  { folder, key }: BackupConfig,
  files: readonly string[],
  draft: string,
): Promise<void> {
  for (const file of files) {
    const name = names.file(file)
    await decryptFile(encryptedPath(folder, name), name, key, join(draft, file))
  }
}

/** Unpacks a copy of the cluster and the WAL since then. Returns the number of segments. */
export async function unpackCluster(
  place: BackupConfig,
  base: BaseBackup,
  draft: string,
): Promise<number> {
  const cluster = clusterIn(draft)
  await extractCluster(place, base, cluster)
  const segments = await extractWal(place, base, cluster)
  await giveToServer(cluster)
  return segments
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

/**
 * Starts the server of an unpacked cluster, which replays the WAL up to the target in `settings`, or
 * to its end. Throws an Error with `tooShort` if the WAL ends before the target.
 */
export async function replay(
  draft: string,
  settings: Record<string, string>,
  tooShort: string,
): Promise<EmbeddedPostgres> {
  const lines: string[] = []
  return startEmbeddedPostgres({
    dataDir: join(draft, 'postgres'),
    log: (line) => lines.push(line),
    startTimeoutMs: replayTimeoutMs,
    settings: {
      restore_command: `cp ${restoredWalFolder}/%f %p`,
      recovery_target_action: 'promote',
      // Otherwise it would accept connections before the end of the recovery.
      hot_standby: 'off',
      ...settings,
    },
  }).catch((error: Error) => {
    const isShort = lines.some((line) => line.includes('before configured recovery target'))
    throw isShort ? new Error(tooShort) : error
  })
}
