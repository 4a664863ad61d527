import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../../kernel/environment/root.ts'

/** A process of the built program that is ready for requests. */
export interface WriterProcess {
  /** Resolves when the process has ended for any reason. */
  ended: Promise<void>
  /** The end of its log output. */
  log(): string
  kill(): Promise<void>
}

const readyWithinMs = 120_000
const maxLogLength = 4000

/** Starts the built program with these settings. Throws its log when it does not become ready. */
export async function startProcess(settings: Record<string, string>): Promise<WriterProcess> {
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => (log = (log + chunk).slice(-maxLogLength)))
  const ended = once(child, 'close').then(() => undefined)
  const ready = new Promise<boolean>((resolve) => {
    child.stdout.on('data', (chunk) => /^ready /m.test(chunk) && resolve(true))
  })
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  const late = sleep(readyWithinMs, false, { ref: false })
  if (!(await Promise.race([ready, ended.then(() => false), late]))) {
    await kill()
    throw new Error(`The program did not start. ${log}`)
  }
  return { ended, log: () => log, kill }
}
