import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  cannotRun,
  isReady,
  signalQuietly,
  spawnOnCluster,
  type Cluster,
} from './postgres-cluster.ts'

/** A running server. `exited` settles when it is gone, whoever ended it. */
export interface Postmaster {
  pid: number
  exited: Promise<void>
  stop(): Promise<void>
}

export interface PostmasterOptions {
  port: number
  settings: Record<string, string>
  log: (line: string) => void
  /** Removed by the guard when this process dies without having stopped the server. */
  removeAfterCrash?: string | undefined
}

/** A start that PostgreSQL refused, with what it said. */
export class StartRefused extends Error {
  readonly output: string
  constructor(output: string) {
    super(`The database did not start. ${output}`)
    this.output = output
  }
}

const startTimeoutMs = 60_000

/**
 * Starts a server on the cluster and waits until it takes connections. When this process dies, by
 * SIGKILL too, the server shuts down by itself. Throws `StartRefused` when it does not come up.
 */
export async function startPostmaster(
  cluster: Cluster,
  options: PostmasterOptions,
): Promise<Postmaster> {
  const settings = { ...options.settings, cluster_name: cluster.id, port: String(options.port) }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = await spawnOnCluster(cluster, 'postgres', flags, 'ignore')
  let failure: unknown = null
  child.once('error', (error) => (failure = error))
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  if (child.pid === undefined) {
    await exited
    throw cannotRun(cluster, failure)
  }
  const pid = child.pid
  const guard = startGuard(pid, options.removeAfterCrash)
  void exited.then(() => guard.kill('SIGKILL'))
  const lastLines = forwardLines(child, options.log)
  await waitUntilReady(cluster, child, exited, lastLines)
  return { pid, exited, stop: () => stopPostmaster(child, exited) }
}

async function waitUntilReady(
  cluster: Cluster,
  child: ChildProcess,
  exited: Promise<void>,
  lastLines: string[],
) {
  let isGone = false
  void exited.then(() => (isGone = true))
  const until = Date.now() + startTimeoutMs
  while (!(await isReady(cluster, child.pid ?? 0))) {
    if (!isGone && Date.now() > until) {
      await stopPostmaster(child, exited)
      throw new StartRefused(`It was not ready after ${startTimeoutMs / 1000} s.`)
    }
    await Promise.race([sleep(10), exited])
    // Its last words may still be in the pipe.
    if (isGone) await sleep(20)
    if (isGone) throw new StartRefused(lastLines.join(' '))
  }
}

/** Asks for a fast shutdown, then insists. Every way keeps what was committed. */
async function stopPostmaster(child: ChildProcess, exited: Promise<void>) {
  for (const [signal, patienceMs] of [
    ['SIGINT', 8_000],
    ['SIGQUIT', 4_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    signalQuietly(child.pid, signal)
    const timer = new AbortController()
    await Promise.race([
      exited,
      sleep(patienceMs, null, { signal: timer.signal }).catch(() => null),
    ])
    timer.abort()
  }
}

/** Passes on each line of the server's log and remembers the latest for an error message. */
function forwardLines(child: ChildProcess, log: (line: string) => void): string[] {
  const lastLines: string[] = []
  let rest = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      lastLines.push(line)
      if (lastLines.length > 10) lastLines.shift()
      log(line)
    }
  })
  child.stdout?.resume()
  return lastLines
}

/** Waits on a pipe that only this process holds: its end means that this process is gone. */
const guardScript = `
while read -r _; do :; done
kill -INT "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ $tries -lt 150 ]; do
  tries=$((tries + 1))
  [ $tries -eq 100 ] && kill -QUIT "$1" 2>/dev/null
  sleep 0.1
done
[ -n "$2" ] && rm -rf -- "$2"
`

function startGuard(pid: number, removeAfterCrash = '') {
  const guard = spawn(
    '/bin/sh',
    ['-c', guardScript, 'bankgraph-guard', String(pid), removeAfterCrash],
    {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  guard.on('error', () => undefined)
  guard.stdin.on('error', () => undefined)
  return guard
}
