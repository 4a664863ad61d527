import type { Queries } from '../kernel/database/read-rows.ts'
import type pg from 'pg'
import { declareConsumer, isBehindSql, readConsumer } from '../kernel/writing/consumer.ts'
import { findMismatch, initialHash, joinDigests } from '../kernel/writing/hash-chain.ts'
import { readLines } from './line.ts'
import { read } from './read.ts'

const consumer = declareConsumer('ledger-checkpoints')
/** Whether there are events that no checkpoint covers yet. */
export const areCheckpointsDueSql = isBehindSql(consumer)

const maxBatchSize = 2000
const maxBatches = 8

// Returns all IDs as one string, because transferring and parsing thousands of rows costs more than
// finding them.
const postingIdsSql =
  "select string_agg(substr(subject, strpos(subject, '/') + 1), ' ' order by position) as ids from kernel.event " +
  "where position > $1 and position <= $2 and type like 'payments.posting-instruction.%'"
const digestsSql =
  "select string_agg(posting_instruction_id || ' ' || coalesce(digest, ''), ',') as digests " +
  'from ledger.posting_instruction where posting_instruction_id = any($1)'
const checkpointSql = 'select ledger.write_checkpoint($1, $2, $3, $4)'

/**
 * Writes the next checkpoint of the journal. It contains the digests of the lines whose events
 * follow the last checkpoint, in the order of the event log. Its SHA-256 covers these digests and
 * the hash of the previous checkpoint. Postings do not wait for checkpoints. Of two concurrent
 * calls, one takes effect. Returns the number of events processed.
 */
export async function writeCheckpoints(queries: Pick<pg.Pool, 'query'>): Promise<number> {
  const { from, to } = await readConsumer(queries, consumer, maxBatchSize)
  if (from === to) return 0
  const [row] = await read<{ ids: string | null }>(queries, postingIdsSql, [`${from}`, `${to}`])
  const ids = row!.ids?.split(' ') ?? []
  const digests = await readDigests(queries, ids)
  await read(queries, checkpointSql, [`${from}`, `${to}`, ids, digests])
  return Number(to - from)
}

/**
 * Returns the concatenated digests that were stored with the lines. The digest of a line that was
 * stored without one is computed now.
 */
async function readDigests(queries: Queries, ids: readonly string[]): Promise<Buffer> {
  const [row] = await read<{ digests: string | null }>(queries, digestsSql, [ids])
  const pairs = row!.digests?.split(',').map((pair) => pair.split(' ') as [string, string]) ?? []
  const digests = new Map(pairs)
  const withoutDigest = pairs.flatMap(([id, digest]) => (digest === '' ? [id] : []))
  for (const [id, { digest }] of await readLines(queries, withoutDigest)) digests.set(id, digest)
  return joinDigests(ids, (id) => {
    const digest = digests.get(id)
    if (digest) return digest
    throw new Error(`The event log contains the posting ${id}, but the journal does not.`)
  })
}

/**
 * The result of a verification. `badLine` is the number of the first line that does not match its
 * checkpoint, starting at 1; null if all lines match.
 */
export interface Verification {
  linesChecked: number
  badLine: number | null
  postingInstructionId: string | null
  detail: string | null
  /**
   * The hash of the last valid checkpoint. Compare it with a copy stored elsewhere to detect lines
   * that were removed from the end.
   */
  head: string
}

interface CheckpointRow {
  first_line: string
  posting_instruction_ids: string[]
  digests: Buffer
  hash: string
}

const checkpointsSql =
  'select * from ledger.checkpoint where first_line > $1 order by first_line limit $2'

/**
 * Compares the journal with its checkpoints, from the first line. A line that was changed, deleted
 * or moved is reported as `badLine`. If the checkpoint itself is wrong, `badLine` is its first
 * line. To detect lines that were removed from the end, compare `head` with a stored copy. Throws what
 * `check` throws, which is called before each checkpoint.
 */
export async function verifyJournal(
  queries: Queries,
  check: () => void = () => undefined,
): Promise<Verification> {
  let lineNumber = 0
  let head = initialHash
  for (;;) {
    const checkpoints = await read<CheckpointRow>(queries, checkpointsSql, [lineNumber, maxBatches])
    if (checkpoints.length === 0) break
    for (const row of checkpoints) {
      check()
      const { first_line: firstLine, posting_instruction_ids: ids, digests, hash } = row
      const lines = [...(await readLines(queries, ids))]
      const current = new Map(lines.map(([id, { digest }]) => [id, digest]))
      const checkpoint = { firstLine: Number(firstLine), ids, digests, hash }
      const mismatch = findMismatch(checkpoint, lineNumber + 1, head, current, 'posting')
      if (mismatch) {
        const { badLine, id: postingInstructionId, detail } = mismatch
        return { badLine, postingInstructionId, detail, linesChecked: badLine - 1, head }
      }
      lineNumber += ids.length
      head = hash
    }
  }
  return { linesChecked: lineNumber, badLine: null, postingInstructionId: null, detail: null, head }
}
