import type pg from 'pg'
import { AppendedEvents } from '../_kernel/appended-events.ts'
import { statement, type Claim } from '../_kernel/commit.ts'
import type { Context } from '../_kernel/context.ts'
import type { Turn } from '../_kernel/turns.ts'
import { insert, type Row, type Write } from '../_kernel/writes.ts'
import { writesOf } from './book.ts'
import type { Made } from './domain/authorisation.ts'
import { decideAll, type Draft } from './domain/draft.ts'
import { recordOf, type BatchRecord, type Posting, type PostingRecord } from './journal.ts'
import { needsOf, read, type Needs, type Queries } from './read.ts'
import { postingTold } from './told.ts'

/** One unit of work for the batcher: an instruction, or several that happen together or not at all. */
export interface Job {
  context: Context
  postings: readonly Posting[]
  made: readonly Made[]
  batch: Omit<BatchRecord, 'status'> | null
  claim: Claim | null
}

/** What became of a job; null when its key had been used before and nothing was done. */
export type JobResult = PostingRecord[] | null

/** A job and who waits for it. */
export interface Waiting {
  job: Job
  needs: Needs
  /** Its place in the lines of its accounts. */
  turn: Turn
  /** The key as one text, to tell two uses of one key apart that are under way at once. */
  key: string | null
  resolve: (result: JobResult) => void
  reject: (error: unknown) => void
}

/** Everything a group writes, as one statement, and what becomes of its jobs. */
export interface Decided {
  results: PostingRecord[][]
  statement: pg.QueryConfig
  events: AppendedEvents
}

/**
 * Decides the jobs in their order on one draft, and everything they write as one statement. Whatever it
 * moves gets the stamp, which must be new for each attempt.
 */
export function decideTogether(members: readonly Waiting[], draft: Draft, stamp: string): Decided {
  const results: PostingRecord[][] = []
  const events = new AppendedEvents()
  for (const { job } of members) {
    const records = decideJob(job, draft)
    results.push(records)
    for (const record of records) events.add(job.context, postingTold(record), record.bookedAt)
  }
  const claims = members.flatMap(({ job }) => job.claim ?? [])
  const writes = [
    ...writesOf(draft, results.flat(), stamp),
    ...batchesOf(members, results),
    ...events.writes,
  ]
  return { results, statement: statement({ claims, writes, events: [], facts: [] }), events }
}

function decideJob({ postings, made, batch }: Job, draft: Draft): PostingRecord[] {
  const asked = postings.map(({ instruction }) => instruction)
  const outcomes = decideAll(draft, asked, made)
  const batchId = batch?.batchId ?? null
  return postings.map((posting, at) => recordOf(posting, outcomes[at]!, made[at]!, batchId, at))
}

function batchesOf(members: readonly Waiting[], results: readonly PostingRecord[][]): Write[] {
  const rows = members.flatMap(({ job: { batch } }, at): Row[] => {
    if (!batch) return []
    const { batchId, clientId, clientBatchId, size, bookedAt } = batch
    return [
      {
        batch_id: batchId,
        client_id: clientId,
        client_batch_id: clientBatchId,
        status: results[at]![0]!.status,
        size,
        booked_at: bookedAt,
      },
    ]
  })
  return rows.length > 0 ? [insert('ledger.posting_batch', ...rows)] : []
}

const usedKeysSql =
  'select i.owner, i.operation, i.key from kernel.idempotency i join ' +
  'json_to_recordset($1::json) as c (owner text, operation text, key text) using (owner, operation, key)'

/** Keys of the group that were used before, each as its one text. */
export async function readUsedKeys(
  queries: Queries,
  members: readonly Waiting[],
): Promise<Set<string>> {
  const claims = members.flatMap(({ job }) => job.claim ?? [])
  if (claims.length === 0) return new Set()
  const asked = claims.map(({ owner, operation, key }) => ({ owner, operation, key }))
  const rows = await read<{ owner: string; operation: string; key: string }>(queries, usedKeysSql, [
    JSON.stringify(asked),
  ])
  return new Set(rows.map(({ owner, operation, key }) => JSON.stringify([owner, operation, key])))
}

/** What a job has to know. */
export function needsOfJob({ postings, context }: Job): Needs {
  const asked = postings.map(({ instruction }) => instruction)
  return needsOf(asked, context.caller.clientId)
}

/** What the whole group has to know. */
export function needsOfAll(members: readonly Waiting[]): Needs {
  const all: Needs = { accountIds: new Set(), chains: new Set(), postingIds: new Set() }
  for (const { needs } of members) {
    for (const id of needs.accountIds) all.accountIds.add(id)
    for (const chain of needs.chains) all.chains.add(chain)
    for (const id of needs.postingIds) all.postingIds.add(id)
  }
  return all
}

/** The key of a job as one text; null when it has none. */
export function keyOf({ claim }: Job): string | null {
  return claim && JSON.stringify([claim.owner, claim.operation, claim.key])
}
