import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'

/** The end of the relationship with a party, and the end of the next retention period. */
export interface RelationshipEnd {
  partyId: string
  endedAt: Date
  nextDueAt: Date | null
  version: number
}

const closed = "type = 'parties.party.closed'"
const partyIdSql = "substr(subject, strpos(subject, '/') + 1)"
const endedSql =
  `select time as "endedAt" from kernel.event where subject = $1 and ${closed} ` +
  'order by position desc limit 1'
const endsSql =
  `select ${partyIdSql} as "partyId", time as "endedAt" from kernel.event ` +
  `where ${closed} and position > $1 and position <= $2 order by position`
const dueSql = `
  select r.party_id as "partyId", r.ended_at as "endedAt", r.next_due_at as "nextDueAt", r.version
  from privacy.relationship_end r
  where r.next_due_at <= $1
    and not exists (select from privacy.erasure_request e
      where e.party_id = r.party_id and e.state in ('proposed', 'approved'))
    and not exists (select from kernel.fact f
      where f.subject = 'party/' || r.party_id and (f.data ->> 'isRestricted')::boolean)
  order by r.next_due_at limit $2`

/** Returns when the relationship with a party ended; null if it has not ended. */
export async function readEndedAt({ bank }: Context, partyId: string): Promise<Date | null> {
  const [row] = await readRows<{ endedAt: Date }>(bank, endedSql, [`party/${partyId}`])
  return row?.endedAt ?? null
}

/** Reads the relationships that ended between two positions of the event log. */
export function readEnds(
  { bank }: Context,
  from: bigint,
  to: bigint,
): Promise<Pick<RelationshipEnd, 'partyId' | 'endedAt'>[]> {
  return readRows(bank, endsSql, [`${from}`, `${to}`])
}

/**
 * Reads the relationships of which a retention period has ended. Parties whose data is restricted,
 * or is being erased, are left out.
 */
export function readDue({ bank }: Context, now: Date, take: number): Promise<RelationshipEnd[]> {
  return readRows(bank, dueSql, [now, take])
}

/** Returns the write that stores ended relationships. */
export function insertEnds(ends: readonly RelationshipEnd[]): Write {
  const rows = ends.map(({ partyId, endedAt, nextDueAt, version }) => {
    return { party_id: partyId, ended_at: endedAt, next_due_at: nextDueAt, version }
  })
  return insert('privacy.relationship_end', ...rows)
}

/** Returns the write that sets the end of the next retention period. */
export function scheduleNext(end: RelationshipEnd, nextDueAt: Date | null): Write {
  const key = { party_id: end.partyId }
  return update('privacy.relationship_end', key, end.version, { next_due_at: nextDueAt })
}
