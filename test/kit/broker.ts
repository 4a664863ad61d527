import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

/** Whether this machine can start a broker; tests that need one of their own are skipped without. */
export const hasBroker = spawnSync('nats-server', ['--version']).status === 0

/** A NATS server of the test's own, which it may kill, and start again with what it had or without. */
export interface Broker {
  url: string
  start(): Promise<void>
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Stops it from doing anything without ending it, and lets it go on. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

export async function aBroker(): Promise<Broker> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'bankgraph-broker-'))
  let child: ChildProcess | null = null
  const broker: Broker = {
    url: `nats://127.0.0.1:${port}`,
    async start() {
      const settings = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder]
      child = spawn('nats-server', settings, { stdio: 'ignore' })
      await eventually(() => isListening(port))
    },
    async kill(signal = 'SIGKILL') {
      if (!child) return
      const ended = once(child, 'exit')
      child.kill(signal)
      child = null
      await ended
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async stop() {
      await broker.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await broker.start()
  return broker
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
