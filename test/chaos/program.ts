import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'

/** Where one program keeps its data and listens, the same over all its starts. */
export interface Place {
  dataDir: string
  port: number
  sandboxPort: number
}

/** The built program, running. */
export interface Program {
  readyMs: number
  kill(): Promise<void>
  /** The signal that ended it, when it has ended. */
  ended: Promise<NodeJS.Signals | null>
  stop(): Promise<void>
}

const longestStartMs = 60_000

/** Builds what `npm start` runs. Throws with the builder's words. */
export function build(): void {
  const { status, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: projectRoot })
  if (status !== 0) throw new Error(`The build failed. ${stderr.toString()}`)
}

/**
 * Starts the program and waits until it is ready; killed before that when `killAfterMs` says so,
 * and the answer is null then. Throws what it said when it ends by itself or takes too long.
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
    sleep(killAfterMs ?? longestStartMs, false, { ref: false }),
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

/** Ends the database a killed program left behind and nobody started again. */
export async function endOrphans(dataDir: string): Promise<void> {
  const names = await readdir(dataDir, { recursive: true })
  for (const name of names.filter((name) => name.endsWith('postmaster.pid'))) {
    try {
      const pid = Number((await readFile(join(dataDir, name), 'utf8')).split('\n')[0])
      process.kill(pid, 'SIGQUIT')
    } catch {
      // It was gone already.
    }
  }
}
