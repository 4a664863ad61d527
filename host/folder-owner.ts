import { rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent } from './files.ts'
import { processIdentity } from './process-identity.ts'

/**
 * Makes this process the only owner of a folder until `release`, or until it dies in whatever way.
 * Refuses, naming the process, while another living one owns it.
 */
export async function ownFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const path = `${folder}/owner`
  const mine = `${process.pid} ${processIdentity(process.pid)}\n`
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      await writeFile(path, mine, { flag: 'wx', mode: 0o600 })
      return { release: () => rm(path, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const found = await readIfPresent(path)
    if (found === null) continue
    // Its owner may be between making the file and filling it.
    if (found === '' && attempt < 10) await sleep(50)
    else if (isAlive(found)) throw refusal(folder, found)
    else await removeStale(path, found, folder)
  }
  throw new Error(`${path} keeps changing. Is another process starting all the time?`)
}

async function removeStale(path: string, judged: string, folder: string) {
  const aside = `${path}.${process.pid}`
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const moved = await readIfPresent(aside)
  // Another starter was quicker and this is its claim, not the stale one: give it back.
  if (moved !== null && moved !== judged && isAlive(moved)) {
    await rename(aside, path)
    throw refusal(folder, moved)
  }
  await rm(aside, { force: true })
}

function isAlive(owner: string): boolean {
  const [pid, identity] = owner.trim().split(' ')
  return identity !== undefined && processIdentity(Number(pid)) === identity
}

function refusal(folder: string, owner: string) {
  const pid = owner.split(' ')[0]
  return new Error(
    `The database in ${folder} is in use by process ${pid}. ` +
      `Stop that process first (kill ${pid}), or start this one with another DATA_DIR.`,
  )
}
