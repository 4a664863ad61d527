import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'
import { factSubjectOf, type DataSubject } from '../domain/data-subject.ts'

/**
 * The end of the relationship with a party, or of the employment of an employee, and the end of the
 * next retention period.
 */
export interface RelationshipEnd {
  /** The subject of the fact about the person: `party/<partyId>` or `employee/<username>`. */
  subject: string
  endedAt: Date
  nextDueAt: Date | null
  version: number
}

// The employee in a rejected proposal to hire never worked at the bank.
const ended =
  "(type in ('parties.party.closed', 'staff.employee.left') " +
  "or type = 'staff.employee.roles-rejected' and data ->> 'status' = 'left')"
const personSql =
  "case when type = 'parties.party.closed' then subject " +
  "else 'employee/' || (data ->> 'username') end"
const endedSql =
  `select time as "endedAt" from kernel.event where subject = $1 and ${ended} ` +
  'order by position desc limit 1'
const endsSql =
  `select ${personSql} as subject, time as "endedAt" from kernel.event ` +
  `where ${ended} and position > $1 and position <= $2 order by position`
const dueSql = `
  select r.subject, r.ended_at as "endedAt", r.next_due_at as "nextDueAt", r.version
  from privacy.relationship_end r
  where r.next_due_at <= $1
    and not exists (select from privacy.erasure_request e
      where r.subject in ('party/' || e.party_id, 'employee/' || e.username)
        and e.state in ('proposed', 'approved'))
    and not exists (select from kernel.fact f
      where f.subject = r.subject and (f.data ->> 'isRestricted')::boolean)
  order by r.next_due_at limit $2`

/**
 * Returns when the relationship with a party, or the employment of an employee, ended; null if it
 * has not ended.
 */
export async function readEndedAt(context: Context, person: DataSubject): Promise<Date | null> {
  const subject = await eventSubjectOf(context, person)
  const [row] = await readRows<{ endedAt: Date }>(context.bank, endedSql, [subject])
  return row?.endedAt ?? null
}

/** Events name an employee by the ID, which does not contain the username. */
async function eventSubjectOf(context: Context, person: DataSubject): Promise<string> {
  if (person.kind === 'party') return factSubjectOf(person)
  const [fact] = await readFacts(context, [factSubjectOf(person)])
  return `employee/${(fact?.['employeeId'] as string | undefined) ?? ''}`
}

/** Reads the relationships that ended between two positions of the event log. */
export function readEnds(
  { bank }: Context,
  from: bigint,
  to: bigint,
): Promise<Pick<RelationshipEnd, 'subject' | 'endedAt'>[]> {
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
  const rows = ends.map(({ subject, endedAt, nextDueAt, version }) => {
    return { subject, ended_at: endedAt, next_due_at: nextDueAt, version }
  })
  return insert('privacy.relationship_end', ...rows)
}

/** Returns the write that sets the end of the next retention period. */
export function scheduleNext(end: RelationshipEnd, nextDueAt: Date | null): Write {
  const key = { subject: end.subject }
  return update('privacy.relationship_end', key, end.version, { next_due_at: nextDueAt })
}
