import { createHash } from 'node:crypto'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { LoggedEvent } from './events.ts'

const previousHashKey = 'bankgraph.previous_sha256'

/** An event in the archive. `data` is JSON; null if it is read from elsewhere. */
export type ArchivedEvent = Omit<LoggedEvent, 'data'> & { data: string | null }

/** The metadata of an object. `previousSha256` chains it to the segment before. */
export interface SegmentMetadata {
  environment: string
  previousSha256: string
}

/**
 * Returns a segment of the event log as a Parquet file. The same events always give the same bytes, so
 * a segment that is written again after a crash has the same key.
 */
export function encodeSegment(
  events: readonly ArchivedEvent[],
  { environment, previousSha256 }: SegmentMetadata,
): Buffer {
  const text = (name: string, valueOf: (event: ArchivedEvent) => string) => ({
    name,
    type: 'STRING' as const,
    nullable: false,
    data: events.map(valueOf),
  })
  const buffer = parquetWriteBuffer({
    columnData: [
      {
        name: 'position',
        type: 'INT64',
        nullable: false,
        data: events.map(({ position }) => position),
      },
      text('event_id', ({ eventId }) => eventId),
      text('type', ({ type }) => type),
      text('subject', ({ subject }) => subject),
      {
        name: 'sequence',
        type: 'INT32',
        nullable: false,
        data: events.map(({ sequence }) => sequence),
      },
      {
        name: 'time',
        type: 'TIMESTAMP',
        nullable: false,
        data: events.map(({ time }) => time),
      },
      { name: 'data', type: 'STRING', data: events.map(({ data }) => data) },
      text('parties', ({ parties }) => JSON.stringify(parties)),
      text('correlation_id', ({ correlationId }) => correlationId),
      {
        name: 'causation_id',
        type: 'STRING',
        data: events.map(({ causationId }) => causationId),
      },
      text('actor', ({ actor }) => actor),
    ],
    kvMetadata: [
      { key: 'bankgraph.environment', value: environment },
      { key: previousHashKey, value: previousSha256 },
    ],
    rowGroupSize: events.length,
  })
  return Buffer.from(buffer)
}

interface SegmentRow {
  position: bigint
  event_id: string
  type: string
  subject: string
  sequence: number
  time: Date
  data: string | null
  parties: string
  correlation_id: string
  causation_id: string | null
  actor: string
}

/** Returns the events of a segment. Throws an Error if the bytes are not a segment. */
export async function decodeSegment(bytes: Buffer): Promise<ArchivedEvent[]> {
  const file = new Uint8Array(bytes).buffer
  const rows = (await parquetReadObjects({ file })) as unknown as SegmentRow[]
  return rows.map((row) => ({
    position: BigInt(row.position),
    eventId: row.event_id,
    type: row.type,
    subject: row.subject,
    sequence: row.sequence,
    time: row.time,
    data: row.data ?? null,
    parties: JSON.parse(row.parties) as string[],
    correlationId: row.correlation_id,
    causationId: row.causation_id ?? null,
    actor: row.actor,
  }))
}

/** Returns the hash of the segment before, as an object has it; null if it has none. */
export function previousHashOf(bytes: Buffer): string | null {
  const { key_value_metadata: members = [] } = parquetMetadata(new Uint8Array(bytes).buffer)
  return members.find(({ key }) => key === previousHashKey)?.value ?? null
}

/** Returns the SHA-256 of an object in hexadecimal. */
export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
