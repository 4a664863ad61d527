import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const first = 10_081
const last = 32_767
/** More than vitest has workers. */
const slices = 16
const sliceLength = Math.floor((last - first + 1) / slices)
const handedOut = new Set<number>()

/**
 * Returns a port of the loopback that nobody listens on now and that no other worker of this run is
 * given: each has a slice of its own, so a program may take seconds to start, or be killed and
 * started again, without losing its port. The ports are below those that systems give to outgoing
 * connections and above the last one that `fetch` and browsers refuse (10080,
 * https://fetch.spec.whatwg.org/#port-blocking).
 */
export async function freePort(): Promise<number> {
  const slice = first + (Number(process.env.VITEST_POOL_ID ?? 0) % slices) * sliceLength
  for (;;) {
    const port = slice + randomInt(sliceLength)
    if (!handedOut.has(port) && (await isFree(port))) {
      handedOut.add(port)
      return port
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}
