import { randomBytes } from 'node:crypto'
import {
  access,
  constants,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { syncFolder } from '../kernel/storage/sync-folder.ts'

/** Reads a file. Returns null if it does not exist. Throws all other errors. */
export async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Returns the paths of the files below a folder, relative to it and sorted; none if it does not
 * exist.
 */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort()
}

/**
 * Creates a folder that only its owner can access, unless the folder exists. Throws an Error if
 * this user cannot write to it.
 */
export async function openPrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(
      `This user cannot write to ${path} (${(cause as Error).message}). ` +
        'Start as the user who owns the folder, or with another DATA_DIR.',
      { cause },
    )
  }
}

/**
 * Writes a file that only its owner can access. The write is atomic: after a crash, the file has
 * either the old or the new content.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await publishDraft(path, text, (draft) => rename(draft, path))
}

/**
 * Writes a file like `writePrivateFile`, but only if it does not exist. Returns whether this call
 * wrote it: of several concurrent processes, exactly one does.
 */
export async function createPrivateFile(path: string, text: string): Promise<boolean> {
  return publishDraft(path, text, async (draft) => {
    try {
      await link(draft, path)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      await unlink(draft)
    }
  })
}

async function publishDraft<Result>(
  path: string,
  text: string,
  publish: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(draft, 'wx', 0o600)
  let result: Result
  try {
    await file.writeFile(text)
    // If root writes into another user's folder, that user must be able to read the file.
    const { uid, gid } = await stat(dirname(path))
    if (process.getuid?.() === 0 && uid !== 0) await file.chown(uid, gid)
    await file.sync()
    await file.close()
    result = await publish(draft)
  } catch (error) {
    await file.close().catch(() => undefined)
    await unlink(draft).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(path))
  return result
}
