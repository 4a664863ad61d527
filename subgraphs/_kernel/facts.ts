import type { Context } from './context.ts'
import { statementName } from './statement-name.ts'
import { gatheredRead } from './gathered-read.ts'

/** What an area published of a record. */
export type Fact = Record<string, unknown>

const factsSql = 'select subject, data from kernel.fact where subject = any($1)'

const readFact = gatheredRead<string, Fact | null>(
  (subject) => subject,
  async ({ reads }, subjects) => {
    const { rows } = await reads.query<{ subject: string; data: Fact }>({
      name: statementName(factsSql),
      text: factsSql,
      values: [subjects],
    })
    const bySubject = new Map(rows.map((row) => [row.subject, row.data]))
    return subjects.map((subject) => bySubject.get(subject) ?? null)
  },
)

/**
 * What other areas published of these subjects (`<entity>/<id>`), in their order; null for a
 * subject nobody published. A fact is as fresh as the commit that published it.
 */
export function readFacts(context: Context, subjects: readonly string[]): Promise<(Fact | null)[]> {
  return Promise.all(subjects.map((subject) => readFact(context.bank, subject)))
}
