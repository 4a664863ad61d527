import { randomBytes } from 'node:crypto'
import { open, mkdir, readFile, rename, unlink } from 'node:fs/promises'
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

/**
 * Writes a file that only its owner may read, all of it or nothing: a crash at any moment leaves
 * the old content or the new. Makes its folder, closed to others, when there is none.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
    await file.close()
    await rename(draft, path)
  } catch (error) {
    await file.close().catch(() => undefined)
    await unlink(draft).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(path))
}

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
