import { randomBytes } from 'node:crypto'
import { digestOf } from '../writing/hash-chain.ts'
import { IdentityRecord, personalMembers } from '../domain/identity-record.ts'
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

/** A record as it is stored. */
export interface StoredIdentityRecord extends IdentityRecord {
  /**
   * A random text in the digest of the members that name people. Without it, nobody can guess them
   * from the digest. It is null after they were erased, and in records of earlier versions.
   */
  salt: string | null
  /** The digest of the members that were erased; null before. */
  personalDigest: string | null
}

const saltBytes = 16

/** Returns a new record as it will be stored. */
export const withSalt = (record: IdentityRecord): StoredIdentityRecord => ({
  ...record,
  salt: randomBytes(saltBytes).toString('base64url'),
  personalDigest: null,
})

const fieldNames = Object.keys(IdentityRecord.fields) as (keyof IdentityRecord)[]

const columnOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const storedNames = [...fieldNames, 'salt', 'personalDigest'] as const

/** Returns the row of a record, with the names of its columns. */
export const rowOf = (record: StoredIdentityRecord): Row =>
  Object.fromEntries(storedNames.map((name) => [columnOf(name), record[name]]))

export const identityColumns = storedNames
  .map((name) => `${columnOf(name)} as "${name}"`)
  .join(', ')
const readSql = `select ${identityColumns} from kernel.identity_record where record_id = any($1)`

/** Reads records by ID. */
export async function readIdentityRecords(
  queries: Parameters<DataSource>[0],
  recordIds: readonly string[],
): Promise<StoredIdentityRecord[]> {
  const config = { name: statementName(readSql), text: readSql, values: [recordIds] }
  return (await queries.query<StoredIdentityRecord>(config)).rows
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

const otherNames = fieldNames.filter((name) => !personalMembers.some((member) => member === name))

/**
 * Returns the digest of a record for the hash chain, as base64url. It covers the digest of the
 * members that name people, so it stays the same when they are erased.
 */
export function identityDigest(record: StoredIdentityRecord): string {
  const { salt, personalDigest } = record
  if (salt === null && personalDigest === null) {
    return digestOf(JSON.stringify(fieldNames.map((name) => record[name])))
  }
  const isErased = salt === null && personalMembers.every((name) => record[name] === null)
  const personal = isErased ? personalDigest : personalDigestOf(record)
  return digestOf(JSON.stringify([...otherNames.map((name) => record[name]), personal]))
}

/** Returns the digest of the members that name people, with the salt of the record. */
export const personalDigestOf = (record: StoredIdentityRecord): string =>
  digestOf(JSON.stringify([record.salt, ...personalMembers.map((name) => record[name])]))
