import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  cannotRun,
  isReady,
  signalQuietly,
  spawnOnCluster,
  type Cluster,
} from './postgres-cluster.ts'

/** A running PostgreSQL server. `exited` settles when the server has ended, for any reason. */
export interface Postmaster {
  pid: number
  exited: Promise<void>
  stop(): Promise<void>
}

export interface PostmasterOptions {
  port: number
  settings: Record<string, string>
  log: (line: string) => void
  /** The folder that the guard process deletes if this process dies without stopping the server. */
  removeAfterCrash?: string | undefined
  /** How long the server may take to accept connections. Default: a minute. */
  startTimeoutMs?: number | undefined
}

/**
 * The error if the server does not start. `output` is the last part of the server's log, or says
 * that the server was not ready in time.
 */
export class StartFailed extends Error {
  readonly output: string
  constructor(output: string) {
    super(`The database did not start. ${output}`)
    this.output = output
  }
}

const defaultStartTimeoutMs = 60_000

/**
 * Starts a server on the cluster and waits until it accepts connections. If this process dies, even
 * by SIGKILL, the server shuts down. Throws `StartFailed` if the server does not start.
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
  await waitUntilReady(cluster, child, exited, lastLines, options.startTimeoutMs)
  return { pid, exited, stop: () => stopPostmaster(child, exited) }
}

async function waitUntilReady(
  cluster: Cluster,
  child: ChildProcess,
  exited: Promise<void>,
  lastLines: string[],
  startTimeoutMs = defaultStartTimeoutMs,
) {
  let isGone = false
  void exited.then(() => (isGone = true))
  const deadline = Date.now() + startTimeoutMs
  while (!(await isReady(cluster, child.pid ?? 0))) {
    if (!isGone && Date.now() > deadline) {
      await stopPostmaster(child, exited)
      throw new StartFailed(`It was not ready after ${startTimeoutMs / 1000} s.`)
    }
    await Promise.race([sleep(10), exited])
    // The last output of the server may still be in the pipe.
    if (isGone) await sleep(20)
    if (isGone) throw new StartFailed(lastLines.join(' '))
  }
}

/**
 * Requests a fast shutdown, and sends stronger signals if it takes too long. No committed data is
 * lost.
 */
async function stopPostmaster(child: ChildProcess, exited: Promise<void>) {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 8_000],
    ['SIGQUIT', 4_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    signalQuietly(child.pid, signal)
    const timeoutController = new AbortController()
    const { signal: abortSignal } = timeoutController
    await Promise.race([exited, sleep(timeoutMs, null, { signal: abortSignal }).catch(() => null)])
    timeoutController.abort()
  }
}

/** Forwards each line of the server's log. The returned array always has the last ten lines. */
function forwardLines(child: ChildProcess, log: (line: string) => void): string[] {
  const lastLines: string[] = []
  let incompleteLine = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (incompleteLine + chunk).split('\n')
    incompleteLine = lines.pop() ?? ''
    for (const line of lines) {
      lastLines.push(line)
      if (lastLines.length > 10) lastLines.shift()
      log(line)
    }
  })
  child.stdout?.resume()
  return lastLines
}

/**
 * A script that reads from a pipe that only this process holds open. When the pipe ends, this
 * process has died. The script then shuts the server down, and deletes the folder `$2` if given.
 */
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
