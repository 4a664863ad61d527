import { companionId } from '../../../kernel/environment/ids.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import {
  identityDigest,
  readIdentityRecords,
  rowOf,
  subjectPrefix,
  withSalt,
} from '../../../kernel/authorization/identity-record.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { identityRecordEvent } from '../../../kernel/domain/event-filter.ts'
import type { IdentityRecord } from '../../../kernel/domain/identity-record.ts'
import { realNow } from '../../../kernel/work/clock.ts'
import { declareConsumer, readConsumer } from '../../../kernel/writing/consumer.ts'
import { digestOf, joinDigests } from '../../../kernel/writing/hash-chain.ts'
import { toJson } from '../../../kernel/writing/writes.ts'
import { kindOfEvent, recordOfEvent, type IdentityEvent } from '../domain/identity-events.ts'

export const consumer = declareConsumer('operations-identity-records')
const maxEvents = 2000

const eventsSql = `
  select event_id as "eventId", type, subject, time, data, correlation_id as "correlationId", actor
  from kernel.event where position > $1 and position <= $2 and type = any($3) order by position`
const checkpointSql = 'select kernel.write_identity_checkpoint($1, $2, $3, $4, $5) as "isWritten"'

export type ReadEvent = Pick<IdentityEvent, 'eventId' | 'type'> & { subject: string }

/**
 * Writes the next checkpoint of the audit of identity. Its lines are the records whose events follow
 * the last checkpoint, in the order of the event log. The records that are derived from events are
 * inserted in the same transaction, so that each is written exactly once. Returns the number of
 * events that were passed.
 */
export async function writeIdentityCheckpoint(bank: Bank): Promise<number> {
  const { from, to } = await readConsumer(bank.pool, consumer, maxEvents)
  if (from === to) return 0
  const types = [identityRecordEvent, ...kindOfEvent.keys()]
  const events = await readRows<IdentityEvent & ReadEvent>(bank, eventsSql, [
    `${from}`,
    `${to}`,
    types,
  ])
  const now = realNow()
  const derived = events.flatMap((event) =>
    event.type === identityRecordEvent
      ? []
      : [withSalt(recordOfEvent(event, recordIdOf(event), now))],
  )
  const ids = events.map(recordIdOf)
  const written = await readIdentityRecords(bank.pool, ids)
  const records = [...written, ...derived]
  const known = new Map(records.map((record) => [record.recordId, identityDigest(record)]))
  // A record that somebody removed keeps its line, so that the verification reports it.
  const digests = joinDigests(ids, (id) => known.get(id) ?? digestOf(''))
  const rows = toJson(derived.map(rowOf))
  const values = [`${from}`, `${to}`, ids, digests, rows]
  const [row] = await readRows<{ isWritten: boolean }>(bank, checkpointSql, values)
  if (row!.isWritten) for (const record of derived) addTotal(bank, record)
  return Number(to - from)
}

const addTotal = ({ identities }: Bank, record: IdentityRecord) =>
  identities.addTotal(record, record.count)

/** Returns the ID of the record that an event reports, or that is derived from it. */
export function recordIdOf({ type, subject, eventId }: ReadEvent): string {
  return type === identityRecordEvent
    ? subject.slice(subjectPrefix.length)
    : companionId('identityRecord', eventId)
}
