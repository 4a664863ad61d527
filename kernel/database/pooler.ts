import type pg from 'pg'

/** The timeouts of every session, in milliseconds. A stuck statement holds a connection no longer. */
export const sessionTimeouts = {
  statement_timeout: 10_000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 5000,
}

/**
 * Returns the options of a client without those that belong to a session. PgBouncer rejects a client
 * that sends them, or ignores them, because the client gets another session for each transaction.
 */
export function withoutSession<Options extends pg.ClientConfig>(options: Options): Options {
  const kept = { ...options }
  delete kept.options
  for (const name of Object.keys(sessionTimeouts)) delete kept[name as keyof typeof sessionTimeouts]
  return kept
}

/** Lets a client send its statements without the names under which a session keeps them prepared. */
export function prepareNothing(client: pg.Client): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((first: unknown, ...others: unknown[]) =>
    query(
      typeof first === 'object' ? { ...first, name: undefined } : first,
      ...others,
    )) as pg.Client['query']
}
