import type { Lifecycle } from '../domain/states.ts'
import type { Context } from '../environment/context.ts'
import type { CommandScope } from './command-scope.ts'
import { statementName } from '../database/statement-name.ts'
import { batchedRead } from '../database/gathered-read.ts'
import { lockRows, toJson, update, type Row, type Write } from './writes.ts'

/**
 * The published state of a record, which other areas read. It is published in the commit that
 * changes the record. `subject` has the form `<entity>/<id>`.
 */
export interface PublishedFact {
  subject: string
  data: Row
}

/** The data of a published fact. */
export type Fact = Record<string, unknown>

interface VersionedFact {
  version: number
  data: Fact
}

const factsSql = 'select subject, version, data from kernel.fact where subject = any($1)'

const readFact = batchedRead<string, VersionedFact | null>(
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
 * Reads the facts of subjects (`<entity>/<id>`), in the order of the subjects; null for a subject
 * without a fact. A fact may change before the reader commits. Use `readHeldFacts` if that would
 * make the decision wrong.
 */
export async function readFacts(
  context: Context,
  subjects: readonly string[],
): Promise<(Fact | null)[]> {
  const found = await readFact.many(context.bank, subjects)
  return found.map((fact) => fact && fact.data)
}

/**
 * Reads facts like `readFacts`, for a command whose decision would be wrong if a fact changed
 * before the commit. The commit succeeds only if the versions are unchanged; otherwise the command
 * runs again. Outside a command, nothing is guarded.
 */
export async function readHeldFacts(
  context: Context,
  subjects: readonly string[],
): Promise<(Fact | null)[]> {
  const found = await readFact.many(context.bank, subjects)
  const heldVersions = context.commands.current?.heldFacts
  found.forEach((fact, index) => {
    const subject = subjects[index]!
    // If a fact is read twice and has changed in between, the older version is kept, so that the
    // commit fails.
    if (fact && heldVersions && !heldVersions.has(subject)) {
      heldVersions.set(subject, fact.version)
    }
  })
  return found.map((fact) => fact && fact.data)
}

/**
 * Reads facts like `readFacts`, for a command whose new record refers to other records, such as a
 * customer or a settlement account. The commit increments the version of each fact, provided that
 * its data is unchanged. This prevents write skew: a concurrent command that closes the referenced
 * record holds the fact of that record, so that command runs again and finds the new reference.
 * Commands that refer to the same record do not conflict with each other.
 */
export async function readReferencedFacts(
  context: Context,
  subjects: readonly string[],
): Promise<(Fact | null)[]> {
  const found = await readFact.many(context.bank, subjects)
  const referredData = context.commands.current?.referredFacts
  found.forEach((fact, index) => {
    const subject = subjects[index]!
    if (fact && referredData && !referredData.has(subject)) {
      referredData.set(subject, fact.data)
    }
  })
  return found.map((fact) => fact && fact.data)
}

const incrementSql =
  'update kernel.fact t set version = t.version + 1 from claim, ' +
  'json_populate_recordset(null::kernel.fact, $1::json) r ' +
  'where t.subject = r.subject and t.data = r.data and t.version = coalesce(r.version, t.version) returning 1'

/**
 * Returns the writes that guard facts against concurrent changes, and the facts that are left to
 * publish. A fact to which a new record refers, and which the command does not publish, gets a new
 * version; if it is held, too, only at the version that was read. A fact that the command both guards
 * and publishes is updated only at the version that was read. Any other guarded fact is locked at that
 * version.
 */
export function guardFacts(
  { heldFacts, referredFacts }: Pick<CommandScope, 'heldFacts' | 'referredFacts'>,
  published: readonly PublishedFact[],
): { writes: Write[]; facts: readonly PublishedFact[] } {
  const publishedSubjects = new Set(published.map(({ subject }) => subject))
  const referred = [...referredFacts]
    .filter(([subject]) => !publishedSubjects.has(subject))
    .map(([subject, data]) => ({ subject, data, version: heldFacts.get(subject) ?? null }))
    .sort((a, b) => (a.subject < b.subject ? -1 : 1))
  const unpublishedHeld = new Map(
    [...heldFacts].filter(([subject]) => !publishedSubjects.has(subject)),
  )
  for (const { subject } of referred) unpublishedHeld.delete(subject)
  const isGuarded = ({ subject }: PublishedFact) => heldFacts.has(subject)
  const updates = published
    .filter(isGuarded)
    .map(({ subject, data }) =>
      update('kernel.fact', { subject }, heldFacts.get(subject)!, { data }),
    )
  const increments = referred.length
    ? [{ sql: incrementSql, values: [toJson(referred)], rows: referred.length }]
    : []
  return {
    writes: [...updates, ...increments, ...lockFacts(unpublishedHeld)],
    facts: published.filter((fact) => !isGuarded(fact)),
  }
}

/**
 * Returns the write that locks facts at the versions on which a decision is based. The order of the
 * subjects prevents deadlocks.
 */
function lockFacts(versions: ReadonlyMap<string, number>): Write[] {
  if (versions.size === 0) return []
  const rows = [...versions].map(([subject, version]) => ({ subject, version }))
  return [
    lockRows(
      'kernel.fact',
      'subject',
      rows.sort((a, b) => (a.subject < b.subject ? -1 : 1)),
    ),
  ]
}

/** The indexed properties of facts that refer to another record. */
export type FactReference =
  'customerId' | 'partyId' | 'settlementArrangementId' | 'chargedArrangementId'

/** The maximum number of facts that a lookup returns. */
const maxFound = 100

/**
 * Returns the facts of an entity that refer to a record, in the order of their subjects, at most
 * 100. A fact without a lifecycle counts as open.
 */
export async function findFacts(
  context: Context,
  entity: string,
  reference: FactReference,
  id: string,
  lifecycles: readonly Lifecycle[],
): Promise<{ subject: string; data: Fact }[]> {
  const text =
    `select subject, data from kernel.fact where data ->> '${reference}' = $1 ` +
    "and starts_with(subject, $2) and coalesce(data ->> 'lifecycle', 'open') = any($3) " +
    'order by subject limit $4'
  const { rows } = await context.bank.pool.query<{ subject: string; data: Fact }>({
    name: statementName(text),
    text,
    values: [id, `${entity}/`, lifecycles, maxFound],
  })
  return rows
}
