import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { BackupConfig } from '../../kernel/environment/backup-config.ts'
import type { EmbeddedPostgres } from '../embedded-postgres.ts'
import { filesAt } from './bank-files.ts'
import { restoredWalFolder, type BaseBackup } from './layout.ts'
import { prove, type Proof } from './prove.ts'
import { clusterIn, replay, unpackCluster, unpackFiles, withDraft } from './recovery.ts'
import {
  liveDatabase,
  planRestore,
  type RestorePlan,
  type RestoreTarget,
} from './restore-target.ts'

/** A bank that was restored in a folder. */
export interface Restored {
  base: BaseBackup
  /** The number of WAL segments that were there to replay. */
  segments: number
  proofs: Proof[]
}

export interface RestoreOptions {
  place: BackupConfig
  to: RestoreTarget
  /** Called before each step, with a sentence. */
  report: (step: string) => void
}

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
  const plan = await planRestore(dataDir, place, to, report)
  const { base, name } = plan
  return withDraft(dataDir, async (draft) => {
    report(`Restoring the copy of ${base.takenAt}.`)
    const segments = await unpackCluster(place, base, draft)
    await unpackFiles(place, await filesAt(place, plan.filesAt), draft)
    report(`Replaying ${segments} WAL segments${name ? ` up to ${name}` : ''}.`)
    const proofs = await replayAndProve(draft, plan, report)
    const findings = proofs.flatMap((proof) => proof.findings)
    if (findings.length > 0) {
      throw new Error(`The restored bank is not sound:\n${findings.join('\n')}`)
    }
    for (const name of ['port', 'owner']) await rm(join(draft, 'postgres', name), { force: true })
    await rm(join(clusterIn(draft), restoredWalFolder), { recursive: true, force: true })
    await use(draft)
    return { base, segments, proofs }
  })
}

async function replayAndProve(
  draft: string,
  { settings, name, lastCommit }: RestorePlan,
  report: RestoreOptions['report'],
) {
  const tooShort = `The archive ends before ${name}. Restore without --to and --to-position.`
  const postgres = await replay(draft, settings, tooShort)
  try {
    if (lastCommit !== null) await requireLastCommit(postgres, lastCommit)
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

/** Throws an Error if another transaction than this one appended the last event. */
async function requireLastCommit(postgres: EmbeddedPostgres, xid: string): Promise<void> {
  const sql = 'select xmin::text as xid from kernel.event order by position desc limit 1'
  const [last] = await query<{ xid: string }>(postgres, liveDatabase, sql)
  if (last?.xid === xid) return
  throw new Error('The event log of the restored bank does not end with the commit of the event.')
}

async function databasesOf(postgres: EmbeddedPostgres): Promise<string[]> {
  const sql = `select datname as name from pg_database where datname like 'bankgraph%' order by datname`
  const rows = await query<{ name: string }>(postgres, 'postgres', sql)
  return rows.map(({ name }) => name)
}

async function query<Row extends pg.QueryResultRow>(
  postgres: EmbeddedPostgres,
  database: string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client(postgres.url(database))
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<Row>(sql)
  await client.end()
  return rows
}
