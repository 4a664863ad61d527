import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { statementName } from './statement-name.ts'

/** How far a clock is ahead of real time, and how often it was moved, counted from 1. */
export interface ClockReading {
  aheadMs: number
  version: number
}

/** The bank's time: real time, and in the sandbox as far ahead as somebody moved it. */
export interface Clock {
  now(): Date
  /** How far ahead of real time this process believes the bank to be. */
  readonly aheadMs: number
  /** Reads how far the clock was moved; `now` says so when this resolves. */
  refresh(): Promise<ClockReading>
  /** Calls back whenever this process learns that the clock was moved, until the answer is called. */
  onMove(moved: () => void): () => void
  close(): Promise<void>
}

/** Real time: of tokens, deadlines and retention, which nobody can move. */
export function realNow(): Date {
  return new Date()
}

const pollMs = 500
const readSql = 'select offset_ms, version from kernel.clock'

/**
 * Opens the clock of an environment. One that is movable is read twice a second, so that every
 * process follows whichever of them moved it. The clock never goes back.
 */
export async function openClock(pool: pg.Pool, log: Logger, isMovable: boolean): Promise<Clock> {
  let aheadMs = 0
  const listeners = new Set<() => void>()
  const refresh = async (): Promise<ClockReading> => {
    const { rows } = await pool.query<{ offset_ms: string; version: number }>({
      name: statementName(readSql),
      text: readSql,
    })
    const reading = { aheadMs: Number(rows[0]!.offset_ms), version: rows[0]!.version }
    // An answer that was overtaken by a newer one changes nothing.
    if (reading.aheadMs > aheadMs) {
      aheadMs = reading.aheadMs
      for (const moved of listeners) moved()
    }
    return reading
  }
  await refresh()
  const closing = new AbortController()
  const following = isMovable ? follow(refresh, log, closing.signal) : Promise.resolve()
  return {
    now: () => new Date(Date.now() + aheadMs),
    get aheadMs() {
      return aheadMs
    },
    refresh,
    onMove(moved) {
      listeners.add(moved)
      return () => void listeners.delete(moved)
    },
    async close() {
      closing.abort()
      await following
    },
  }
}

async function follow(refresh: () => Promise<unknown>, log: Logger, closing: AbortSignal) {
  while (!closing.aborted) {
    await sleep(pollMs, undefined, { signal: closing }).catch(() => undefined)
    if (closing.aborted) return
    await refresh().catch((error: Error) =>
      log.warn({ error: error.message }, 'the clock cannot be read'),
    )
  }
}
