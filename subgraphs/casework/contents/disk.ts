import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentStore } from './content-store.ts'

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code

/**
 * Contents as files in a folder that nobody else may read. A file gets its name when all of it is
 * on the disk, so that no crash leaves half a document.
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
        // Unlike a rename, a link never replaces what is there.
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
