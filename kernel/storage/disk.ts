import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ContentStore } from './content-store.ts'
import { syncFolder } from './sync-folder.ts'

const hasCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code

/**
 * Creates a store that keeps content as files in a folder. Only the operating-system user that runs
 * the server can read the folder. A file is written and synced under a temporary name before it
 * gets its final name, so that a crash never leaves a partial file. Then the folder is synced, so that
 * the name survives a power failure.
 */
export function diskStore(folder: string): ContentStore {
  return {
    async put(key, bytes) {
      await makeFolder(folder)
      const temporaryPath = join(folder, `.${randomUUID()}`)
      try {
        const file = await open(temporaryPath, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        const isNew = await linkNew(temporaryPath, join(folder, key))
        // Another process may not have synced its file yet.
        await syncFolder(folder)
        return isNew
      } finally {
        await rm(temporaryPath, { force: true })
      }
    },
    async get(key) {
      try {
        return await readFile(join(folder, key))
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return null
        throw error
      }
    },
    delete: (key) => rm(join(folder, key), { force: true }),
  }
}

/** Creates a folder and its parents if they are missing, and syncs each folder that got a new one. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const last = dirname(resolve(first))
  for (let parent = dirname(resolve(folder)); ; parent = dirname(parent)) {
    await syncFolder(parent)
    if (parent === last) return
  }
}

/** Returns whether the file was linked; false if the path exists. */
async function linkNew(existingPath: string, newPath: string): Promise<boolean> {
  try {
    // Unlike a rename, a hard link never replaces an existing file.
    await link(existingPath, newPath)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}
