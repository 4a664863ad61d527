import type pg from 'pg'
import type { Logger } from 'pino'
import { PipelinedConnection } from './pipelined-connection.ts'
import { commitFailure, isUnavailable } from './sql-errors.ts'

/** A statement that is its own transaction: all of it happens, or nothing. */
export interface Statement {
  /** Stable, so that PostgreSQL keeps the plan. */
  name: string
  text: string
  values: unknown[]
}

interface Waiting {
  statement: Statement
  resolve: (row: pg.QueryResultRow) => void
  reject: (error: unknown) => void
}

const laneCount = 3
const mostTogether = 64
/** A statement that has to wait for a lock leaves the group, so that it holds up nobody else. */
const laneLockTimeoutMs = 100

/**
 * Commits statements together. While a group is under way, whatever arrives waits, and goes with
 * the next one: one transaction, one network write, one flush to disk for all of them. When one of
 * a group fails, the group is rolled back and each runs alone on the pool, so a statement meets the
 * same outcome as if it had always been alone. There is no timer: an idle lane takes one at once.
 */
export class GatheredCommits {
  readonly #pool: pg.Pool
  readonly #lanes: Lane[]
  readonly #waiting: Waiting[] = []

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#lanes = Array.from({ length: laneCount }, () => new Lane(pool.options, log))
  }

  /** The one row the statement returns. Rejects with the driver's error. */
  commit(statement: Statement): Promise<pg.QueryResultRow> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject })
      const lane = this.#lanes.find(({ isBusy }) => !isBusy)
      if (lane) void this.#drain(lane)
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  async #drain(lane: Lane): Promise<void> {
    lane.isBusy = true
    // What else arrives in this turn of the event loop goes along.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, mostTogether)
      await this.#commitGroup(lane, group)
    }
    lane.isBusy = false
  }

  async #commitGroup(lane: Lane, group: readonly Waiting[]): Promise<void> {
    let rows: pg.QueryResultRow[] | null
    try {
      rows = await lane.run(group.map(({ statement }) => statement))
    } catch (error) {
      for (const { reject } of group) reject(error)
      return
    }
    if (rows) group.forEach(({ resolve }, index) => resolve(rows[index]!))
    else for (const one of group) void this.#commitAlone(one)
  }

  async #commitAlone({ statement, resolve, reject }: Waiting): Promise<void> {
    try {
      const { rows } = await this.#pool.query(statement)
      resolve(rows[0]!)
    } catch (error) {
      reject(commitFailure(error))
    }
  }
}

/** Runs one group at a time. */
class Lane {
  isBusy = false
  readonly #connection: PipelinedConnection

  constructor(options: pg.PoolConfig, log: Logger) {
    this.#connection = new PipelinedConnection(
      { ...options, lock_timeout: laneLockTimeoutMs } as pg.ClientConfig,
      log,
    )
  }

  /**
   * The row of each statement, when all of them committed; null when none did and each should be
   * tried alone. Rejects when that cannot be known: the connection was lost, or an answer could
   * not be read.
   */
  async run(statements: readonly Statement[]): Promise<pg.QueryResultRow[] | null> {
    const isGroup = statements.length > 1
    const answers = await this.#connection.send(
      isGroup ? ['begin', ...statements, 'commit'] : statements,
    )
    const failures = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [commitFailure(answer.reason)] : [],
    )
    const lost = failures.find((error) => isUnavailable(error))
    if (lost) throw lost
    if (failures.length > 0) return null
    const results = answers.map(
      (answer) => (answer as PromiseFulfilledResult<pg.QueryResult>).value,
    )
    if (isGroup && results.at(-1)!.command !== 'COMMIT') return null
    return (isGroup ? results.slice(1, -1) : results).map(({ rows }) => rows[0]!)
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
