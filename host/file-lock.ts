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
      throw new Error(`${lock} is held by another process. Try again, or remove it if none runs.`)
    }
    await removeIfAbandoned(lock)
    await sleep(retryMs)
  }
  try {
    return await work()
  } finally {
    await unlink(lock)
  }
}

async function removeIfAbandoned(lock: string): Promise<void> {
  const text = await readIfPresent(lock)
  if (text === null) return
  const [pid, identity] = JSON.parse(text) as [number, string | null]
  if (processIdentity(pid) === identity) return
  await unlink(lock).catch(() => undefined)
}
