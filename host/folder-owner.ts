import { rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent } from './files.ts'
import { processIdentity } from './process-identity.ts'

/**
 * Acquires exclusive ownership of a folder until `release` or the end of this process. Throws an
 * Error that names the owner if another running process owns the folder.
 */
export async function acquireFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const path = `${folder}/owner`
  const claim = `${process.pid} ${processIdentity(process.pid)}\n`
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      await writeFile(path, claim, { flag: 'wx', mode: 0o600 })
      return { release: () => rm(path, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const found = await readIfPresent(path)
    if (found === null) continue
    // The file may have been created but not written yet.
    if (found === '' && attempt < 10) await sleep(50)
    else if (isAlive(found)) throw folderInUse(folder, found)
    else await removeStale(path, found, folder)
  }
  throw new Error(`${path} keeps changing. Check whether another process restarts in a loop.`)
}

async function removeStale(path: string, staleClaim: string, folder: string) {
  const movedPath = `${path}.${process.pid}`
  try {
    await rename(path, movedPath)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const updated = await readIfPresent(movedPath)
  // Another process was faster: this file is its claim, not the stale one. It must be restored.
  if (updated !== null && updated !== staleClaim && isAlive(updated)) {
    await rename(movedPath, path)
    throw folderInUse(folder, updated)
  }
  await rm(movedPath, { force: true })
}

function isAlive(owner: string): boolean {
  const [pid, identity] = owner.trim().split(' ')
  return identity !== undefined && processIdentity(Number(pid)) === identity
}

function folderInUse(folder: string, owner: string) {
  const pid = owner.split(' ')[0]
  return new Error(
    `The database in ${folder} is in use by process ${pid}. ` +
      `Stop that process first (kill ${pid}), or start this one with another DATA_DIR.`,
  )
}
