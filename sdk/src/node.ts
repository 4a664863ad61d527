/** What only programs on Node need. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { KeyStore } from './keys.ts'

/**
 * Stores keys in a folder, one file for each intent, so that a program that crashed repeats its
 * operations with the same keys. A file is written completely or not at all. Throws a TypeError if the
 * folder is not named, such as by a variable that is not set.
 */
export function fileKeyStore(folder: string): KeyStore {
  if (!folder) throw new TypeError('`fileKeyStore` needs the path of a folder.')
  const pathOf = (intent: string) =>
    join(folder, `${createHash('sha256').update(intent).digest('hex')}.key`)
  return {
    async get(intent) {
      try {
        return (await readFile(pathOf(intent), 'utf8')).split('\n')[0]
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async set(intent, key) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = pathOf(intent)
      await writeFile(`${path}.new`, `${key}\n${intent}\n`, { flush: true, mode: 0o600 })
      await rename(`${path}.new`, path)
    },
  }
}
