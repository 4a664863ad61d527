/** The examples, started as a person starts them, against a sandbox. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../kernel/environment/root.ts'
import { eventually } from '../kit/eventually.ts'
import type { Platform } from '../kit/platform.ts'

/** An example that runs. */
export interface RunningExample {
  /** What it has printed. */
  output(): string
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>
  /** Waits for a text in the output. */
  prints(text: string): Promise<void>
  /** Ends the example and all its processes: with SIGKILL, as a crash does. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** The variables with which an example dies when the bank has answered a request with this text. */
export const crashAt = (text: string) => ({
  NODE_OPTIONS: `--import=${new URL('crash.mjs', import.meta.url).href}`,
  CRASH_AT: text,
})

/** The examples of a test, in a folder of their own. */
export interface Examples {
  folder: string
  start(name: string, env?: Record<string, string>, ...values: string[]): RunningExample
  stop(): Promise<void>
}

/** Prepares the credentials of a sandbox for `npm run example`. */
export async function examplesFor(bank: Pick<Platform, 'credentials'>): Promise<Examples> {
  const folder = await mkdtemp(join(tmpdir(), 'bankgraph-examples-'))
  await writeFile(join(folder, 'credentials.json'), JSON.stringify({ sandbox: bank.credentials }))
  const started: RunningExample[] = []
  return {
    folder,
    start(name, env = {}, ...values) {
      const child = spawn(process.execPath, ['scripts/run-example.mjs', name, ...values], {
        cwd: projectRoot,
        env: { PATH: process.env['PATH'], HOME: folder, DATA_DIR: folder, ...env },
        // A group of processes, so that all of them can be killed at once.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const example = follow(child)
      started.push(example)
      return example
    },
    async stop() {
      for (const example of started) await example.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function follow(child: ChildProcess): RunningExample {
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  }
  let isOver = false
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      isOver = true
      resolve(code)
    })
  })
  return {
    output: () => output,
    ended,
    async prints(text) {
      await eventually(() => output.includes(text) || isOver, 60_000)
      if (!output.includes(text)) throw new Error(`The example ended:\n${output}`)
    },
    async stop(signal = 'SIGTERM') {
      if (!isOver) process.kill(-child.pid!, signal)
      await ended
    },
  }
}
