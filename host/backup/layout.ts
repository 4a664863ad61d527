import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A copy of the cluster, from which a restore begins. */
export interface BaseBackup {
  /** The time at which the copy was complete, in UTC, such as `2090-01-02T03-04-05Z`. */
  name: string
  takenAt: string
  /** The first and the last WAL segment that a restore needs. */
  firstSegment: string
  lastSegment: string
  /** What PostgreSQL needs to begin the recovery: the content of `backup_label`. */
  label: string
  /** The release of the program that took it. */
  release: string
}

/** The names in the folder of a backup. */
export const names = {
  base: (name: string) => `base/${name}.tar`,
  manifest: (name: string) => `base/${name}.json`,
  segment: (segment: string) => `wal/${segment}`,
  file: (path: string) => `files/${path}`,
}

/** A file of a backup has this ending, because it cannot be read without the key. */
export const encryptedPath = (folder: string, name: string) => join(folder, `${name}.encrypted`)

/** The folder in the cluster in which PostgreSQL leaves complete WAL segments. */
export const spoolFolder = 'bankgraph_wal'
/** The folder in a restored cluster from which PostgreSQL takes WAL segments. */
export const restoredWalFolder = 'bankgraph_restore'

/** Returns the names of the encrypted files below a folder of the backup, without their ending. */
export async function encryptedNames(folder: string, kind: 'base' | 'wal' | 'files') {
  const entries = await readdir(join(folder, kind), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const root = join(folder, kind)
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.encrypted'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1, -'.encrypted'.length))
    .sort()
}

/** A WAL segment: 8 hexadecimal digits each for timeline, log and segment. */
export const segmentPattern = /^[0-9A-F]{24}$/
