import type pg from 'pg'

const identitySql = `select system_identifier || '/' || oid as identity
  from pg_control_system(), pg_database where datname = current_database()`

/**
 * Returns what identifies a database, and not the server that holds it: a replica has the same
 * identity. Throws the driver's error.
 */
export async function identityOf(database: Pick<pg.Client, 'query'>): Promise<string> {
  const { rows } = await database.query<{ identity: string }>(identitySql)
  return rows[0]!.identity
}
