import { attemptOf, runUntilDone, type Attempt, type Done } from '../kernel/writing/attempts.ts'
import { claimOf } from '../kernel/writing/command.ts'
import type { Context } from '../kernel/environment/context.ts'
import { Problem } from './domain/problems.ts'
import { batcherOf } from './posting-batcher.ts'
import type { BatchRecord, Posting, PostingRecord } from './journal.ts'
import { readBatch, readPostings } from './read.ts'

/** The stored response of a request to post. */
interface StoredPost {
  postingInstructionId: string
  batchId: string | null
}

/**
 * A request for a batch of postings. `clientBatchId` is the ID that the client gave to the batch;
 * null if it gave none.
 */
export interface BatchRequest {
  clientBatchId: string | null
}

/**
 * The result of a request to post: one line of the journal, or the lines of a batch in their order.
 */
export interface PostResult {
  batchId: string | null
  records: PostingRecord[]
}

/**
 * Posts one instruction, or a batch of which either all or none are booked. A rejected instruction
 * is also a result: it is recorded, published as an event, and stored under the idempotency key.
 *
 * Throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, CLIENT_BATCH_ID_REUSED, RESOURCE_BUSY,
 * VERSION_CONFLICT after six attempts, and DEPENDENCY_UNAVAILABLE.
 */
export async function post(
  context: Context,
  operation: string,
  input: unknown,
  postings: readonly Posting[],
  batch: BatchRequest | null = null,
): Promise<PostResult> {
  const attempt = attemptOf(context, operation, input)
  return runUntilDone(context, attempt, () => postOnce(context, attempt, postings, batch), {
    replay: (stored) => readStoredPost(context, stored as StoredPost),
    // The batcher has already waited for locks as often as a request may.
    lockWaits: 1,
  })
}

async function postOnce(
  context: Context,
  attempt: Attempt | null,
  postings: readonly Posting[],
  batch: BatchRequest | null,
): Promise<Done<PostResult>> {
  const { bank, caller } = context
  if (batch?.clientBatchId) await requireNewBatch(context, batch.clientBatchId)
  const now = context.now()
  const clientId = caller.clientId
  const origins = postings.map(() => ({
    postingInstructionId: context.newId('postingInstruction'),
    clientId,
    actingFor: caller.partyId,
    now,
  }))
  const batchRecord: Omit<BatchRecord, 'status'> | null = batch && {
    batchId: context.newId('postingBatch'),
    clientId,
    clientBatchId: batch.clientBatchId,
    size: postings.length,
    bookedAt: now,
  }
  const batchId = batchRecord?.batchId ?? null
  const { postingInstructionId } = origins[0]!
  const result: StoredPost = { postingInstructionId, batchId }
  const resourceId = batchId ?? postingInstructionId
  const claim = attempt && claimOf(context, attempt, { result, resourceId, retainsKey: true })
  const records = await batcherOf(bank).submit({
    context,
    postings,
    origins: origins,
    batch: batchRecord,
    claim,
  })
  return records && { result: { batchId, records } }
}

async function readStoredPost({ bank }: Context, answer: StoredPost): Promise<PostResult> {
  const { batchId, postingInstructionId } = answer
  if (batchId) return { batchId, records: await readBatch(bank.pool, batchId) }
  const records = await readPostings(bank.pool, [postingInstructionId])
  return { batchId: null, records: records as PostingRecord[] }
}

const batchSql =
  'select batch_id from ledger.posting_batch where client_id = $1 and client_batch_id = $2'

async function requireNewBatch({ bank, caller }: Context, clientBatchId: string): Promise<void> {
  const { rows } = await bank.pool.query<{ batch_id: string }>(batchSql, [
    caller.clientId,
    clientBatchId,
  ])
  if (rows[0]) throw new Problem('CLIENT_BATCH_ID_REUSED', { resourceId: rows[0].batch_id })
}
