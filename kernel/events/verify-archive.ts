import type pg from 'pg'
import { initialHash } from '../writing/hash-chain.ts'
import type { ContentStore } from '../storage/content-store.ts'
import { segmentColumns, type Segment } from './event-archive.ts'
import { decodeSegment, previousHashOf, sha256Of } from './segment-file.ts'

/** The result of a verification: one sentence for each finding; none if the archive is intact. */
export interface ArchiveVerification {
  segments: number
  events: number
  /** The hash of the last segment. Compare it with a copy stored elsewhere. */
  head: string
  findings: string[]
}

type Row = Segment & { missing: string[] }

const sql = `
  select ${segmentColumns},
    array(select position from unnest(s.retained) position
      where not exists (select from kernel.event e where e.position = position.position)) as missing
  from kernel.event_segment s where first_position >= $1 order by first_position limit 100`

/**
 * Compares each segment of the archive with its hash and with the hash of the segment before, and
 * checks that the segments have every position and that the rows which must be in the table are there.
 */
export async function verifyArchive(
  queries: Pick<pg.Pool, 'query'>,
  store: ContentStore,
): Promise<ArchiveVerification> {
  const result: ArchiveVerification = { segments: 0, events: 0, head: initialHash, findings: [] }
  for (let next = 1n; ;) {
    const { rows } = await queries.query<Row>(sql, [next.toString()])
    if (rows.length === 0) return result
    for (const segment of rows) {
      const finding = await findingOf(segment, next, result.head, store)
      if (finding) result.findings.push(`${segment.objectKey}: ${finding}`)
      result.segments++
      result.events += Number(BigInt(segment.lastPosition) - BigInt(segment.firstPosition)) + 1
      result.head = segment.sha256
      next = BigInt(segment.lastPosition) + 1n
    }
  }
}

async function findingOf(
  { firstPosition, lastPosition, objectKey, sha256, previousSha256, missing }: Row,
  expectedPosition: bigint,
  expectedHash: string,
  store: ContentStore,
): Promise<string | null> {
  if (BigInt(firstPosition) !== expectedPosition) {
    return `The segment begins at ${firstPosition} and not at ${expectedPosition}.`
  }
  if (previousSha256 !== expectedHash) return 'The hash of the segment before differs.'
  if (missing.length > 0) return `The table lacks the events ${missing.join(', ')}.`
  const bytes = await store.get(objectKey)
  if (!bytes) return 'The object is missing.'
  if (sha256Of(bytes) !== sha256) return 'The object was changed.'
  if (previousHashOf(bytes) !== expectedHash) return 'The object names another segment before it.'
  const events = await decodeSegment(bytes)
  const isComplete =
    events.length === Number(BigInt(lastPosition) - expectedPosition) + 1 &&
    events.every(({ position }, index) => position === expectedPosition + BigInt(index))
  return isComplete ? null : 'The object does not have the events of the segment.'
}
