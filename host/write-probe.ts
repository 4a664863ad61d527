import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Bank } from '../kernel/environment/bank.ts'
import { HostClient } from '../kernel/database/database-hosts.ts'
import { isConnectionLost, isLockTimeout, sqlState } from '../kernel/database/sql-errors.ts'
import type { WriteFault } from './readiness-causes.ts'

/** The interval of the probes, and the interval while they fail. */
const beatMs = { working: 5000, failing: 1000 }
/** How long a connection and a probe may take before writes count as failing. */
const timeoutMs = 2000
/** Lists longer than this are not counted to their end. */
const maxCounted = 10_000

const probeSql = `
  select kernel.probe_write($1) as "at",
    (select position from kernel.head) as "head",
    (select min(id) from kernel.outbox) as "firstOutboxId",
    (select count(*)::int from (select from kernel.outbox limit ${maxCounted}) waiting) as "outboxLength"`

interface ProbeRow {
  at: Date
  head: string
  firstOutboxId: string | null
  outboxLength: number
}

/** What a successful probe found. */
export interface ProbeResult {
  /** How long the probe took. */
  durationMs: number
  /** How far the clock of the database is ahead of the clock of this process. */
  skewMs: number
  /** The last position of the event log in the database. */
  head: bigint
  /** The first row that waits in the outbox; null if none does. */
  firstOutboxId: bigint | null
  /** The rows in the outbox, at most 10,000. */
  outboxLength: number
}

/**
 * Writes a row to the database every five seconds, and every second while this fails. It has
 * connections of its own, so that an exhausted pool does not look like a failing database.
 */
export class WriteProbe {
  readonly #pool: pg.Pool
  readonly #processId = randomUUID()
  readonly #stopping = new AbortController()
  readonly #onProbe: (result: ProbeResult | WriteFault) => void
  #running: Promise<void> | null = null

  /** `onProbe` receives the result of each probe, or why writes fail. */
  constructor(bank: Bank, onProbe: (result: ProbeResult | WriteFault) => void) {
    this.#onProbe = onProbe
    this.#pool = new pg.Pool({
      ...bank.pool.options,
      max: 2,
      min: 0,
      Client: HostClient,
      connectionTimeoutMillis: timeoutMs,
      statement_timeout: timeoutMs,
      query_timeout: timeoutMs,
    } as pg.PoolConfig)
    this.#pool.on('error', () => undefined)
  }

  /** The connections of the probe, for other checks of the database's health. */
  get pool(): pg.Pool {
    return this.#pool
  }

  /** Starts the beat. Resolves after the first probe. */
  async start(): Promise<void> {
    const isWorking = await this.#probe()
    this.#running = this.#beat(isWorking)
  }

  /** Ends the beat and removes the row. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await this.#pool
      .query('delete from kernel.process_probe where process_id = $1', [this.#processId])
      .catch(() => undefined)
    await this.#pool.end()
  }

  async #beat(isFirstWorking: boolean): Promise<void> {
    const { signal } = this.#stopping
    for (let isWorking = isFirstWorking; ; isWorking = await this.#probe()) {
      const pauseMs = isWorking ? beatMs.working : beatMs.failing
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
    }
  }

  /** Returns whether the write succeeded. */
  async #probe(): Promise<boolean> {
    let client: pg.PoolClient | null = null
    try {
      // The time to connect does not count as a difference of the clocks.
      client = await this.#pool.connect()
      const sentAtMs = Date.now()
      const startedAt = performance.now()
      const { rows } = await client.query<ProbeRow>(probeSql, [this.#processId])
      const durationMs = performance.now() - startedAt
      client.release()
      this.#onProbe(resultOf(rows[0]!, sentAtMs, durationMs))
      return true
    } catch (error) {
      // A connection whose query has not ended cannot be used again.
      client?.release(true)
      this.#onProbe(faultOf(error))
      return false
    }
  }
}

function resultOf(row: ProbeRow, sentAtMs: number, durationMs: number): ProbeResult {
  // The function reads the clock at its end, so the response has only been under way since.
  const answeredAtMs = sentAtMs + durationMs
  const { at, head, firstOutboxId, outboxLength } = row
  return {
    durationMs,
    skewMs: Math.round(at.getTime() - answeredAtMs),
    head: BigInt(head),
    firstOutboxId: firstOutboxId === null ? null : BigInt(firstOutboxId),
    outboxLength,
  }
}

/** Names why a write failed. */
function faultOf(error: unknown): WriteFault {
  const state = sqlState(error)
  if (state === '25006') return 'database-read-only'
  if (state === '53100') return 'disk-full'
  if (state === '57014' || isLockTimeout(error) || isClientTimeout(error)) return 'write-timeout'
  return isConnectionLost(error) ? 'database-unreachable' : 'write-failed'
}

/** Whether the driver gave up waiting: the database accepted the connection and is silent. */
const isClientTimeout = (error: unknown) =>
  /^(Query read timeout|timeout expired)$/.test((error as Error).message)
