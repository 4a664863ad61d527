import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'

/** When failures of one kind begin to cost waiting, and how long at most. */
export interface ThrottleLimit {
  /** Failures that cost nothing. */
  free: number
  /** Each failure after those doubles the delay, from one second up to this. */
  maxDelayMs: number
}

/** What failures are counted under, and what they cost there. */
export interface LimitedKey {
  key: string
  limit: ThrottleLimit
}

/** What became of counting an attempt. */
export interface Counted {
  /** How long to wait, as it was before this attempt; 0 when it may be made. */
  delayMs: number
  /** The failures of each key with this one, in the order of the keys; empty where it was not counted. */
  counts: number[]
}

const peekSql =
  'select key, greatest(0, ceil(extract(epoch from wait_until - clock_timestamp()) * 1000))::float8 as delay_ms ' +
  'from oauth.failed_attempt where key = any($1) and forget_at > clock_timestamp()'
const countSql = 'select delay_ms::float8, counts from oauth.count_failure($1, $2, $3, $4)'
const clearSql = 'delete from oauth.failed_attempt where key = any($1)'
const discountSql =
  'update oauth.failed_attempt set count = greatest(0, count - 1), wait_until = clock_timestamp() where key = any($1)'
const pruneSql =
  'delete from oauth.failed_attempt where key = any(array(select key from oauth.failed_attempt ' +
  'where forget_at <= clock_timestamp() limit 10000))'

/**
 * Failed attempts of all processes, in PostgreSQL. Nothing is ever locked: whoever waits may try again,
 * and failures are forgotten an hour after the last. What is stored are keyed hashes, so that the table
 * names nobody.
 */
export class FailedAttempts {
  readonly #pool: Pool
  readonly #secret: string

  constructor(pool: Pool, secret: string) {
    this.#pool = pool
    this.#secret = `failed-attempts ${secret}`
  }

  /** The keys under which failures are remembered, and the longest delay among them. Writes nothing. */
  async peek(keys: readonly string[]): Promise<{ delayMs: number; remembered: Set<string> }> {
    const byHash = new Map(keys.map((key) => [this.#hash(key), key]))
    const { rows } = await this.#pool.query<{ key: string; delay_ms: number }>({
      name: 'oauth-peek-failures',
      text: peekSql,
      values: [[...byHash.keys()]],
    })
    const remembered = new Set(rows.map(({ key }) => byHash.get(key)!))
    return { delayMs: Math.max(0, ...rows.map((row) => row.delay_ms)), remembered }
  }

  /**
   * Counts an attempt as failed under all keys at once, unless one of them has to wait. With `isForced` it
   * is counted all the same: it was made already.
   */
  async count(keys: readonly LimitedKey[], isForced = false): Promise<Counted> {
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

  /** Forgets the failures of keys: an attempt succeeded. */
  async clear(keys: readonly string[]): Promise<void> {
    await this.#pool.query(clearSql, [keys.map((key) => this.#hash(key))])
  }

  /** Takes back one failure of a key that many share: this attempt succeeded, others did not. */
  async discount(key: string): Promise<void> {
    await this.#pool.query(discountSql, [[this.#hash(key)]])
  }

  #hash(key: string): string {
    return createHmac('sha256', this.#secret).update(key).digest('base64url')
  }
}

/** Removes failures that are forgotten. */
export async function pruneFailedAttempts(pool: Pool): Promise<void> {
  await pool.query(pruneSql)
}
