import type pg from 'pg'
import type { Logger } from 'pino'
import type { HostOptions } from '../database/database-hosts.ts'
import { PipelinedConnection } from '../database/pipelined-connection.ts'
import { commitFailure, isUnavailable } from '../database/sql-errors.ts'
import { faultPoint } from '../environment/fault-point.ts'
import type { EventLog } from '../events/event-log.ts'
import type { EventBatch } from '../events/event-ring.ts'
import type { EventHeader } from '../events/events.ts'

/** A statement that writes all rows of a commit, except the events that its group appends. */
export interface Statement {
  /** A stable name, under which PostgreSQL caches the plan. */
  name: string
  text: string
  values: unknown[]
}

/** A commit, prepared to run in a group or alone. */
export interface PreparedCommit {
  statement: Statement
  /** The events that the group appends to the event log; null if there are none. */
  events: PreparedEvents | null
}

/** The events of a commit, for both ways into the event log. */
export interface PreparedEvents {
  headers: readonly Omit<EventHeader, 'position'>[]
  /** The rows of the events, a JSON array of `kernel.emitted_event`. */
  json: string
  /** Builds the statement that commits alone and leaves the events in the outbox. */
  statementWithOutbox(): Statement
}

interface PendingCommit {
  prepared: PreparedCommit
  resolve: (row: pg.QueryResultRow) => void
  reject: (error: unknown) => void
}

/** The lanes of commits without events. */
const plainLaneCount = 2
const maxBatchSize = 64
/**
 * The lock timeout within a group. If a statement waits longer, the group is rolled back and its
 * statements run alone, so that one statement does not block the others.
 */
const laneLockTimeoutMs = 50

/**
 * Commits statements in groups (group commit). Statements that arrive while all lanes are busy form
 * the next group: one transaction, one network write, and one flush to disk for all of them. The
 * last statement of a group appends its events to the event log. If a statement fails, or waits too
 * long for a lock such as that on the end of the log, the group is rolled back and each of its
 * statements runs alone on the pool, with its events in the outbox, so the outcome is the same as
 * without groups. If the connection is lost, all statements of the group fail. There is no timer:
 * an idle lane starts at once.
 *
 * Groups with events use one lane: each holds the end of the log until its commit, so a second lane
 * would only wait, and the groups would be smaller.
 */
export class GroupCommits {
  readonly #pool: pg.Pool
  readonly #appending: GroupQueue
  readonly #plain: GroupQueue
  #log: EventLog | null = null

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    const lanes = (count: number) =>
      Array.from({ length: count }, () => new Lane(pool.options, log))
    const run = (lane: Lane, group: readonly PendingCommit[]) => this.#commitGroup(lane, group)
    this.#appending = new GroupQueue(lanes(1), run)
    this.#plain = new GroupQueue(lanes(plainLaneCount), run)
  }

  /** Tells `log` about the events of each commit, and returns it. */
  tell(log: EventLog): EventLog {
    this.#log = log
    return log
  }

  /**
   * Commits a statement and its events, and returns the single row of the statement. Throws the
   * driver's error, or an error with SQLSTATE 08007 if the outcome of the commit is unknown.
   */
  commit(prepared: PreparedCommit): Promise<pg.QueryResultRow> {
    const queue = prepared.events ? this.#appending : this.#plain
    return new Promise((resolve, reject) => queue.add({ prepared, resolve, reject }))
  }

  /** Like `commit`, but without a group; the events go through the outbox. */
  async commitAlone({ statement, events }: PreparedCommit): Promise<pg.QueryResultRow> {
    try {
      const { rows } = await this.#pool.query(events ? events.statementWithOutbox() : statement)
      if (events) this.#log?.wakeSequencer()
      return rows[0]!
    } catch (error) {
      throw commitFailure(error)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#appending.close(), this.#plain.close()])
  }

  async #commitGroup(lane: Lane, group: readonly PendingCommit[]): Promise<void> {
    let outcome: GroupOutcome | null
    try {
      outcome = await lane.run(group.map(({ prepared }) => prepared))
    } catch (error) {
      for (const { reject } of group) reject(error)
      return
    }
    if (!outcome) {
      for (const { prepared, resolve, reject } of group) {
        this.commitAlone(prepared).then(resolve, reject)
      }
      return
    }
    const { rows, appended } = outcome
    faultPoint('commit.appended')
    if (appended) this.#log?.addOwnEvents(appended)
    group.forEach(({ resolve }, index) => resolve(rows[index]!))
  }
}

/** Commits that wait for one of some lanes. */
class GroupQueue {
  readonly #lanes: readonly Lane[]
  readonly #run: (lane: Lane, group: readonly PendingCommit[]) => Promise<void>
  readonly #pending: PendingCommit[] = []

  constructor(
    lanes: readonly Lane[],
    run: (lane: Lane, group: readonly PendingCommit[]) => Promise<void>,
  ) {
    this.#lanes = lanes
    this.#run = run
  }

  add(commit: PendingCommit): void {
    this.#pending.push(commit)
    const lane = this.#lanes.find(({ isBusy }) => !isBusy)
    if (lane) void this.#drain(lane)
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  async #drain(lane: Lane): Promise<void> {
    lane.isBusy = true
    // Wait a microtask, so that statements that the code now running commits next join this group.
    await Promise.resolve()
    while (this.#pending.length > 0) {
      await this.#run(lane, this.#pending.splice(0, maxBatchSize))
    }
    lane.isBusy = false
  }
}

/** What a group committed: the row of each statement, and the events that it appended, if any. */
interface GroupOutcome {
  rows: pg.QueryResultRow[]
  appended: EventBatch | null
}

/** The event before the appended ones is read in the statement that has locked the end of the log. */
const appendSql =
  'select before::text, kernel.event_id_at(before) as "previousEventId" ' +
  'from kernel.append_commits($1::json, $2::int[]) before'

/** The row of `appendSql`; null values if no commit of the group appended an event. */
interface AppendRow {
  before: string | null
  previousEventId: string | null
}

/** A database connection that runs one group at a time. */
class Lane {
  isBusy = false
  readonly #connection: PipelinedConnection
  /** The lock timeout belongs to the session, or else to each transaction. */
  readonly #isPooled: boolean

  constructor(options: pg.PoolConfig, log: Logger) {
    const laneOptions: HostOptions = { ...options, lock_timeout: laneLockTimeoutMs }
    this.#isPooled = laneOptions.isPooled ?? false
    this.#connection = new PipelinedConnection(laneOptions, log)
  }

  /**
   * Runs a group. Returns null if it was rolled back; each statement should then run alone. Throws
   * if the outcome is unknown, because the connection was lost or the database was shutting down.
   */
  async run(group: readonly PreparedCommit[]): Promise<GroupOutcome | null> {
    const statements = group.map(({ statement }) => statement)
    const append = appendStatement(group)
    const isTransaction = this.#isPooled || append !== null || statements.length > 1
    const begin = this.#isPooled ? `begin; set local lock_timeout = ${laneLockTimeoutMs}` : 'begin'
    const sent = this.#connection.send(
      isTransaction ? [begin, ...statements, ...(append ? [append] : []), 'commit'] : statements,
    )
    // From here on the database executes the group even if this process dies.
    setImmediate(() => faultPoint('commit.sent'))
    const outcomes = await sent
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [commitFailure(outcome.reason)] : [],
    )
    const lost = failures.find((error) => isUnavailable(error))
    if (lost) throw lost
    if (failures.length > 0) return null
    const results = outcomes.map(
      (outcome) => (outcome as PromiseFulfilledResult<pg.QueryResult>).value,
    )
    if (isTransaction && results.at(-1)!.command !== 'COMMIT') return null
    const start = isTransaction ? 1 : 0
    const rows = group.map((_, index) => results[start + index]!.rows[0] as pg.QueryResultRow)
    const row = append && (results.at(-2)!.rows[0] as AppendRow)
    if (!row?.before) return { rows, appended: null }
    const after = { position: BigInt(row.before), eventId: row.previousEventId }
    return { rows, appended: { after, events: appendedEvents(group, rows, after.position) } }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}

/** Returns the statement that appends the events of a group; null if it has none. */
function appendStatement(group: readonly PreparedCommit[]): Statement | null {
  const jsons: string[] = []
  const commitOf: number[] = []
  for (const { events } of group) {
    if (!events) continue
    jsons.push(events.json.slice(1, -1))
    for (const _ of events.headers) commitOf.push(jsons.length)
  }
  if (jsons.length === 0) return null
  const values = [`[${jsons.join(',')}]`, `{${commitOf.join(',')}}`]
  return { name: 'append_commits', text: appendSql, values }
}

/** Returns the events that were appended: those of the commits whose key was not yet in use. */
function appendedEvents(
  group: readonly PreparedCommit[],
  rows: readonly pg.QueryResultRow[],
  before: bigint,
): EventHeader[] {
  const appended: EventHeader[] = []
  group.forEach(({ events }, index) => {
    if (!events || rows[index]!['claimed'] !== 1) return
    for (const header of events.headers) {
      appended.push({ ...header, position: before + BigInt(appended.length + 1) })
    }
  })
  return appended
}
