import type { QueryResultRow } from 'pg'
import type { Bank } from './bank.ts'
import type { Statement } from './gathered-commits.ts'
import { composites } from './composites.ts'
import { statementName } from './statement-name.ts'
import { toJson, type Row, type Write } from './writes.ts'

/** The idempotency row of a command, with the answer it will be remembered by. */
export interface Claim {
  owner: string
  operation: string
  key: string
  fingerprint: string
  answer: string
  resourceId: string | null
  createdAt: Date
  /** Never forgotten: the key of something that moved money, or of the bank itself. */
  isKept: boolean
}

/** Everything one command decided. */
export interface Commit {
  /** None for what may happen again, one for a command, many for commands that were decided together. */
  claims: readonly Claim[]
  writes: readonly Write[]
  events: readonly Row[]
  facts: readonly Row[]
}

const claimSql =
  'insert into kernel.idempotency (owner, operation, key, fingerprint, answer, resource_id, created_at, is_kept) ' +
  'values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1'

/** Commands that were decided on top of each other stand together: one key that was taken undoes them all. */
const claimsSql =
  'insert into kernel.idempotency select c.* from unnest($1::kernel.idempotency[]) c returning 1'

const eventsSql =
  'insert into kernel.outbox (told, events) select $1::int, $2::json from claim returning 1'

const factsSql =
  'insert into kernel.fact (subject, version, data) select f.subject, 1, f.data ' +
  'from claim, json_populate_recordset(null::kernel.fact, $1::json) f ' +
  'on conflict (subject) do update set version = kernel.fact.version + 1, data = excluded.data returning 1'

/**
 * Commits a command in one statement: claims the key, does every write, appends the events,
 * publishes the facts. Answers false, with nothing written, when its one key was taken before.
 * Throws SQLSTATE BG001 when a write touched other rows than it was decided on, and 23505 when of
 * many keys one was taken. It goes `through` the transaction in which the command locked what it read,
 * if it did.
 */
export async function commit(
  bank: Bank,
  decided: Commit,
  through: { commit(statement: Statement): Promise<QueryResultRow> } = bank.commits,
): Promise<boolean> {
  const row = await through.commit(statement(decided))
  if (decided.events.length > 0) bank.events.poke()
  return row['claimed'] === 1
}

/** Texts by shape: there are about as many as there are commands. */
const shapes = new Map<string, { name: string; text: string }>()

/** The whole commit as one data-modifying statement. Its text depends on the shape only, so it stays prepared. */
export function statement(decided: Commit): Statement {
  const writes = [...decided.writes]
  const { events, facts } = decided
  if (events.length > 0) {
    writes.push({ sql: eventsSql, values: [events.length, toJson(events)], rows: 1 })
  }
  if (facts.length > 0) {
    writes.push({ sql: factsSql, values: [toJson(facts)], rows: facts.length })
  }
  const { claims } = decided
  const head = heads[claims.length === 0 ? 'free' : claims.length === 1 ? 'one' : 'many']
  const key = `${head.sql}\n${writes.map(({ sql }) => sql).join('\n')}`
  let shape = shapes.get(key)
  if (!shape) {
    const text = textOf(head, writes)
    shape = { name: statementName(text), text }
    shapes.set(key, shape)
  }
  const values = head.values(claims)
  for (const write of writes) values.push(...write.values, write.rows)
  return { ...shape, values }
}

/** How a statement begins: with the claim that everything after it is selected from. */
const heads = {
  free: { sql: 'claim as (select 1)', columns: 0, values: (): unknown[] => [] },
  one: {
    sql: `claim as (${claimSql})`,
    columns: 8,
    values: ([claim]: readonly Claim[]) => claimValues(claim!),
  },
  many: {
    sql: `taken as (${claimsSql}), claim as (select 1 from kernel.expect((select count(*) from taken), $2::int))`,
    columns: 2,
    values: (claims: readonly Claim[]): unknown[] => [
      composites(claims.map(claimValues)),
      claims.length,
    ],
  },
}
type Head = (typeof heads)[keyof typeof heads]

/** Each part follows the parameters of the part before; after those of a write comes how many rows it must touch. */
function textOf(head: Head, writes: readonly Write[]): string {
  const parts = [head.sql]
  const expected: string[] = []
  let answers = ''
  let used = head.columns
  writes.forEach(({ sql, values, answers: column }, index) => {
    const offset = used
    parts.push(`w${index} as (${sql.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + offset}`)})`)
    used += values.length + 1
    if (column) answers += `, (select ${column} from w${index}) as ${column}`
    expected.push(`kernel.expect((select count(*) from w${index}), $${used}::int)`)
  })
  const check = expected.length
    ? `case when exists (select from claim) then ${expected.join(' + ')} end`
    : 'null'
  return `with ${parts.join(', ')} select (select count(*)::int from claim) as claimed, ${check} as checked${answers}`
}

/** In the order of the table's columns. */
function claimValues(claim: Claim) {
  const { owner, operation, key, fingerprint, answer, resourceId, createdAt, isKept } = claim
  return [owner, operation, key, fingerprint, answer, resourceId, createdAt, isKept]
}
