import type { Bank } from './bank.ts'
import type { Statement } from './gathered-commits.ts'
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
  claim: Claim | null
  writes: readonly Write[]
  events: readonly Row[]
  facts: readonly Row[]
}

const claimSql =
  'insert into kernel.idempotency (owner, operation, key, fingerprint, answer, resource_id, created_at, is_kept) ' +
  'values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1'

const eventsSql =
  'insert into kernel.outbox (event_id, type, subject, subject_version, ordinal, time, data, parties, ' +
  'correlation_id, causation_id, actor) select e.event_id, e.type, e.subject, e.subject_version, e.ordinal, ' +
  'e.time, e.data, e.parties, e.correlation_id, e.causation_id, e.actor ' +
  'from claim, json_populate_recordset(null::kernel.outbox, $1::json) e returning 1'

const factsSql =
  'insert into kernel.fact (subject, version, data) select f.subject, 1, f.data ' +
  'from claim, json_populate_recordset(null::kernel.fact, $1::json) f ' +
  'on conflict (subject) do update set version = kernel.fact.version + 1, data = excluded.data returning 1'

/**
 * Commits a command in one statement: claims the key, does every write, appends the events,
 * publishes the facts. Answers false, with nothing written, when the key was taken before.
 * Throws SQLSTATE BG001 when a write touched other rows than it was decided on.
 */
export async function commit(bank: Bank, decided: Commit): Promise<boolean> {
  const row = await bank.commits.commit(statement(decided))
  if (decided.events.length > 0) bank.events.poke()
  return row['claimed'] === 1
}

/** Texts by shape: there are about as many as there are commands. */
const shapes = new Map<string, { name: string; text: string }>()

/** The whole commit as one data-modifying statement. Its text depends on the shape only, so it stays prepared. */
export function statement(decided: Commit): Statement {
  const writes = [...decided.writes]
  if (decided.events.length > 0) writes.push(stated(eventsSql, decided.events))
  if (decided.facts.length > 0) writes.push(stated(factsSql, decided.facts))
  const key = `${decided.claim ? 'claimed' : 'free'}\n${writes.map(({ sql }) => sql).join('\n')}`
  let shape = shapes.get(key)
  if (!shape) {
    const text = textOf(decided.claim !== null, writes)
    shape = { name: statementName(text), text }
    shapes.set(key, shape)
  }
  const values = decided.claim ? claimValues(decided.claim) : []
  for (const write of writes) values.push(...write.values, write.rows)
  return { ...shape, values }
}

/** Each part follows the parameters of the part before; after those of a write comes how many rows it must touch. */
function textOf(isClaimed: boolean, writes: readonly Write[]): string {
  const parts = [`claim as (${isClaimed ? claimSql : 'select 1'})`]
  const expected: string[] = []
  let used = isClaimed ? claimColumns : 0
  writes.forEach(({ sql, values }, index) => {
    const offset = used
    parts.push(`w${index} as (${sql.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + offset}`)})`)
    used += values.length + 1
    expected.push(`kernel.expect((select count(*) from w${index}), $${used}::int)`)
  })
  const check = expected.length
    ? `case when exists (select from claim) then ${expected.join(' + ')} end`
    : 'null'
  return `with ${parts.join(', ')} select (select count(*)::int from claim) as claimed, ${check} as checked`
}

const claimColumns = 8

function claimValues(claim: Claim): unknown[] {
  const { owner, operation, key, fingerprint, answer, resourceId, createdAt, isKept } = claim
  return [owner, operation, key, fingerprint, answer, resourceId, createdAt, isKept]
}

function stated(sql: string, rows: readonly Row[]): Write {
  return { sql, values: [toJson(rows)], rows: rows.length }
}
