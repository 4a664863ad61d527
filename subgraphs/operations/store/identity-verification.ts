import type { Bank } from '../../../kernel/environment/bank.ts'
import {
  identityDigest,
  readIdentityRecords,
  subjectPrefix,
  type StoredIdentityRecord,
} from '../../../kernel/authorization/identity-record.ts'
import { identityAuditEnd } from '../../../kernel/domain/retention.ts'
import { realNow } from '../../../kernel/work/clock.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { identityRecordEvent } from '../../../kernel/domain/event-filter.ts'
import {
  findMismatch,
  initialHash,
  type ChainMismatch,
} from '../../../kernel/writing/hash-chain.ts'
import { kindOfEvent } from '../domain/identity-events.ts'
import type { IdentityVerification } from '../model/identity-record.ts'
import { consumer, recordIdOf, type ReadEvent } from './identity-chain.ts'

const maxCheckpoints = 8

/** A range of lines. `lastLine` is null for all lines from the first one on. */
export interface LineRange {
  firstLine: number
  lastLine: number | null
}

interface CheckpointRow {
  firstLine: string
  ids: string[]
  digests: Buffer
  hash: string
}

const columns = 'first_line as "firstLine", record_ids as ids, digests, hash'
const startSql = `
  select ${columns} from kernel.identity_checkpoint where first_line <= $1
  order by first_line desc limit 2`
const nextSql = `
  select ${columns} from kernel.identity_checkpoint where first_line >= $1
    and ($2::bigint is null or first_line <= $2)
  order by first_line limit ${maxCheckpoints}`

/**
 * Compares the records with the hash chain, in whole checkpoints that cover the range. Then it looks
 * for records that are on no line: within the times of the verified records or, if the range is
 * open, anywhere. A change at the end is also found, because the event log names each record. Members
 * that were erased at the end of the retention are no change; those that were erased earlier are. Throws
 * what `check` throws, which is called before each checkpoint and before each search.
 */
export async function verifyIdentityRecords(
  bank: Bank,
  range: LineRange,
  now = realNow(),
  check: () => void = () => undefined,
): Promise<IdentityVerification> {
  const digestAt = digestBefore(identityAuditEnd(now))
  const { firstLine, head: startHead } = await startOf(bank, range.firstLine)
  const result = { firstLine, linesChecked: 0, head: startHead }
  let bounds: [Date, Date] | null = null
  for (;;) {
    const line = firstLine + result.linesChecked
    const rows = await readRows<CheckpointRow>(bank, nextSql, [line, range.lastLine])
    if (rows.length === 0) break
    for (const row of rows) {
      check()
      const records = await readIdentityRecords(bank.pool, row.ids)
      const digests = new Map(records.map((record) => [record.recordId, digestAt(record)]))
      const checkpoint = { ...row, firstLine: Number(row.firstLine) }
      const expectedLine = firstLine + result.linesChecked
      const mismatch = findMismatch(checkpoint, expectedLine, result.head, digests, 'record')
      if (mismatch) return mismatched(result, mismatch)
      result.linesChecked += row.ids.length
      result.head = row.hash
      for (const { at } of records) bounds = bounds ? widened(bounds, at) : [at, at]
    }
  }
  const isOpen = range.firstLine === 1 && range.lastLine === null
  const found = isOpen
    ? await findForeign(bank, check)
    : bounds && (await findInserted(bank, { bounds, firstLine, lines: result.linesChecked }, check))
  if (found) return { ...result, isIntact: false, badLine: null, ...found }
  return { ...result, isIntact: true, badLine: null, recordId: null, detail: null }
}

/** Returns a function for the digest of a record, which matches no line if it was erased too early. */
const digestBefore =
  (erasedBefore: Date) =>
  (record: StoredIdentityRecord): string =>
    record.personalDigest !== null && record.at >= erasedBefore ? '' : identityDigest(record)

function mismatched(
  result: Pick<IdentityVerification, 'firstLine' | 'linesChecked' | 'head'>,
  { badLine, id: recordId, detail }: ChainMismatch,
): IdentityVerification {
  const linesChecked = badLine - result.firstLine
  return { ...result, isIntact: false, linesChecked, badLine, recordId, detail }
}

/** Returns the line at which the verification starts, and the hash before it. */
async function startOf(bank: Bank, line: number): Promise<{ firstLine: number; head: string }> {
  const [start, previous] = await readRows<CheckpointRow>(bank, startSql, [line])
  if (!start || !previous) return { firstLine: 1, head: initialHash }
  return { firstLine: Number(previous.firstLine) + previous.ids.length, head: previous.hash }
}

/** The verified lines, and the times of their records. */
interface Verified {
  bounds: [Date, Date]
  firstLine: number
  lines: number
}

/** How many lines before and after the verified ones usually have records of the same times. */
const nearbyLines = 16_000

const allLinesSql = 'select unnest(record_ids) as record_id from kernel.identity_checkpoint'
/**
 * Reads one snapshot: a record is on a line, or its event was not processed yet. Usually it finds nothing, which
 * `offset 0` says to the planner: it would compare each record with each line to find a first one soon.
 */
const insertedSql = (lines: string, times: string) => `
  with lines as (${lines}), consumer as (
    select coalesce(max(position), 0) as position from kernel.consumer
    where name = '${consumer}'
  ), pending as (
    select e.subject from kernel.event e, consumer c
    where e.type = '${identityRecordEvent}' and e.position > c.position
    union all
    select e ->> 'subject' from kernel.outbox o, json_array_elements(o.events) e
    where e ->> 'type' = '${identityRecordEvent}'
  )
  select found.record_id as "recordId" from (
    select r.record_id, r.at from kernel.identity_record r
    where ${times} and not exists (select from lines l where l.record_id = r.record_id)
      and not exists (select from pending p where p.subject = 'identity-record/' || r.record_id)
    offset 0
  ) found order by found.at limit 1`
const insertedAnywhereSql = insertedSql(allLinesSql, 'true')
const betweenSql = 'r.at between $1 and $2'
const insertedBetweenSql = insertedSql(allLinesSql, betweenSql)
const insertedNearbySql = insertedSql(
  `${allLinesSql} where first_line between $3 and $4`,
  betweenSql,
)
const removedSql = `
  with lines as (${allLinesSql}) select e.event_id as "eventId", e.type, e.subject
  from kernel.event e, kernel.consumer c
  where c.name = '${consumer}' and e.position <= c.position
    and (e.type = '${identityRecordEvent}' and not exists
        (select from lines l where l.record_id = substr(e.subject, ${subjectPrefix.length + 1}))
      or e.type = any($1) and not exists
        (select from kernel.identity_record r join lines l using (record_id)
         where r.event_id = e.event_id))
  order by e.position limit 1`

interface Foreign {
  recordId: string
  detail: string
}

const inserted = (recordId: string): Foreign => ({
  recordId,
  detail: 'The record was inserted: it is on no line.',
})

/** Finds a record that is on no line, or an event without a line; null if there is none. */
async function findForeign(bank: Bank, check: () => void): Promise<Foreign | null> {
  check()
  const [record] = await readRows<{ recordId: string }>(bank, insertedAnywhereSql, [])
  if (record) return inserted(record.recordId)
  check()
  const [removed] = await readRows<ReadEvent>(bank, removedSql, [[...kindOfEvent.keys()]])
  const detail = 'The line of the record was removed: the event log contains its event.'
  return removed ? { recordId: recordIdOf(removed), detail } : null
}

/**
 * Finds a record of the times of the verified ones that is on no line; null if there is none. The lines
 * nearby are searched first: only a record that is on none of them is looked for on all lines.
 */
async function findInserted(
  bank: Bank,
  { bounds, firstLine, lines }: Verified,
  check: () => void,
): Promise<Foreign | null> {
  const nearby = [firstLine - nearbyLines, firstLine + lines + nearbyLines]
  check()
  const found = await readRows(bank, insertedNearbySql, [...bounds, ...nearby])
  if (found.length === 0) return null
  check()
  const [record] = await readRows<{ recordId: string }>(bank, insertedBetweenSql, bounds)
  return record ? inserted(record.recordId) : null
}

/** Extends a range of times to another one. */
const widened = ([start, end]: [Date, Date], at: Date): [Date, Date] => [
  at < start ? at : start,
  at > end ? at : end,
]
