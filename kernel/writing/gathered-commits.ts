import type pg from 'pg'
import type { Logger } from 'pino'
import { PipelinedConnection } from '../database/pipelined-connection.ts'
import { commitFailure, isUnavailable } from '../database/sql-errors.ts'

/** A statement that is a complete transaction. */
export interface Statement {
  /** A stable name, under which PostgreSQL caches the plan. */
  name: string
  text: string
  values: unknown[]
}

interface PendingCommit {
  statement: Statement
  resolve: (row: pg.QueryResultRow) => void
  reject: (error: unknown) => void
}

const laneCount = 3
const maxBatchSize = 64
/**
 * The lock timeout within a group. If a statement waits longer, the group is rolled back and its
 * statements run alone, so that one statement does not block the others.
 */
const laneLockTimeoutMs = 100

/**
 * Commits statements in groups (group commit). Statements that arrive while all lanes are busy form
 * the next group: one transaction, one network write, and one flush to disk for all of them. If a
 * statement fails, the group is rolled back and each of its statements runs alone on the pool, so
 * the outcome is the same as without groups. If the connection is lost, all statements of the group
 * fail. There is no timer: an idle lane starts at once.
 */
export class GroupCommits {
  readonly #pool: pg.Pool
  readonly #lanes: Lane[]
  readonly #pending: PendingCommit[] = []

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#lanes = Array.from({ length: laneCount }, () => new Lane(pool.options, log))
  }

  /**
   * Commits a statement and returns its single row. Throws the driver's error, or an error with
   * SQLSTATE 08007 if the outcome of the commit is unknown.
   */
  commit(statement: Statement): Promise<pg.QueryResultRow> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ statement, resolve, reject })
      const lane = this.#lanes.find(({ isBusy }) => !isBusy)
      if (lane) void this.#drain(lane)
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  async #drain(lane: Lane): Promise<void> {
    lane.isBusy = true
    // Wait a microtask, so that statements that the code now running commits next join this group.
    await Promise.resolve()
    while (this.#pending.length > 0) {
      const group = this.#pending.splice(0, maxBatchSize)
      await this.#commitGroup(lane, group)
    }
    lane.isBusy = false
  }

  async #commitGroup(lane: Lane, group: readonly PendingCommit[]): Promise<void> {
    let rows: pg.QueryResultRow[] | null
    try {
      rows = await lane.run(group.map(({ statement }) => statement))
    } catch (error) {
      for (const { reject } of group) reject(error)
      return
    }
    if (rows) group.forEach(({ resolve }, index) => resolve(rows[index]!))
    else for (const pending of group) void this.#commitAlone(pending)
  }

  async #commitAlone({ statement, resolve, reject }: PendingCommit): Promise<void> {
    try {
      const { rows } = await this.#pool.query(statement)
      resolve(rows[0]!)
    } catch (error) {
      reject(commitFailure(error))
    }
  }
}

/** A database connection that runs one group at a time. */
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
   * Runs a group. Returns the row of each statement if the group was committed. Returns null if it
   * was rolled back; each statement should then run alone. Throws if the outcome is unknown,
   * because the connection was lost or the database was shutting down.
   */
  async run(statements: readonly Statement[]): Promise<pg.QueryResultRow[] | null> {
    const isGroup = statements.length > 1
    const outcomes = await this.#connection.send(
      isGroup ? ['begin', ...statements, 'commit'] : statements,
    )
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [commitFailure(outcome.reason)] : [],
    )
    const lost = failures.find((error) => isUnavailable(error))
    if (lost) throw lost
    if (failures.length > 0) return null
    const results = outcomes.map(
      (outcome) => (outcome as PromiseFulfilledResult<pg.QueryResult>).value,
    )
    if (isGroup && results.at(-1)!.command !== 'COMMIT') return null
    return (isGroup ? results.slice(1, -1) : results).map(({ rows }) => rows[0]!)
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
