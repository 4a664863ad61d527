import type pg from 'pg'
import type { Queries } from './read-rows.ts'

/** How long each statement may take. Some invariants of ten million postings take minutes. */
const maxStatementMs = 3_600_000

/** How often the database looks whether the process that reads is still there. */
const connectionCheckMs = 10_000

/**
 * Runs reads in a transaction of one connection, whose statements may take an hour. The statement
 * timeout of the sessions is for requests. Throws if `stopping` aborts: the running statement is
 * canceled.
 */
export async function withLongReads<Result>(
  pool: pg.Pool,
  stopping: AbortSignal | undefined,
  run: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  stopping?.throwIfAborted()
  const client = await pool.connect()
  // The running statement reports the loss of the connection as well.
  const ignore = () => undefined
  client.on('error', ignore)
  let isBroken = true
  try {
    await client.query('begin read only')
    await client.query(`set local statement_timeout = ${maxStatementMs}`)
    // Otherwise, a statement of a process that was killed would run to its end.
    await client.query(`set local client_connection_check_interval = ${connectionCheckMs}`)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const cancel = () =>
      void pool.query('select pg_cancel_backend($1)', [rows[0]!.pid]).catch(() => undefined)
    stopping?.addEventListener('abort', cancel, { once: true })
    try {
      // It may have aborted while the connection was waited for.
      stopping?.throwIfAborted()
      const result = await run({ query: (query) => client.query(query) })
      await client.query('commit')
      // A cancellation that is on its way must not meet the next user of the connection.
      isBroken = stopping?.aborted === true
      return result
    } finally {
      stopping?.removeEventListener('abort', cancel)
    }
  } finally {
    client.off('error', ignore)
    client.release(isBroken)
  }
}
