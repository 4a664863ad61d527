import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder that contains package.json. It is found both from the source files and from the built
 * program in `dist/`.
 */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder)
    throw new Error('No package.json was found in the folders above the program.')
  return findRoot(parent)
}
