import type pg from 'pg'
import type { Statement } from './gathered-commits.ts'

/**
 * The state of a running command: the facts that its attempt guards, its transaction, and functions
 * to run when it ends. After losing to a concurrent command, an attempt can begin a transaction, lock
 * the rows that it reads, and commit in that transaction.
 */
export class CommandScope {
  /** The number of the current attempt, starting at 1. */
  attempt = 0
  /**
   * Whether another command runs in the same context. Taking locks is then unsafe, because the
   * other command would wait for locks of this one.
   */
  isOverlapped = false
  /**
   * The versions of the facts on which this attempt is based, by subject. The commit requires these
   * versions.
   */
  readonly heldFacts = new Map<string, number>()
  /**
   * The data of the facts to which a new record refers, by subject. The commit increments the
   * versions of these facts.
   */
  readonly referredFacts = new Map<string, Readonly<Record<string, unknown>>>()
  #transaction: pg.PoolClient | null = null
  readonly #endCallbacks: (() => void)[] = []

  /** Registers a function that runs when the command ends, successfully or not. */
  onEnd(run: () => void): void {
    this.#endCallbacks.push(run)
  }

  /**
   * The connection with the open transaction of this attempt; null if the attempt has not begun
   * one.
   */
  get transaction(): pg.PoolClient | null {
    return this.#transaction
  }

  /**
   * Returns the connection with the transaction of this attempt. The first call begins the
   * transaction.
   */
  async begin(pool: pg.Pool): Promise<pg.PoolClient> {
    if (this.#transaction) return this.#transaction
    const client = await pool.connect()
    // An unhandled 'error' event would end the process. If the session is lost, the next query
    // fails anyway.
    client.on('error', ignore)
    try {
      await client.query('begin')
    } catch (error) {
      release(client, error as Error)
      throw error
    }
    return (this.#transaction = client)
  }

  /**
   * Runs the statement of the command in the transaction of this attempt, commits, and returns the
   * row that the statement returned.
   */
  async commit(statement: Statement): Promise<pg.QueryResultRow> {
    const client = this.#transaction!
    // The statement and the commit are sent at once: the rows stay locked until the commit, so a
    // round trip in between would only make concurrent commands wait longer.
    const [statementResult, commitResult] = await Promise.allSettled([
      client.query(statement),
      client.query('commit'),
    ])
    if (commitResult.status === 'rejected') {
      throw statementResult.status === 'rejected' ? statementResult.reason : commitResult.reason
    }
    this.#transaction = null
    release(client)
    if (statementResult.status === 'rejected') throw statementResult.reason
    return statementResult.value.rows[0] as pg.QueryResultRow
  }

  /** Rolls back the transaction of an attempt, if it is still open. */
  async rollback(): Promise<void> {
    const client = this.#transaction
    if (!client) return
    this.#transaction = null
    const failure = await client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    )
    release(client, failure)
  }

  end(): void {
    for (const run of this.#endCallbacks.splice(0)) run()
  }
}

const ignore = () => undefined

function release(client: pg.PoolClient, failure?: Error): void {
  // A broken client may emit further errors while it closes, so it keeps its listener.
  if (!failure) client.off('error', ignore)
  client.release(failure)
}
