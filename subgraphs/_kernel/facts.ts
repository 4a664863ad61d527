import type { Context } from './context.ts'
import { statementName } from './db.ts'

const factsSql = 'select subject, data from kernel.fact where subject = any($1)'

/**
 * What other areas published of these subjects (`<entity>/<id>`), in their order; null for a
 * subject nobody published. A fact is as fresh as the commit that published it.
 */
export async function readFacts(
  context: Context,
  subjects: readonly string[],
): Promise<(Record<string, unknown> | null)[]> {
  const { rows } = await context.bank.pool.query<{
    subject: string
    data: Record<string, unknown>
  }>({ name: statementName(factsSql), text: factsSql, values: [subjects] })
  const bySubject = new Map(rows.map((row) => [row.subject, row.data]))
  return subjects.map((subject) => bySubject.get(subject) ?? null)
}
