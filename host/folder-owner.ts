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
    const existingClaim = await readIfPresent(path)
    if (existingClaim === null) continue
    // The file may have been created but not written yet.
    if (existingClaim === '' && attempt < 10) await sleep(50)
    else if (isAlive(existingClaim)) throw folderInUse(folder, existingClaim)
    else await removeStale(path, existingClaim, folder)
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
  const movedClaim = await readIfPresent(movedPath)
  // Another process has replaced the stale claim in the meantime, so its claim is restored.
  if (movedClaim !== null && movedClaim !== staleClaim && isAlive(movedClaim)) {
    await rename(movedPath, path)
    throw folderInUse(folder, movedClaim)
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
