import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../../kernel/environment/root.ts'
import { freePort } from '../kit/free-port.ts'

/** The data directory and ports of a program, the same over all its starts. */
export interface Place {
  dataDir: string
  port: number
  sandboxPort: number
}

/** The built program, running. */
export interface Program {
  readyMs: number
  kill(): Promise<void>
  /** The signal that ended the process; resolves when it has ended. */
  ended: Promise<NodeJS.Signals | null>
  stop(): Promise<void>
}

/** The first start creates and fills two databases, while other tests use the processors. */
const maxStartMs = 180_000

/** The program that runs in a place at the moment, if any. */
export interface Running {
  program: Program | null
}

/** Calls `work` with a new place. Afterwards kills what still runs there and removes its data. */
export async function inNewPlace<Result>(
  work: (place: Place, running: Running) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-chaos-'))
  const running: Running = { program: null }
  try {
    const place = { dataDir, port: await freePort(), sandboxPort: await freePort() }
    return await work(place, running)
  } finally {
    await running.program?.kill()
    await endOrphans(dataDir)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/**
 * Starts the program and waits until it is ready. With `killAfterMs` it may be killed before that;
 * the result is null then. Throws with the output when it exits early or takes too long.
 */
export async function start(
  place: Place,
  killAfterMs?: number,
  settings: Record<string, string> = {},
): Promise<Program | null> {
  const started = performance.now()
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
    cwd: projectRoot,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: place.dataDir,
      PORT: String(place.port),
      SANDBOX_PORT: String(place.sandboxPort),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = once(child, 'close')
  const isReady = new Promise<boolean>((resolve) => {
    child.stderr.on('data', (chunk) => (output += chunk))
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (/^ready /m.test(output)) resolve(true)
    })
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  const isUp = await Promise.race([
    isReady,
    exited.then(() => false),
    sleep(killAfterMs ?? maxStartMs, false, { ref: false }),
  ])
  if (!isUp) {
    const isPlanned = killAfterMs !== undefined && child.exitCode === null
    await kill()
    if (isPlanned) return null
    throw new Error(`The program did not start. ${output}`)
  }
  return {
    readyMs: performance.now() - started,
    kill,
    ended: exited.then(([, signal]) => signal as NodeJS.Signals | null),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exited
      if (code !== 0) throw new Error(`The program stopped with ${code}. ${output}`)
    },
  }
}

/** Ends the PostgreSQL that a killed program left running. */
async function endOrphans(dataDir: string): Promise<void> {
  const names = await readdir(dataDir, { recursive: true })
  for (const name of names.filter((name) => name.endsWith('postmaster.pid'))) {
    try {
      const pid = Number((await readFile(join(dataDir, name), 'utf8')).split('\n')[0])
      process.kill(pid, 'SIGQUIT')
    } catch {
      // It has already exited.
    }
  }
}
