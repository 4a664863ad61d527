import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { loadSecrets } from '../../host/secrets.ts'
import { createTokenIssuer } from '../../oauth/issue-token.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'
import { freePort } from '../kit/free-port.ts'
import { startProcess, type WriterProcess } from './contention-process.ts'

interface Writer {
  port: number
  address: string
  /** Null while it is down. */
  process: WriterProcess | null
}

/** Longer than any run, so that no request fails on an expired token. */
const tokenSeconds = 86_400

/**
 * Processes of the built program that write to one database: each is a gateway with every subgraph,
 * as behind a load balancer. They serve the live environment.
 */
export class WriterGroup {
  readonly #writers: Writer[] = []
  readonly #settings: Record<string, string>
  #crashes: string[] = []
  #isStopped = false

  /** `settings` name the database and the folder with the secrets. */
  constructor(settings: Record<string, string>) {
    this.#settings = { ...settings, SANDBOX_PORT: 'off', LOG_LEVEL: 'error' }
  }

  /** Starts processes until there are `count`. Throws the log of one that fails to start. */
  async grow(count: number): Promise<void> {
    const added: Writer[] = []
    while (this.count + added.length < count) {
      const port = await freePort()
      added.push({ port, address: `http://127.0.0.1:${port}`, process: null })
    }
    // One issuer for all, so that a token is valid at each.
    this.#settings['PUBLIC_URL'] ??= added[0]!.address
    const started = await Promise.allSettled(added.map((writer) => this.#start(writer)))
    this.#writers.push(...added)
    for (const each of started) if (each.status === 'rejected') throw each.reason
  }

  get count(): number {
    return this.#writers.length
  }

  /** Processes that ended without being killed since the last call. */
  takeCrashes(): string[] {
    const crashes = this.#crashes
    this.#crashes = []
    return crashes
  }

  /** A token with every scope, valid at each writer. */
  async token(): Promise<string> {
    const address = this.#settings['PUBLIC_URL']!
    const { live } = await loadSecrets(this.#settings['DATA_DIR']!)
    const issueToken = createTokenIssuer({
      issuer: address,
      audience: address,
      signingJwks: () => [live.signingJwk],
      now: () => new Date(),
    })
    const scope = everyScope.join(' ')
    return issueToken({ clientId: 'contention-test', scope, ttlSeconds: tokenSeconds })
  }

  /** The address of the preferred writer, or of the next one that is up, as a load balancer would route. */
  async address(preferred: number): Promise<string> {
    for (;;) {
      for (let offset = 0; offset < this.count; offset++) {
        const writer = this.#writers[(preferred + offset) % this.count]!
        if (writer.process) return writer.address
      }
      await sleep(20)
    }
  }

  /** Kills a process with SIGKILL and restarts it at the same address. */
  async restart(at: number): Promise<void> {
    const writer = this.#writers[at]!
    const { process } = writer
    if (!process) return
    writer.process = null
    await process.kill()
    await this.#start(writer)
  }

  /** Ends every process, including those that are starting. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const running = this.#writers.flatMap(({ process }) => process ?? [])
    for (const writer of this.#writers) writer.process = null
    await Promise.all(running.map((process) => process.kill()))
  }

  async #start(writer: Writer): Promise<void> {
    const process = await startProcess({ ...this.#settings, PORT: String(writer.port) })
    if (this.#isStopped) return process.kill()
    writer.process = process
    void process.ended.then(async () => {
      if (writer.process !== process) return
      writer.process = null
      this.#crashes.push(`a process ended by itself: ${process.log()}`)
      await this.#start(writer).catch((error: Error) => void this.#crashes.push(error.message))
    })
  }
}

const backendsSql = `select pid, state <> 'idle' as "isBusy" from pg_stat_activity
  where datname = current_database() and application_name = 'bankgraph'
    and backend_type = 'client backend' order by pid`

/**
 * Terminates a database session of the writers, preferably one in the middle of a statement. Resolves
 * with whether there was one.
 */
export async function terminateBackend(pool: Pool, random: () => number): Promise<boolean> {
  const { rows } = await pool.query<{ pid: number; isBusy: boolean }>(backendsSql)
  const busy = rows.filter(({ isBusy }) => isBusy)
  const candidates = busy.length > 0 ? busy : rows
  const victim = candidates[Math.floor(random() * candidates.length)]
  if (!victim) return false
  await pool.query('select pg_terminate_backend($1)', [victim.pid])
  return true
}
