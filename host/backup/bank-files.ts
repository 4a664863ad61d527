import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupConfig } from '../../kernel/environment/backup-config.ts'
import { filesBelow, readIfPresent } from '../files.ts'
import { decryptText, encryptFile } from './encrypted-file.ts'
import { encryptedNames, encryptedPath, names } from './layout.ts'

/** The file that tells clusters apart. A restored bank has the one of its backup. */
export const identityFile = 'postgres/server.json'
/** The files outside the database that can change, relative to the data folder. */
const changingFiles = ['secrets.json', identityFile]

/** The file that says, by its time, since when the bank no longer has a file of its backup. */
const markerOf = (place: BackupConfig, file: string) =>
  join(place.folder, `${names.file(file)}.removed`)

/**
 * Copies the files of a bank outside its database into the backup: its keys, and the contents of
 * documents, which never change. A document that the bank deletes stays in the backup until no copy
 * of the cluster needs it.
 */
export class BankFiles {
  readonly #dataDir: string
  readonly #place: BackupConfig
  /** The time of each copied file when it was copied; null until the backup was looked at. */
  #copied: Map<string, number> | null = null
  #areCopied = false

  constructor(dataDir: string, place: BackupConfig) {
    this.#dataDir = dataDir
    this.#place = place
  }

  /** Whether the last attempt of this process to copy the files succeeded. */
  get areCopied(): boolean {
    return this.#areCopied
  }

  /**
   * Throws an Error if the folder has the backup of another bank, whose segments this one would
   * replace, or if it was encrypted with another key.
   */
  async requireOwnBackup(): Promise<void> {
    const { folder, key } = this.#place
    const name = names.file(identityFile)
    const path = encryptedPath(folder, name)
    if ((await timeOf(path)) === null) return
    const identity = await decryptText(path, name, key)
    if (identity === (await readIfPresent(join(this.#dataDir, identityFile)))) return
    throw new Error(
      `${folder} has the backup of another bank. Restore that bank, or set another BACKUP_DIR.`,
    )
  }

  /** Copies what is new or has changed, and marks what the bank no longer has. */
  async copy(): Promise<void> {
    this.#areCopied = false
    const copied = (this.#copied ??= await this.#copiedBefore())
    const documents = await filesBelow(join(this.#dataDir, 'documents'))
    const files = documents.map((path) => `documents/${path}`)
    for (const file of files) if (!copied.has(file)) await this.#copyFile(file, copied)
    for (const file of changingFiles) {
      const changedAt = await timeOf(join(this.#dataDir, file))
      if (changedAt !== null && changedAt > (copied.get(file) ?? 0)) {
        await this.#copyFile(file, copied)
      }
    }
    const present = new Set([...files, ...changingFiles])
    for (const file of copied.keys()) {
      if (present.has(file)) continue
      await writeFile(markerOf(this.#place, file), '')
      copied.delete(file)
    }
    this.#areCopied = true
  }

  async #copyFile(file: string, copied: Map<string, number>): Promise<void> {
    const source = join(this.#dataDir, file)
    const changedAt = await timeOf(source)
    // The bank has deleted it since.
    if (changedAt === null) return
    const name = names.file(file)
    await encryptFile(source, encryptedPath(this.#place.folder, name), name, this.#place.key)
    await rm(markerOf(this.#place, file), { force: true })
    copied.set(file, changedAt)
  }

  /** Returns what earlier processes have copied. A file that was marked is copied again if it is back. */
  async #copiedBefore(): Promise<Map<string, number>> {
    const copied = new Map<string, number>()
    for (const file of await encryptedNames(this.#place.folder, 'files')) {
      if ((await timeOf(markerOf(this.#place, file))) !== null) continue
      const copiedAt = await timeOf(encryptedPath(this.#place.folder, names.file(file)))
      copied.set(file, copiedAt!)
    }
    return copied
  }
}

/** Returns the files that the bank had at an instant, or with null that it had last. */
export async function filesAt(place: BackupConfig, instant: Date | null): Promise<string[]> {
  const files: string[] = []
  for (const file of await encryptedNames(place.folder, 'files')) {
    const removedAt = await timeOf(markerOf(place, file))
    if (removedAt === null || (instant && removedAt > instant.getTime())) files.push(file)
  }
  return files
}

/** Deletes from the backup what the bank no longer had at an instant. */
export async function removeFilesBefore(place: BackupConfig, instant: Date): Promise<void> {
  for (const file of await encryptedNames(place.folder, 'files')) {
    const removedAt = await timeOf(markerOf(place, file))
    if (removedAt === null || removedAt > instant.getTime()) continue
    await rm(encryptedPath(place.folder, names.file(file)))
    await rm(markerOf(place, file))
  }
}

/** Returns the time of the last change of a file in milliseconds; null if it does not exist. */
async function timeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
