import { createHash } from 'node:crypto'

const names = new Map<string, string>()

/**
 * Returns a short, stable name for an SQL text. PostgreSQL caches the plan of a named statement per
 * connection.
 */
export function statementName(sql: string): string {
  let name = names.get(sql)
  if (name === undefined) {
    name = `s${createHash('sha256').update(sql).digest('base64url').slice(0, 20)}`
    if (names.size < 5000) names.set(sql, name)
  }
  return name
}
