import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { pickHottest } from './contention-movement.ts'
import { terminateBackend, type WriterGroup } from './contention-writers.ts'

/** How long after a fault a failed request is attributed to it. */
const shadowMs = 5000

/** When faults were injected. */
export class FaultLog {
  readonly #times: number[] = []
  kills = 0
  terminations = 0

  note(): void {
    this.#times.push(performance.now())
  }

  /** Whether a request between two times may have been affected by a fault. */
  isNear(from: number, to: number): boolean {
    return this.#times.some((at) => at <= to && at + shadowMs >= from)
  }
}

export interface FaultPlan {
  /** How many processes are killed. */
  kills: number
  /** How many database sessions of the writers are terminated. */
  terminations: number
  seconds: number
  pool: Pool
  writers: WriterGroup
  log: FaultLog
}

/**
 * Injects the faults of a run, spread over its duration: a database session of the writers is
 * terminated in the middle of its work, and within two seconds a process is killed and restarted.
 * They come in pairs so that most of the run is unaffected by faults.
 */
export async function injectFaults(
  { kills, terminations, seconds, pool, writers, log }: FaultPlan,
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  const count = Math.max(kills, terminations)
  const slotMs = (seconds * 1000) / count
  for (let at = 0; at < count; at++) {
    const dueAt = startedAt + slotMs * (at + 0.15 + random() * 0.15)
    await pause(dueAt - performance.now(), signal)
    if (at < terminations && !signal.aborted) {
      log.note()
      if (await terminateBackend(pool, random)) log.terminations++
      await pause(500 + random() * 1000, signal)
    }
    if (at < kills && !signal.aborted) {
      log.note()
      log.kills++
      await writers.restart(Math.floor(random() * writers.count))
    }
  }
}

/**
 * Repeatedly locks the balance of a hot account for a moment, as a slow transaction would. Movements
 * queue behind it, so that many more of them contend than otherwise.
 */
export async function stallBalances(
  pool: Pool,
  accountIds: readonly string[],
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  const lockSql = 'select from ledger.balance where account_id = $1 for update'
  while (!signal.aborted) {
    await pause(100 + random() * 300, signal)
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(lockSql, [pickHottest(accountIds, random)])
      await sleep(20 + random() * 60)
      await client.query('commit')
    } catch (error) {
      if (!isDeadlockVictim(error)) throw error
      await client.query('rollback')
    } finally {
      client.release()
    }
  }
}

/**
 * Two groups of commands may wait for each other for the 50 ms of their lock timeout. PostgreSQL can
 * choose a transaction that waits behind them as the victim, though it holds nothing itself.
 */
function isDeadlockVictim(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01'
}

/** Waits for a time, or until the run is over. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => undefined)
}
