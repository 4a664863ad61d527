import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { retainEvents } from '../../../kernel/writing/consumer.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { insert, update, type Row, type Write } from '../../../kernel/writing/writes.ts'
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
  /** Whether rows are kept although their period has ended, such as under a legal hold. */
  keepsRows: boolean
  version: number
}

retainEvents(['parties.party.closed', 'staff.employee.left', 'staff.employee.roles-rejected'])

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
const columns =
  'r.subject, r.ended_at as "endedAt", r.next_due_at as "nextDueAt", ' +
  'r.keeps_rows as "keepsRows", r.version'
const endSql = `select ${columns} from privacy.relationship_end r where r.subject = $1`
const dueSql = `
  select ${columns} from privacy.relationship_end r
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

/** Reads the end of the relationship with a person; null if it is not recorded. */
export async function readEnd(
  { bank }: Context,
  subject: DataSubject,
): Promise<RelationshipEnd | null> {
  const [end] = await readRows<RelationshipEnd>(bank, endSql, [factSubjectOf(subject)])
  return end ?? null
}

/** Returns the write that stores ended relationships. */
export function insertEnds(ends: readonly RelationshipEnd[]): Write {
  const rows = ends.map(({ subject, endedAt, nextDueAt, keepsRows, version }) => {
    const times = { ended_at: endedAt, next_due_at: nextDueAt }
    return { subject, ...times, keeps_rows: keepsRows, version }
  })
  return insert('privacy.relationship_end', ...rows)
}

/** Returns the write that sets the end of the next retention period. */
export function scheduleNext(end: RelationshipEnd, nextDueAt: Date | null): Write {
  return updateEnd(end, { next_due_at: nextDueAt, keeps_rows: false })
}

/** How long rows stay that are kept although their period has ended, until they are looked at again. */
const retryMs = 7 * dayMs

/** Returns the write that makes kept rows be looked at again, or earlier if a period ends earlier. */
export function scheduleRetry(end: RelationshipEnd, now: Date): Write {
  const retryAt = addMs(now, retryMs)
  const { nextDueAt } = end
  const isEarlier = nextDueAt !== null && nextDueAt > now && nextDueAt < retryAt
  return updateEnd(end, { next_due_at: isEarlier ? nextDueAt : retryAt, keeps_rows: true })
}

const updateEnd = ({ subject, version }: RelationshipEnd, values: Row): Write =>
  update('privacy.relationship_end', { subject }, version, values)
