import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { BackupConfig } from '../../kernel/environment/backup-config.ts'
import { filesBelow } from '../files.ts'
import { BankFiles } from './bank-files.ts'
import { isBaseBackupDue, takeBaseBackup } from './base-backup.ts'
import { encryptFile } from './encrypted-file.ts'
import { encryptedPath, names, spoolFolder } from './layout.ts'

const pollMs = 1000
const baseBackupEveryMs = 24 * 60 * 60 * 1000
const baseBackupCheckMs = 10 * 60 * 1000
/** How many copies of the cluster the bank keeps by itself. */
const keptBaseBackups = 7

/**
 * Returns the settings with which the embedded PostgreSQL leaves every complete WAL segment in the
 * spool. A segment is complete after 16 MB or 30 seconds, so a lost machine loses at most the last
 * half minute. The names are relative to the cluster.
 */
export function archiveSettings(): Record<string, string> {
  const target = `${spoolFolder}/%f`
  // `mv` makes a segment visible when it is complete and on the disk.
  const command = `mkdir -p ${spoolFolder} && cp %p ${target}.tmp && sync ${target}.tmp && mv ${target}.tmp ${target}`
  return {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_timeout: '30s',
    archive_command: command,
  }
}

/**
 * Moves WAL segments from the spool into the backup, encrypted, and copies the files of the bank
 * with them. Once a day it copies the cluster. A failure is logged and tried again; the spool keeps
 * the segments meanwhile.
 */
export class Archive {
  readonly #dataDir: string
  readonly #place: BackupConfig
  readonly #log: Logger
  readonly #stopController = new AbortController()
  readonly #files: BankFiles
  #running: Promise<unknown> | null = null

  constructor(dataDir: string, place: BackupConfig, log: Logger) {
    this.#dataDir = dataDir
    this.#place = place
    this.#log = log
    this.#files = new BankFiles(dataDir, place)
  }

  /** Throws an Error if the folder has the backup of another bank. Called before the database starts. */
  requireOwnBackup(): Promise<void> {
    return this.#files.requireOwnBackup()
  }

  start(): void {
    const { signal } = this.#stopController
    const archiving = this.#repeat(pollMs, () => this.archive())
    const copying = this.#repeat(baseBackupCheckMs, async () => {
      if (!(await isBaseBackupDue(this.#dataDir, this.#place, baseBackupEveryMs))) return
      await takeBaseBackup(this.#dataDir, this.#place, keptBaseBackups, signal)
    })
    this.#running = Promise.all([archiving, copying])
  }

  /** Archives what is left. Called after the database has stopped, which completes its last segment. */
  async stop(): Promise<void> {
    this.#stopController.abort()
    await this.#running
    await this.archive()
  }

  /** Archives what is there now. Throws if it cannot be read or written. */
  async archive(): Promise<void> {
    const spool = join(this.#dataDir, 'postgres', 'cluster', spoolFolder)
    const segments = (await filesBelow(spool)).filter((name) => !name.endsWith('.tmp'))
    if (segments.length === 0 && this.#files.areCopied) return
    // A document is stored before the database names it, so what a segment names is there already.
    await this.#files.copy()
    for (const segment of segments) {
      const name = names.segment(segment)
      const path = encryptedPath(this.#place.folder, name)
      await encryptFile(join(spool, segment), path, name, this.#place.key)
      await rm(join(spool, segment))
    }
  }

  /** Runs a step again and again until the bank stops. */
  async #repeat(pauseMs: number, step: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopController
    while (!signal.aborted) {
      await step().catch((error: Error) => {
        if (signal.aborted) return
        this.#log.error({ error: error.message }, 'the backup cannot be written; retrying')
      })
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
