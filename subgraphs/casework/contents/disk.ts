import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentStore } from './content-store.ts'

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code

/**
 * Stores contents as files in a folder that only this process's user can read. A file gets its name
 * after it was written and synced completely, so that a crash never leaves a partial document.
 */
export function diskStore(folder: string): ContentStore {
  return {
    async put(key, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unnamed = join(folder, `.${randomUUID()}`)
      try {
        const file = await open(unnamed, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        // Unlike a rename, a hard link never replaces an existing file.
        await link(unnamed, join(folder, key))
        return true
      } catch (error) {
        if (isCode(error, 'EEXIST')) return false
        throw error
      } finally {
        await rm(unnamed, { force: true })
      }
    },
    async get(key) {
      try {
        return await readFile(join(folder, key))
      } catch (error) {
        if (isCode(error, 'ENOENT')) return null
        throw error
      }
    },
    delete: (key) => rm(join(folder, key), { force: true }),
  }
}
