import type pg from 'pg'
import type { Logger } from 'pino'
import type { Heartbeat } from '../database/heartbeat.ts'
import { statementName } from '../database/statement-name.ts'

/**
 * How far the bank clock is ahead of real time, in milliseconds. `version` starts at 1 and
 * increases with each move of the clock.
 */
export interface ClockReading {
  aheadMs: number
  version: number
}

/**
 * The bank clock. In live it is real time; in the sandbox it is real time plus the offset by which
 * the clock was moved forward.
 */
export interface Clock {
  now(): Date
  /** The offset from real time in milliseconds, as this process last read it. */
  readonly aheadMs: number
  /** Reads the offset from the database. When the promise resolves, `now` includes the offset. */
  refresh(): Promise<ClockReading>
  /**
   * Registers a callback for moves of the clock, called when this process has read the new offset.
   * Returns the function that removes the callback.
   */
  onMove(listener: () => void): () => void
  /** Follows moves that other processes make: reads the offset within a second. */
  follow(heartbeat: Heartbeat): void
}

/**
 * Returns real time, which moves of the bank clock do not change. Used for tokens, deadlines and
 * retention.
 */
export function realNow(): Date {
  return new Date()
}

const readSql = 'select offset_ms, version from kernel.clock'

/** Opens the clock of an environment. The clock never moves back. */
export async function openClock(pool: pg.Pool, log: Logger): Promise<Clock> {
  let aheadMs = 0
  const listeners = new Set<() => void>()
  const refresh = async (): Promise<ClockReading> => {
    const { rows } = await pool.query<{ offset_ms: string; version: number }>({
      name: statementName(readSql),
      text: readSql,
    })
    const reading = { aheadMs: Number(rows[0]!.offset_ms), version: rows[0]!.version }
    // Ignore a result that arrives after a newer one.
    if (reading.aheadMs > aheadMs) {
      aheadMs = reading.aheadMs
      for (const listener of listeners) listener()
    }
    return reading
  }
  await refresh()
  return {
    now: () => new Date(Date.now() + aheadMs),
    get aheadMs() {
      return aheadMs
    },
    refresh,
    onMove(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    follow(heartbeat) {
      heartbeat.watch('select offset_ms from kernel.clock', (offsetMs) => {
        if (Number(offsetMs) === aheadMs) return
        refresh().catch((error: Error) =>
          log.warn({ error: error.message }, 'failed to read the bank clock'),
        )
      })
    },
  }
}
