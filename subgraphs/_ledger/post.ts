import {
  attemptOf,
  claimOf,
  maxLockWaits,
  remembered,
  unknownOutcome,
  waitToRepeat,
  type Attempt,
} from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { isLockTimeout, isUnavailable } from '../_kernel/sql-errors.ts'
import { batcherOf } from './posting-batcher.ts'
import type { BatchRecord, Posting, PostingRecord } from './journal.ts'
import { readBatch, readPostings } from './read.ts'

/** What a post is answered with and remembered by. */
interface Answer {
  postingInstructionId: string
  batchId: string | null
}

/** Several postings that the client names and sends as one. */
export interface BatchAsked {
  clientBatchId: string | null
}

/** What became of a post: one line of the journal, or those of a batch in their order. */
export interface Post {
  batchId: string | null
  records: PostingRecord[]
}

/**
 * Posts one instruction, or a batch that happens together or not at all. A rejection is a result
 * too: it is written down, told and remembered under the key like any other.
 *
 * Refuses with IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, CLIENT_BATCH_ID_REUSED, RESOURCE_BUSY,
 * VERSION_CONFLICT after six tries, DEPENDENCY_UNAVAILABLE.
 */
export async function post(
  context: Context,
  operation: string,
  input: unknown,
  postings: readonly Posting[],
  batch: BatchAsked | null = null,
): Promise<Post> {
  const attempt = attemptOf(context, operation, input)
  let isOutcomeUnknown = false
  for (let tries = 1; ; tries++) {
    try {
      return await postOnce(context, attempt, postings, batch)
    } catch (error) {
      if (error instanceof Problem) {
        const earlier = attempt && (await remembered(context, attempt))
        if (earlier) return answerAgain(context, earlier.answer as Answer)
        throw isOutcomeUnknown ? unknownOutcome(error) : error
      }
      isOutcomeUnknown ||= isUnavailable(error)
      // The batcher has waited for the lock as often as a request may.
      await waitToRepeat(error, isLockTimeout(error) ? maxLockWaits : tries, attempt !== null)
    }
  }
}

async function postOnce(
  context: Context,
  attempt: Attempt | null,
  postings: readonly Posting[],
  batch: BatchAsked | null,
): Promise<Post> {
  const { bank, caller } = context
  if (batch?.clientBatchId) await requireNewBatch(context, batch.clientBatchId)
  const now = context.now()
  const clientId = caller.clientId
  const made = postings.map(() => ({
    postingInstructionId: context.newId('postingInstruction'),
    clientId,
    actingFor: caller.partyId,
    now,
  }))
  const asBatch: Omit<BatchRecord, 'status'> | null = batch && {
    batchId: context.newId('postingBatch'),
    clientId,
    clientBatchId: batch.clientBatchId,
    size: postings.length,
    bookedAt: now,
  }
  const batchId = asBatch?.batchId ?? null
  const { postingInstructionId } = made[0]!
  const result: Answer = { postingInstructionId, batchId }
  const resourceId = batchId ?? postingInstructionId
  const claim = attempt && claimOf(context, attempt, { result, resourceId, isKeyKept: true })
  const records = await batcherOf(bank).submit({ context, postings, made, batch: asBatch, claim })
  if (records) return { batchId, records }
  return answerAgain(context, (await remembered(context, attempt!))!.answer as Answer)
}

async function answerAgain({ bank }: Context, answer: Answer): Promise<Post> {
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
