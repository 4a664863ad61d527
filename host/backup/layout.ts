import { join } from 'node:path'
import { filesBelow } from '../files.ts'

/** A copy of the cluster, from which a restore begins. */
export interface BaseBackup {
  /** The time at which the copy began, in UTC, such as `2090-01-02T03-04-05.678Z`. */
  name: string
  /** The time at which it was complete: the earliest to which it can be restored. */
  takenAt: string
  /** The first WAL segment that a restore needs. */
  firstSegment: string
  /** What PostgreSQL needs to begin the recovery: the content of `backup_label`. */
  label: string
}

/** The names in the folder of a backup. */
export const names = {
  base: (name: string) => `base/${name}.tar`,
  manifest: (name: string) => `base/${name}.json`,
  segment: (segment: string) => `wal/${segment}`,
  file: (path: string) => `files/${path}`,
}

/** The ending of the files of a backup, which cannot be read without the key. */
const ending = '.encrypted'

export const encryptedPath = (folder: string, name: string) => join(folder, `${name}${ending}`)

/** The folder in the cluster in which PostgreSQL leaves complete WAL segments. */
export const spoolFolder = 'bankgraph_wal'
/** The folder in a restored cluster from which PostgreSQL takes WAL segments. */
export const restoredWalFolder = 'bankgraph_restore'

/** Returns the names of the encrypted files below a folder of the backup, without their ending. */
export async function encryptedNames(
  folder: string,
  kind: 'base' | 'wal' | 'files',
): Promise<string[]> {
  const files = await filesBelow(join(folder, kind))
  return files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length))
}

/** A WAL segment: 8 hexadecimal digits each for timeline, log and segment. */
export const segmentPattern = /^[0-9A-F]{24}$/
