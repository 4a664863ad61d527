import type pg from 'pg'
import type { Logger } from 'pino'
import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectionLost } from './sql-errors.ts'
import { statementName } from './statement-name.ts'

const intervalMs = 1000

/** The bank's date, in an expression that the heartbeat evaluates. */
export const bankDateSql = "($1::timestamptz at time zone 'UTC')::date"

/**
 * Returns an SQL expression that is true if a row of a table matches a condition, of which `column`
 * is at most a value that is known when the expression is evaluated. `column` must lead an index. A
 * prepared plan takes such a comparison to be true for a third of the rows, so it would read the whole
 * table for `exists`; in the order of the column, it reads the index up to the value.
 */
export const isAnyDueSql = (table: string, column: string, condition: string): string =>
  `(select true from ${table} where ${condition} order by ${column} limit 1) is not null`

/** A watched SQL expression, and the function that receives its value. */
interface Watch {
  sql: string
  onValue(value: unknown): void
}

/**
 * Looks once a second, with one query, for what other processes changed and for work that became
 * due. Each part of a process that would otherwise poll the database watches a scalar SQL
 * expression instead, so that an idle process costs one short transaction a second.
 */
export class Heartbeat {
  readonly #pool: Pick<pg.Pool, 'query'>
  readonly #log: Logger
  readonly #now: () => Date
  readonly #watches = new Set<Watch>()
  readonly #stopping = new AbortController()
  #isFailing = false
  #beating: Promise<void> | null = null

  constructor(pool: Pick<pg.Pool, 'query'>, log: Logger, now: () => Date) {
    this.#pool = pool
    this.#log = log
    this.#now = now
  }

  /**
   * Watches a scalar SQL expression, in which `$1` is the bank's time. `onValue` receives its value
   * after every beat. Returns the function that ends the watch. A watch should last as long as the
   * part that needs it, because each set of watches is a prepared statement of its own.
   */
  watch(sql: string, onValue: (value: unknown) => void): () => void {
    const watch = { sql, onValue }
    this.#watches.add(watch)
    this.#beating ??= this.#run().finally(() => (this.#beating = null))
    return () => void this.#watches.delete(watch)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#beating
  }

  /** Beats as long as something is watched. */
  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted && this.#watches.size > 0) {
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await this.#beat()
    }
  }

  /**
   * Reads the values of all watches with one query. If it fails, each is read alone, so that an
   * expression that cannot be evaluated, such as one about a locked table, affects no other watch.
   */
  async #beat(): Promise<void> {
    const watches = [...this.#watches]
    if (watches.length === 0) return
    try {
      await this.#read(watches)
      this.#isFailing = false
    } catch (error) {
      this.#report(error as Error)
      if (isConnectionLost(error)) return
      await Promise.allSettled(watches.map((watch) => this.#read([watch])))
    }
  }

  async #read(watches: readonly Watch[]): Promise<void> {
    // PostgreSQL infers no type for a parameter that no expression uses.
    const text = `select $1::timestamptz, ${watches.map(({ sql }) => `(${sql})`).join(', ')}`
    const query = { name: statementName(text), text, values: [this.#now()], rowMode: 'array' }
    const { rows } = await this.#pool.query<unknown[]>(query as pg.QueryArrayConfig)
    watches.forEach(({ onValue }, index) => onValue(rows[0]![index + 1]))
  }

  /** Logs the first failure of a series; the next beat tries again. */
  #report(error: Error): void {
    if (!this.#isFailing) {
      this.#log.warn({ error: error.message }, 'cannot look for changes; retrying')
    }
    this.#isFailing = true
  }
}
