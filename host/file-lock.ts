import { unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPrivateFile, readIfPresent } from './files.ts'
import { processIdentity } from './process-identity.ts'

const retryMs = 50
const maxWaitMs = 15_000

/**
 * Runs `work` while this process alone holds the lock of a file, so that of two processes that
 * change the file, the second one reads what the first one wrote. The lock of a process that ended
 * without releasing it does not count. Throws an Error that names the lock if it is not free in time.
 */
export async function withFileLock<Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = `${path}.lock`
  const owner = JSON.stringify([process.pid, processIdentity(process.pid)])
  const until = Date.now() + maxWaitMs
  while (!(await createPrivateFile(lock, owner))) {
    if (Date.now() > until) {
      throw new Error(
        `${lock} is held by another process. If none runs, remove it and ${lock}.removal.`,
      )
    }
    await removeIfAbandoned(lock, owner)
    await sleep(retryMs)
  }
  try {
    return await work()
  } finally {
    await unlink(lock)
  }
}

/**
 * Removes the lock of a process that ended. Only one process at a time removes: otherwise, the second
 * one would remove the lock that a third one has created since.
 */
async function removeIfAbandoned(lock: string, owner: string): Promise<void> {
  if (!(await isAbandoned(lock))) return
  const removal = `${lock}.removal`
  if (!(await createPrivateFile(removal, owner))) return
  try {
    if (await isAbandoned(lock)) await unlink(lock)
  } finally {
    await unlink(removal)
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  const text = await readIfPresent(lock)
  if (text === null) return false
  const [pid, identity] = JSON.parse(text) as [number, string | null]
  return processIdentity(pid) !== identity
}
