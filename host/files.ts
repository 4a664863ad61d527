import { randomBytes } from 'node:crypto'
import {
  access,
  constants,
  link,
  mkdir,
  open,
  readFile,
  rename,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname } from 'node:path'

/** The text of a file, or `null` when there is none. Other failures are thrown. */
export async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Makes a folder that only its owner may enter. Refuses one that this user cannot write to. */
export async function openPrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(
      `This user cannot write to ${path} (${(cause as Error).message}). ` +
        'Start as the user who owns it, or with another DATA_DIR.',
      { cause },
    )
  }
}

/**
 * Writes a file that only its owner may read, all of it or nothing: a crash at any moment leaves
 * the old content or the new.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await throughDraft(path, text, (draft) => rename(draft, path))
}

/**
 * The same for a file that must not be there yet. Says whether it wrote it: of several processes
 * that try at once, one does.
 */
export async function createPrivateFile(path: string, text: string): Promise<boolean> {
  return throughDraft(path, text, async (draft) => {
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

async function throughDraft<Result>(
  path: string,
  text: string,
  publish: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(draft, 'wx', 0o600)
  let result: Result
  try {
    await file.writeFile(text)
    // Root may work in a user's folder, who shall still be able to read it afterwards.
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

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
