import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentStore } from './content-store.ts'

const hasCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code

/**
 * Creates a store that keeps content as files in a folder. Only the operating-system user that runs
 * the server can read the folder. A file is written and synced under a temporary name before it
 * gets its final name, so that a crash never leaves a partial file.
 */
export function diskStore(folder: string): ContentStore {
  return {
    async put(key, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporaryPath = join(folder, `.${randomUUID()}`)
      try {
        const file = await open(temporaryPath, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        // Unlike a rename, a hard link never replaces an existing file.
        await link(temporaryPath, join(folder, key))
        return true
      } catch (error) {
        if (hasCode(error, 'EEXIST')) return false
        throw error
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
