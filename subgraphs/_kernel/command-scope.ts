import type pg from 'pg'
import type { Statement } from './gathered-commits.ts'

/**
 * What the attempts of one command hold on to until it has ended. A decision that must not lose to
 * others again and again waits for its turn here, and from the second attempt on locks what it reads
 * in a transaction that its commit then goes through.
 */
export class CommandScope {
  /** 1 for the first. */
  attempt = 0
  /** Another command runs in the same context: it would meet locks that this one holds. */
  isOverlapped = false
  /** Versions by subject of the facts that this attempt was decided on and its commit holds. */
  readonly heldFacts = new Map<string, number>()
  #transaction: pg.PoolClient | null = null
  readonly #ends: (() => void)[] = []

  /** Has `run` done when the command has ended, however it ends. */
  onEnd(run: () => void): void {
    this.#ends.push(run)
  }

  /** The transaction of this attempt; null while it has locked nothing. */
  get transaction(): pg.PoolClient | null {
    return this.#transaction
  }

  /** The transaction of this attempt, begun when it is first asked for. */
  async begin(pool: pg.Pool): Promise<pg.PoolClient> {
    if (this.#transaction) return this.#transaction
    const client = await pool.connect()
    // A session that is lost between two queries is found by the next one; unheard, it ends the process.
    client.on('error', ignore)
    try {
      await client.query('begin')
    } catch (error) {
      release(client, error as Error)
      throw error
    }
    return (this.#transaction = client)
  }

  /** Runs the command's statement in the transaction of this attempt and commits it. */
  async commit(statement: Statement): Promise<pg.QueryResultRow> {
    const client = this.#transaction!
    // Sent in one go: the rows are locked until the commit, so it must not wait for this process.
    const [answer, end] = await Promise.allSettled([
      client.query(statement),
      client.query('commit'),
    ])
    if (end.status === 'rejected') throw answer.status === 'rejected' ? answer.reason : end.reason
    this.#transaction = null
    release(client)
    if (answer.status === 'rejected') throw answer.reason
    return answer.value.rows[0] as pg.QueryResultRow
  }

  /** Ends an attempt: what it locked and did not commit is undone. */
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
    for (const run of this.#ends.splice(0)) run()
  }
}

const ignore = () => undefined

function release(client: pg.PoolClient, failure?: Error): void {
  // One that is broken may fail once more while it ends.
  if (!failure) client.off('error', ignore)
  client.release(failure)
}
