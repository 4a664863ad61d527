import type { Queries } from '../kernel/database/read-rows.ts'
import { hash } from 'node:crypto'
import { rowText } from '../kernel/writing/composites.ts'
import { dateOf } from '../kernel/domain/dates.ts'
import { postingFields, type PostingRecord, type PostingRow } from './journal.ts'
import { entryFields, entryFrom, type EntryRow } from './rows.ts'
import { entriesSql, read, recordsSql } from './read.ts'

/**
 * A line of the journal as it is sent to the database: the row of a posting and the rows of its
 * entries, in their order. The process that decides the posting computes the digest, so that the
 * stored rows can be verified later.
 */
export interface JournalRecord {
  posting: string
  entries: readonly string[]
  /** The SHA-256 of the posting and its entries, as base64url. */
  digest: string
}

export function lineOf(record: PostingRecord): JournalRecord {
  const { postingInstructionId, bookedAt, instruction, entries } = record
  return withDigest(
    rowText(postingFields(record)),
    entries.map((entry) =>
      rowText(entryFields(entry, postingInstructionId, bookedAt, instruction.valueDate)),
    ),
  )
}

function withDigest(posting: string, entries: readonly string[]): JournalRecord {
  const digest = hash('sha256', [posting, ...entries].join('\n'), 'base64url')
  return { posting, entries, digest }
}

/** Reads lines from the database, by the ID of their posting. */
export async function readLines(
  queries: Queries,
  ids: readonly string[],
): Promise<Map<string, JournalRecord>> {
  const entries = new Map<string, string[]>(ids.map((id) => [id, []]))
  for (const row of await read<EntryRow>(queries, entriesSql, [ids])) {
    entries.get(row.posting_instruction_id)!.push(entryAsSent(row))
  }
  const rows = await read<PostingRow>(queries, recordsSql, [ids])
  return new Map(
    rows.map((row) => {
      const id = row.posting_instruction_id
      return [id, withDigest(postingAsSent(row), entries.get(id)!)]
    }),
  )
}

function postingAsSent(row: PostingRow): string {
  return rowText([
    row.posting_instruction_id,
    row.batch_id,
    row.ordinal,
    row.type,
    row.status,
    row.client_id,
    row.client_transaction_id,
    row.reverses_id,
    row.booked_at,
    dateOf(row.value_date),
    row.details,
  ])
}

/**
 * Returns the row of an entry as it was sent to the database. The sequence in the row is null for
 * an accumulating account, because the database assigns the sequence.
 */
function entryAsSent(row: EntryRow): string {
  const entry = entryFrom(row)
  const sequence = entry.after && entry.sequence
  const { posting_instruction_id: id, booked_at: bookedAt } = row
  return rowText(entryFields({ ...entry, sequence }, id, bookedAt, dateOf(row.value_date)))
}
