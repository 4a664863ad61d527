import { digestOf } from '../writing/hash-chain.ts'
import { IdentityRecord } from '../domain/identity-record.ts'
import { identityRecordEvent } from '../domain/event-filter.ts'
import { declareEvents, type DataSource } from '../events/events.ts'
import { eventDataOf, eventShapeOf } from '../events/record-data.ts'
import { statementName } from '../database/statement-name.ts'
import type { Row } from '../writing/writes.ts'

/** What a record of the audit of identity reports. An omitted member is null. */
export type IdentityEntry = Pick<IdentityRecord, 'kind' | 'outcome'> &
  Partial<Omit<IdentityRecord, 'recordId' | 'count' | 'at' | 'eventId'>> & {
    /**
     * A text that is the same for each report of the same action. Only the first report is
     * recorded.
     */
    uniqueKey?: string
  }

/** The first part of the subjects of these events. */
export const subjectPrefix = 'identity-record/'

const fieldNames = Object.keys(IdentityRecord.fields) as (keyof IdentityRecord)[]

const columnOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns the row of a record, with the names of its columns. */
export const rowOf = (record: IdentityRecord): Row =>
  Object.fromEntries(fieldNames.map((name) => [columnOf(name), record[name]]))

const identityColumns = fieldNames.map((name) => `${columnOf(name)} as "${name}"`).join(', ')
const readSql = `select ${identityColumns} from kernel.identity_record where record_id = any($1)`

/** Reads records by ID. */
export async function readIdentityRecords(
  queries: Parameters<DataSource>[0],
  recordIds: readonly string[],
): Promise<IdentityRecord[]> {
  const config = { name: statementName(readSql), text: readSql, values: [recordIds] }
  return (await queries.query<IdentityRecord>(config)).rows
}

declareEvents(
  {
    [identityRecordEvent]:
      'A log-in, a log-out, a token or another action of identity was recorded. Only callers ' +
      'with the scope `audit:read` receive these events.',
  },
  eventShapeOf(IdentityRecord),
  async (queries, subjects) => {
    const ids = subjects.map((subject) => subject.slice(subjectPrefix.length))
    const records = await readIdentityRecords(queries, ids)
    return new Map(records.map((record) => [subjectPrefix + record.recordId, dataOf(record)]))
  },
)

function dataOf(record: IdentityRecord): Row {
  return { ...eventDataOf(IdentityRecord, record), at: record.at.toISOString() }
}

/** Returns the digest of a record for the hash chain, as base64url. */
export function identityDigest(record: IdentityRecord): string {
  return digestOf(JSON.stringify(fieldNames.map((name) => record[name])))
}
