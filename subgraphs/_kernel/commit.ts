import type { Bank } from './bank.ts'
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
  'from claim, jsonb_populate_recordset(null::kernel.outbox, $1::jsonb) e returning 1'

const factsSql =
  'insert into kernel.fact (subject, version, data) select f.subject, 1, f.data ' +
  'from claim, jsonb_populate_recordset(null::kernel.fact, $1::jsonb) f ' +
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

/** The whole commit as one data-modifying statement. Its text depends on the shape only, so it stays prepared. */
export function statement(decided: Commit): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const parts: string[] = []
  const expected: string[] = []
  const add = (name: string, sql: string, own: readonly unknown[]) => {
    const offset = values.length
    parts.push(
      `${name} as (${offset ? sql.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + offset}`) : sql})`,
    )
    values.push(...own)
  }
  if (decided.claim) add('claim', claimSql, claimValues(decided.claim))
  else parts.push('claim as (select 1)')
  const writes = [...decided.writes]
  if (decided.events.length > 0) writes.push(stated(eventsSql, decided.events))
  if (decided.facts.length > 0) writes.push(stated(factsSql, decided.facts))
  writes.forEach((write, index) => {
    add(`w${index}`, write.sql, write.values)
    values.push(write.rows)
    expected.push(`kernel.expect((select count(*) from w${index}), $${values.length}::int)`)
  })
  const check = expected.length
    ? `case when exists (select from claim) then ${expected.join(' + ')} end`
    : 'null'
  return {
    text: `with ${parts.join(', ')} select (select count(*)::int from claim) as claimed, ${check} as checked`,
    values,
  }
}

function claimValues(claim: Claim): unknown[] {
  const { owner, operation, key, fingerprint, answer, resourceId, createdAt, isKept } = claim
  return [owner, operation, key, fingerprint, answer, resourceId, createdAt, isKept]
}

function stated(sql: string, rows: readonly Row[]): Write {
  return { sql, values: [toJson(rows)], rows: rows.length }
}
