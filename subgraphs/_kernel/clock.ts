import type pg from 'pg'

/** The bank's time: real time, and in the sandbox as far ahead as somebody moved it. */
export interface Clock {
  now(): Date
}

/** Reads how far this environment's clock is ahead. */
export async function openClock(pool: pg.Pool): Promise<Clock> {
  const { rows } = await pool.query<{ offset_ms: string }>('select offset_ms from kernel.clock')
  const offsetMs = Number(rows[0]!.offset_ms)
  return { now: () => new Date(Date.now() + offsetMs) }
}
