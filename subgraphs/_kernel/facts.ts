import type { Context } from './context.ts'
import { statementName } from './statement-name.ts'
import { gatheredRead } from './gathered-read.ts'
import { holdRows, type Write } from './writes.ts'

/** What an area published of a record. */
export type Fact = Record<string, unknown>

interface VersionedFact {
  version: number
  data: Fact
}

const factsSql = 'select subject, version, data from kernel.fact where subject = any($1)'

const readFact = gatheredRead<string, VersionedFact | null>(
  (subject) => subject,
  async ({ reads }, subjects) => {
    const { rows } = await reads.query<VersionedFact & { subject: string }>({
      name: statementName(factsSql),
      text: factsSql,
      values: [subjects],
    })
    const bySubject = new Map(rows.map((row) => [row.subject, row]))
    return subjects.map((subject) => bySubject.get(subject) ?? null)
  },
)

/**
 * What other areas published of these subjects (`<entity>/<id>`), in their order; null for a
 * subject nobody published. A fact is as fresh as the commit that published it, and may change before
 * the reader commits: see `readHeldFacts`.
 */
export async function readFacts(
  context: Context,
  subjects: readonly string[],
): Promise<(Fact | null)[]> {
  const found = await Promise.all(subjects.map((subject) => readFact(context.bank, subject)))
  return found.map((fact) => fact && fact.data)
}

/**
 * The same for a command that would be wrong if a fact changed before it commits: its commit holds
 * each of them to the version that was read here, and the command is decided again when there is
 * another by then. Outside of a command nothing is held.
 */
export async function readHeldFacts(
  context: Context,
  subjects: readonly string[],
): Promise<(Fact | null)[]> {
  const found = await Promise.all(subjects.map((subject) => readFact(context.bank, subject)))
  const held = context.commands.current?.heldFacts
  found.forEach((fact, at) => {
    const subject = subjects[at]!
    // Of two versions the older is kept: the commit then fails, as it should.
    if (fact && held && !held.has(subject)) held.set(subject, fact.version)
  })
  return found.map((fact) => fact && fact.data)
}

/** Holds facts to the versions that a decision was made on, in the order of their subjects. */
export function holdFacts(held: ReadonlyMap<string, number>): Write[] {
  if (held.size === 0) return []
  const rows = [...held].map(([subject, version]) => ({ subject, version }))
  return [
    holdRows(
      'kernel.fact',
      'subject',
      rows.sort((a, b) => (a.subject < b.subject ? -1 : 1)),
    ),
  ]
}

/** Members of facts that refer to another record and are indexed. */
export type FactReference =
  'customerId' | 'partyId' | 'settlementArrangementId' | 'chargedArrangementId'

/** The most facts a lookup returns; a refusal lists no more. */
const maxFound = 100

/** Facts of an entity that refer to a record, in the order of their subjects; at most 100. */
export async function findFacts(
  context: Context,
  entity: string,
  reference: FactReference,
  id: string,
): Promise<Fact[]> {
  const text =
    `select data from kernel.fact where data ->> '${reference}' = $1 ` +
    'and starts_with(subject, $2) order by subject limit $3'
  const { rows } = await context.bank.pool.query<{ data: Fact }>({
    name: statementName(text),
    text,
    values: [id, `${entity}/`, maxFound],
  })
  return rows.map(({ data }) => data)
}
