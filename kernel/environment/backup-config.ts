import { resolve } from 'node:path'
import { projectRoot } from './root.ts'
import type { Variables } from './variables.ts'

/** The folder of a backup, and the key with which its files are encrypted. */
export interface BackupConfig {
  folder: string
  key: Buffer
}

/** Returns where the embedded PostgreSQL is backed up; null if it is not. */
export function backup(variables: Variables): BackupConfig | null {
  const { BACKUP_DIR: folder, BACKUP_KEY: key } = variables
  if (!folder && !key) return null
  if (!folder || !key) throw new Error('Set both of BACKUP_DIR and BACKUP_KEY, or none of them.')
  if (variables.DATABASE_URL && variables.SANDBOX_DATABASE_URL) {
    throw new Error('BACKUP_DIR is for the embedded PostgreSQL. Back up yours with its own tools.')
  }
  return { folder: resolve(projectRoot, folder), key: Buffer.from(key, 'base64') }
}
