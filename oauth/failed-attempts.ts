import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import type { KeyRing } from '../kernel/environment/key-ring.ts'

/** The number of failures after which delays start, and the maximum delay. */
export interface ThrottleLimit {
  /** The number of failures after which the next attempt is delayed. */
  free: number
  /**
   * The maximum delay, in milliseconds. The first delay is one second; each further failure doubles
   * it.
   */
  maxDelayMs: number
}

/** A key under which failures are counted, with its limit. */
export interface LimitedKey {
  key: string
  limit: ThrottleLimit
}

/** The result of counting an attempt as failed. */
export interface CountResult {
  /**
   * The delay that was pending when the attempt was made, in milliseconds; 0 if the attempt is
   * allowed.
   */
  delayMs: number
  /**
   * The number of failures per key, including this one, in the order of the keys; empty if the
   * attempt was not counted.
   */
  counts: number[]
}

const readSql =
  'select key, greatest(0, ceil(extract(epoch from wait_until - clock_timestamp()) * 1000))::float8 as delay_ms ' +
  'from oauth.failed_attempt where key = any($1) and expires_at > clock_timestamp()'
const countSql = 'select delay_ms::float8, counts from oauth.count_failure($1, $2, $3, $4)'
const clearSql = 'delete from oauth.failed_attempt where key = any($1)'
const discountSql =
  'update oauth.failed_attempt set count = greatest(0, count - 1), wait_until = clock_timestamp() where key = any($1)'
const deleteExpiredSql =
  'delete from oauth.failed_attempt where key = any(array(select key from oauth.failed_attempt ' +
  'where expires_at <= clock_timestamp() limit 10000))'

/**
 * Counts failed attempts in PostgreSQL, for all processes together. Nobody is locked out: after the
 * delay the next attempt is allowed, and failures expire one hour after the last one. Only HMACs
 * of the keys are stored, so that the table identifies nobody. A rotation of the secret starts all
 * counts again.
 */
export class FailedAttempts {
  readonly #pool: Pool
  readonly #ring: KeyRing

  constructor(pool: Pool, ring: KeyRing) {
    this.#pool = pool
    this.#ring = ring
  }

  /**
   * Returns the keys that have recorded failures, and the longest pending delay in milliseconds.
   * Writes nothing.
   */
  async peek(keys: readonly string[]): Promise<{ delayMs: number; cached: Set<string> }> {
    const byHash = new Map(keys.map((key) => [this.#hash(key), key]))
    const { rows } = await this.#pool.query<{ key: string; delay_ms: number }>({
      name: 'oauth-peek-failures',
      text: readSql,
      values: [[...byHash.keys()]],
    })
    const cached = new Set(rows.map(({ key }) => byHash.get(key)!))
    return { delayMs: Math.max(0, ...rows.map((row) => row.delay_ms)), cached }
  }

  /**
   * Counts an attempt as failed under all keys, unless a delay is pending for one of them. With
   * `isForced` the attempt is always counted, because it has already been made.
   */
  async count(keys: readonly LimitedKey[], isForced = false): Promise<CountResult> {
    const { rows } = await this.#pool.query<{ delay_ms: number; counts: number[] }>({
      name: 'oauth-count-failure',
      text: countSql,
      values: [
        keys.map(({ key }) => this.#hash(key)),
        keys.map(({ limit }) => limit.free),
        keys.map(({ limit }) => limit.maxDelayMs),
        isForced,
      ],
    })
    return { delayMs: rows[0]!.delay_ms, counts: rows[0]!.counts }
  }

  /** Clears the failures of keys after a successful attempt. */
  async clear(keys: readonly string[]): Promise<void> {
    await this.#pool.query(clearSql, [keys.map((key) => this.#hash(key))])
  }

  /**
   * Subtracts one failure from a key that several users share, and ends a pending delay. The other
   * failures remain.
   */
  async discount(key: string): Promise<void> {
    await this.#pool.query(discountSql, [[this.#hash(key)]])
  }

  #hash(key: string): string {
    return createHmac('sha256', `failed-attempts ${this.#ring.current}`)
      .update(key)
      .digest('base64url')
  }
}

/** Deletes expired failures. */
export async function pruneFailedAttempts(pool: Pool): Promise<void> {
  await pool.query(deleteExpiredSql)
}
