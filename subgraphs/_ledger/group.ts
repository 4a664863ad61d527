import type pg from 'pg'
import { AppendedEvents } from '../_kernel/appended-events.ts'
import { statement, type Claim } from '../_kernel/commit.ts'
import type { Context } from '../_kernel/context.ts'
import { insert, type Row, type Write } from '../_kernel/writes.ts'
import { writesOf } from './book.ts'
import type { Made } from './domain/authorisation.ts'
import { decideAll, type Draft } from './domain/draft.ts'
import { recordOf, type BatchRecord, type Posting, type PostingRecord } from './journal.ts'
import { needsOf, read, type Needs, type Queries } from './read.ts'
import { postingTold } from './told.ts'

/** One unit of work for the desk: an instruction, or several that happen together or not at all. */
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

/** Decides the jobs in their order on one draft, and everything they write as one statement. */
export function decideTogether(members: readonly Waiting[], draft: Draft): Decided {
  const results: PostingRecord[][] = []
  const events = new AppendedEvents()
  for (const { job } of members) {
    const records = decideJob(job, draft)
    results.push(records)
    for (const record of records) events.add(job.context, postingTold(record), record.bookedAt)
  }
  const claims = members.flatMap(({ job }) => job.claim ?? [])
  const writes = [
    ...writesOf(draft, results.flat()),
    ...batchesOf(members, results),
    ...seenUnmoved(draft),
    ...events.writes,
  ]
  return { results, statement: statement({ claims, writes, events: [], facts: [] }), events }
}

const unmovedSql =
  'select 1 from claim where not exists (select from unnest($1::text[], $2::text[], $3::int[]) ' +
  'as s (account_id, address, version) left join ledger.balance b using (account_id, address) ' +
  'where b.version is distinct from s.version)'

/** A rejection stands on balances that it does not write: they too are held to their versions. */
function seenUnmoved(draft: Draft): Write[] {
  const seen = [...draft.seen]
    .filter(([key, { account }]) => account.policy !== 'deferred' && !draft.balances.has(key))
    .map(([, balance]) => balance)
  if (seen.length === 0) return []
  const values = [
    seen.map(({ account }) => account.accountId),
    seen.map(({ address }) => address),
    seen.map(({ version }) => version),
  ]
  return [{ sql: unmovedSql, values, rows: 1 }]
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

/** What the whole group has to know. */
export function needsOfAll(members: readonly Waiting[]): Needs {
  const needs: Needs = { accountIds: new Set(), chains: new Set(), postingIds: new Set() }
  for (const { job } of members) {
    const asked = job.postings.map(({ instruction }) => instruction)
    needsOf(asked, job.context.caller.clientId, needs)
  }
  return needs
}
