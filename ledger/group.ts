import type { Queries } from '../kernel/database/read-rows.ts'
import type { PersonalCipher } from '../kernel/environment/personal-cipher.ts'
import type pg from 'pg'
import { AppendedEvents } from '../kernel/events/appended-events.ts'
import { statement, type Claim } from '../kernel/writing/commit.ts'
import type { Context } from '../kernel/environment/context.ts'
import type { Turn } from '../kernel/writing/turns.ts'
import { insert, type Row, type Write } from '../kernel/writing/writes.ts'
import { writesOf } from './book.ts'
import type { PostingOrigin } from './domain/authorization.ts'
import { decideAll, type Draft } from './domain/draft.ts'
import { recordOf, type BatchRecord, type Posting, type PostingRecord } from './journal.ts'
import { needsOf, read, type Needs } from './read.ts'
import { postingEvent } from './posting-event.ts'

/**
 * A unit of work for the batcher: one instruction, or several of which either all or none are
 * booked.
 */
export interface Job {
  context: Context
  postings: readonly Posting[]
  origins: readonly PostingOrigin[]
  batch: Omit<BatchRecord, 'status'> | null
  claim: Claim | null
}

/**
 * The result of a job; null if its idempotency key was already used, so that nothing was posted.
 */
export type JobResult = PostingRecord[] | null

/** A job that waits in the batcher. */
export interface WaitingJob {
  job: Job
  needs: Needs
  /** The place of the job in the queues of its accounts. */
  turn: Turn
  /**
   * The idempotency key as one string, to detect concurrent uses of the same key; null if the job
   * has none.
   */
  key: string | null
  resolve: (result: JobResult) => void
  reject: (error: unknown) => void
}

/**
 * The decision on a group: the results of its jobs, the single statement that writes them, and
 * their events.
 */
export interface DecidedGroup {
  results: PostingRecord[][]
  statement: pg.QueryConfig
  events: AppendedEvents
}

/** The maximum number of instructions in a group, unless its first job has more. */
const maxGroupSize = 128

/** Returns the next group of the waiting jobs. A job waits while its idempotency key is in flight. */
export function takeGroup(
  waitingJobs: readonly WaitingJob[],
  keysInFlight: ReadonlySet<string>,
): { group: WaitingJob[]; remaining: WaitingJob[] } {
  const [group, remaining]: [WaitingJob[], WaitingJob[]] = [[], []]
  const ownKeys = new Set<string>()
  let size = 0
  for (const waiting of waitingJobs) {
    const { key, job } = waiting
    const hasRoom = group.length === 0 || size + job.postings.length <= maxGroupSize
    const isInUse = key !== null && (keysInFlight.has(key) || ownKeys.has(key))
    if (!hasRoom || isInUse) {
      remaining.push(waiting)
      continue
    }
    size += job.postings.length
    if (key !== null) ownKeys.add(key)
    group.push(waiting)
  }
  return { group, remaining }
}

/**
 * Decides jobs in their order on one draft, and builds the single statement that writes them.
 * Changed balances get `stamp`, which must be new for each attempt.
 */
export function decideTogether(
  members: readonly WaitingJob[],
  draft: Draft,
  stamp: string,
  cipher: PersonalCipher,
): DecidedGroup {
  const results: PostingRecord[][] = []
  const events = new AppendedEvents()
  for (const { job } of members) {
    const records = decideJob(job, draft)
    results.push(records)
    for (const record of records) events.add(job.context, postingEvent(record), record.bookedAt)
  }
  const claims = members.flatMap(({ job }) => job.claim ?? [])
  const writes = [
    ...writesOf(draft, results.flat(), stamp),
    ...batchesOf(members, results),
    ...events.writes,
  ]
  const commit = { claims, writes, events: [], facts: [] }
  return { results, statement: statement(commit, cipher), events }
}

function decideJob({ postings, origins, batch }: Job, draft: Draft): PostingRecord[] {
  const instructions = postings.map(({ instruction }) => instruction)
  const outcomes = decideAll(draft, instructions, origins)
  const batchId = batch?.batchId ?? null
  return postings.map((posting, index) =>
    recordOf(posting, outcomes[index]!, origins[index]!, batchId, index),
  )
}

function batchesOf(members: readonly WaitingJob[], results: readonly PostingRecord[][]): Write[] {
  const rows = members.flatMap(({ job: { batch } }, index): Row[] => {
    if (!batch) return []
    const { batchId, clientId, clientBatchId, size, bookedAt } = batch
    return [
      {
        batch_id: batchId,
        client_id: clientId,
        client_batch_id: clientBatchId,
        status: results[index]![0]!.status,
        size,
        booked_at: bookedAt,
      },
    ]
  })
  return rows.length > 0 ? [insert('ledger.posting_batch', ...rows)] : []
}

/** Each key is looked up by itself, because a join may read the whole table. */
const usedKeysSql = `
  select c.* from json_to_recordset($1::json) as c (owner text, operation text, key text)
  where (select true from kernel.idempotency i where i.owner = c.owner and i.operation = c.operation and i.key = c.key)`

/** Returns the idempotency keys of the group that are already used, each as one string. */
export async function readUsedKeys(
  queries: Queries,
  members: readonly WaitingJob[],
): Promise<Set<string>> {
  const claims = members.flatMap(({ job }) => job.claim ?? [])
  if (claims.length === 0) return new Set()
  const keys = claims.map(({ owner, operation, key }) => ({ owner, operation, key }))
  const rows = await read<{ owner: string; operation: string; key: string }>(queries, usedKeysSql, [
    JSON.stringify(keys),
  ])
  return new Set(rows.map(({ owner, operation, key }) => JSON.stringify([owner, operation, key])))
}

/** Returns the records that must be read to decide a job. */
export function needsOfJob({ postings, context }: Job): Needs {
  const instructions = postings.map(({ instruction }) => instruction)
  return needsOf(instructions, context.caller.clientId)
}

/** Returns the records that must be read to decide a group. */
export function needsOfAll(members: readonly WaitingJob[]): Needs {
  const allNeeds: Needs = {
    accountIds: new Set(),
    authorizationKeys: new Set(),
    postingIds: new Set(),
  }
  for (const { needs } of members) {
    for (const id of needs.accountIds) allNeeds.accountIds.add(id)
    for (const chain of needs.authorizationKeys) allNeeds.authorizationKeys.add(chain)
    for (const id of needs.postingIds) allNeeds.postingIds.add(id)
  }
  return allNeeds
}

/** Returns the idempotency key of a job as one string; null if the job has none. */
export function keyOf({ claim }: Job): string | null {
  return claim && JSON.stringify([claim.owner, claim.operation, claim.key])
}
