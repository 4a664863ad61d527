import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bank } from '../kernel/environment/bank.ts'
import { countOpenFindings } from '../ledger/findings.ts'
import {
  canServe,
  causesOf,
  type Cause,
  type Observations,
  type WorkerDelay,
  type WriteFault,
} from './readiness-causes.ts'
import { WriteProbe, type ProbeResult } from './write-probe.ts'

/** How long a check waits for the database. */
const readTimeoutMs = 500
/** How often the pool is looked at. */
const poolBeatMs = 1000

/** Measures how long a state has lasted. */
class Duration {
  #since: number | null = null

  record(isOn: boolean): void {
    if (!isOn) this.#since = null
    else this.#since ??= performance.now()
  }

  get ms(): number {
    return this.#since === null ? 0 : performance.now() - this.#since
  }
}

/** The readiness of one environment in this process. */
export interface ReadinessReport {
  isReady: boolean
  causes: readonly Cause[]
  isReadable: boolean
  ledgerFindings: number | null
  disk: Observations['disk']
}

/**
 * Observes whether this process can serve an environment: with a write every five seconds, and with
 * what the process knows of its pool, workers, event log and broker.
 */
export class Readiness {
  readonly #bank: Bank
  readonly #probe: WriteProbe
  readonly #exhausted = new Duration()
  readonly #behind = new Duration()
  readonly #stuck = new Duration()
  #delaysOf: () => readonly WorkerDelay[] = () => []
  #poolTimer: NodeJS.Timeout | null = null
  #writeFault: WriteFault | null = null
  #lastProbe: ProbeResult | null = null
  #lastCauses = ''

  constructor(bank: Bank) {
    this.#bank = bank
    this.#probe = new WriteProbe(bank, (result) => this.#onProbe(result))
  }

  /** Starts to observe. Resolves after the first write. */
  async start(): Promise<void> {
    const { pool } = this.#bank
    this.#poolTimer = setInterval(() => {
      const isFull = pool.totalCount >= (pool.options.max ?? 0)
      this.#exhausted.record(isFull && pool.waitingCount > 0)
    }, poolBeatMs)
    this.#poolTimer.unref()
    await this.#probe.start()
  }

  async stop(): Promise<void> {
    if (this.#poolTimer) clearInterval(this.#poolTimer)
    await this.#probe.stop()
  }

  /** Includes the workers of this process. */
  watchWorkers(delaysOf: () => readonly WorkerDelay[]): void {
    this.#delaysOf = delaysOf
  }

  /** What the last write found; null before the first one that succeeded. */
  get lastProbe(): ProbeResult | null {
    return this.#lastProbe
  }

  /** Reads the state, within half a second. Logs the causes when they change. */
  async report(): Promise<ReadinessReport> {
    const seen = await this.observe()
    const causes = causesOf(seen)
    const isReady = canServe(causes)
    this.#logChange(causes, seen)
    const { isReadable, ledgerFindings, disk } = seen
    return { isReady, causes, isReadable, ledgerFindings, disk }
  }

  async observe(): Promise<Observations> {
    const { events, config } = this.#bank
    const [findings, disk] = await Promise.all([this.#openFindings(), spaceOf(config.dataDir)])
    return {
      writeFault: this.#writeFault,
      isReadable: findings !== null,
      ledgerFindings: findings,
      poolExhaustedMs: this.#exhausted.ms,
      disk,
      eventLogBehindMs: this.#behind.ms,
      outboxStuckMs: this.#stuck.ms,
      workers: this.#delaysOf(),
      isBrokerConnected: events.broker?.isConnected ?? null,
      clockSkewMs: this.#lastProbe?.skewMs ?? 0,
    }
  }

  #onProbe(result: ProbeResult | WriteFault): void {
    const previousFault = this.#writeFault
    this.#writeFault = typeof result === 'string' ? result : null
    // The log says so even if nobody asks.
    if (this.#writeFault !== previousFault) void this.report()
    if (typeof result === 'string') return
    const previous = this.#lastProbe
    const { firstOutboxId } = result
    // The log reads within a second what it does not know yet, so a position that the previous
    // probe found should be known by now.
    this.#behind.record(previous !== null && this.#bank.events.head < previous.head)
    this.#stuck.record(firstOutboxId !== null && firstOutboxId === previous?.firstOutboxId)
    this.#lastProbe = result
  }

  /** Returns null if the database does not answer in time. */
  async #openFindings(): Promise<number | null> {
    const timeout = sleep(readTimeoutMs, null, { ref: false })
    return Promise.race([countOpenFindings(this.#probe.pool).catch(() => null), timeout])
  }

  #logChange(causes: readonly Cause[], seen: Observations): void {
    const text = causes.join()
    if (text === this.#lastCauses) return
    this.#lastCauses = text
    const { log } = this.#bank
    if (causes.length === 0) log.info('the process is ready again')
    else log.warn({ causes, seen }, 'the process is not ready, or degraded')
  }
}

/** Returns the space of the file system with a folder; null if it cannot be read. */
async function spaceOf(folder: string): Promise<Observations['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return null
  }
}
