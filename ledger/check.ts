import type { Queries } from '../kernel/database/read-rows.ts'
import type pg from 'pg'
import { withLongReads } from '../kernel/database/long-reads.ts'
import { read } from './read.ts'

/** A violated invariant of the ledger. */
export interface Finding {
  invariant: string
  /**
   * The ID of the record concerned: an account (with its address), an authorization or a posting.
   */
  subject: string
  /** The accounts concerned; empty if the finding does not concern any account. */
  accountIds: string[]
  detail: string
}

/** The maximum number of findings per invariant and check. */
export const maxFindings = 100

/**
 * Returns SQL that excludes entries covered by a correction. Such entries remain unchanged; only
 * the balance was rebuilt from them.
 */
const uncorrected = (entry: string) =>
  'not exists (select from ledger.corrected c ' +
  `where c.account_id = ${entry}.account_id and c.address = ${entry}.address and c.up_to_sequence >= ${entry}.sequence)`

/**
 * The invariants of the books by name, each as a query that returns violations. The queries also
 * run in production. Any result means that the books are inconsistent.
 */
export const invariants: Readonly<Record<string, string>> = {
  'debits equal credits in every posting, currency and phase':
    'select posting_instruction_id as subject, array_agg(distinct account_id) as "accountIds", ' +
    "currency || ' ' || phase || ' differs by ' || sum(case side when 'debit' then amount else -amount end) as detail " +
    'from ledger.entry group by posting_instruction_id, currency, phase ' +
    "having sum(case side when 'debit' then amount else -amount end) <> 0",
  'a balance is the sum of its entries':
    "select b.account_id || ' ' || b.address as subject, array[b.account_id] as \"accountIds\", 'entries come to ' || " +
    'json_build_array(coalesce(e.cd, 0), coalesce(e.cc, 0), coalesce(e.id, 0), coalesce(e.ic, 0), coalesce(e.od, 0), coalesce(e.oc, 0)) as detail ' +
    'from ledger.current_balance b left join (select account_id, address, count(*) as n, ' +
    "sum(amount) filter (where phase = 'committed' and side = 'debit') as cd, " +
    "sum(amount) filter (where phase = 'committed' and side = 'credit') as cc, " +
    "sum(amount) filter (where phase = 'pending-in' and side = 'debit') as id, " +
    "sum(amount) filter (where phase = 'pending-in' and side = 'credit') as ic, " +
    "sum(amount) filter (where phase = 'pending-out' and side = 'debit') as od, " +
    "sum(amount) filter (where phase = 'pending-out' and side = 'credit') as oc " +
    'from ledger.entry group by account_id, address) e using (account_id, address) ' +
    'left join ledger.corrected c using (account_id, address) ' +
    'where (b.committed_debit, b.committed_credit, b.pending_in_debit, b.pending_in_credit, b.pending_out_debit, b.pending_out_credit, b.entry_count) ' +
    'is distinct from (coalesce(e.cd, 0), coalesce(e.cc, 0), coalesce(e.id, 0), coalesce(e.ic, 0), coalesce(e.od, 0), coalesce(e.oc, 0), coalesce(e.n, 0) + coalesce(c.skipped, 0))',
  'entries of an account are numbered without gaps and in the order of time':
    "select account_id || ' ' || address as subject, array[account_id] as \"accountIds\", 'entry ' || sequence || ' does not follow' as detail from (" +
    'select e.account_id, e.address, e.sequence, e.booked_at, ' +
    'lag(e.sequence, 1, 0) over w as before, lag(e.booked_at) over w as booked_before ' +
    "from ledger.entry e join ledger.account a on a.account_id = e.account_id and a.policy <> 'deferred' " +
    'window w as (partition by e.account_id, e.address order by e.sequence)) s ' +
    `where (sequence <> before + 1 or booked_at < booked_before) and ${uncorrected('s')}`,
  'a running balance is the sum of the entries up to it':
    "select account_id || ' ' || address as subject, array[account_id] as \"accountIds\", 'entry ' || sequence || ' says ' || said::text || ', it is ' || summed::text as detail from (" +
    'select e.account_id, e.address, e.sequence, ' +
    'array[e.committed_after, e.pending_in_after, e.pending_out_after]::numeric[] as said, array[' +
    "sum(case e.phase when 'committed' then signed else 0 end) over w, " +
    "sum(case e.phase when 'pending-in' then signed else 0 end) over w, " +
    "sum(case e.phase when 'pending-out' then -signed else 0 end) over w] as summed " +
    "from ledger.entry e join ledger.account a on a.account_id = e.account_id and a.policy <> 'deferred' " +
    'cross join lateral (select case e.side when a.normal_side then e.amount else -e.amount end as signed) s ' +
    'window w as (partition by e.account_id, e.address order by e.sequence)) r ' +
    `where said is distinct from summed and ${uncorrected('r')}`,
  'no posting leaves a negative available balance, except an advice':
    "select l.account_id || ' ' || l.address as subject, array[l.account_id] as \"accountIds\", 'entry ' || l.sequence || ' left ' || l.available_after as detail from (" +
    'select *, lag(free, 1, 0::bigint) over (partition by account_id, address order by sequence) as before from (' +
    'select distinct on (e.account_id, e.address, e.posting_instruction_id) e.*, e.committed_after - e.pending_out_after as free ' +
    "from ledger.entry e join ledger.account a on a.account_id = e.account_id and a.policy = 'guarded' " +
    'order by e.account_id, e.address, e.posting_instruction_id, e.sequence desc) f) l ' +
    'join ledger.posting_instruction p using (posting_instruction_id) ' +
    "where l.available_after < 0 and l.free < l.before and (p.details::json ->> 'isAdvice') is distinct from 'true' " +
    `and ${uncorrected('l')}`,
  'the pending amounts equal the open amounts of authorizations':
    "select b.account_id as subject, array[b.account_id] as \"accountIds\", 'pending ' || p.pending || ', open ' || coalesce(c.open, 0) as detail " +
    'from ledger.balance b join ledger.account a using (account_id) cross join lateral (values ' +
    "('in', b.pending_in_credit - b.pending_in_debit), ('out', b.pending_out_debit - b.pending_out_credit)) p (direction, pending) " +
    'left join (select account_id, direction, sum(open) as open from ledger.authorization group by account_id, direction) c ' +
    'on c.account_id = b.account_id and c.direction = p.direction ' +
    "where a.policy = 'guarded' and b.address = 'default' and p.pending <> coalesce(c.open, 0)",
  'an authorization equals its settled, released and open parts':
    "select client_id || ' ' || client_transaction_id as subject, array[account_id] as \"accountIds\", 'the parts do not add up' as detail " +
    'from ledger.authorization where authorized <> settled + released + open ' +
    "or open < 0 or (open = 0) <> (state in ('settled', 'released', 'expired'))",
  'accepted postings have entries, rejected ones have none':
    'select p.posting_instruction_id as subject, ' +
    "coalesce(array_agg(distinct e.account_id) filter (where e.account_id is not null), '{}') as \"accountIds\", p.status || ' with ' || count(e.*) || ' entries' as detail " +
    'from ledger.posting_instruction p left join ledger.entry e using (posting_instruction_id) ' +
    "group by p.posting_instruction_id, p.status having (count(e.*) = 0) = (p.status = 'accepted')",
  'every posting is in a checkpoint or waiting for one':
    "select p.posting_instruction_id as subject, '{}'::text[] as \"accountIds\", 'no event was emitted for it' as detail from ledger.posting_instruction p " +
    'where not exists (select from (select unnest(posting_instruction_ids) as id from ledger.checkpoint) s where s.id = p.posting_instruction_id) ' +
    "and not exists (select from kernel.event v where v.subject = 'posting-instruction/' || p.posting_instruction_id) " +
    "and 'posting-instruction/' || p.posting_instruction_id not in (select t.subject from kernel.outbox o, " +
    'json_populate_recordset(null::kernel.emitted_event, o.events) t)',
  'the totals of a day are the sums of the entries booked on it':
    "select day || ' ' || currency || ' ' || code as subject, '{}'::text[] as \"accountIds\", " +
    "'entries come to ' || json_build_array(coalesce(e.debit, 0), coalesce(e.credit, 0)) as detail from (" +
    "select (e.booked_at at time zone 'UTC')::date as day, e.currency, a.code, a.type, " +
    "coalesce(sum(e.amount) filter (where e.side = 'debit'), 0) as debit, " +
    "coalesce(sum(e.amount) filter (where e.side = 'credit'), 0) as credit " +
    "from ledger.entry e join ledger.account a using (account_id) where e.phase = 'committed' " +
    // After an upgrade, these are all postings: "not in" would keep them in memory.
    'and not exists (select from ledger.postings_without_total() as id where id = e.posting_instruction_id) ' +
    'group by 1, 2, 3, 4) e full join (select booked_on as day, currency, code, type, debit_minor, credit_minor ' +
    'from ledger.booking_day_total) t using (day, currency, code, type) ' +
    'where (e.debit, e.credit) is distinct from (t.debit_minor, t.credit_minor)',
}

/**
 * Checks all invariants and returns the findings; none if the books are consistent. Reads the
 * complete books.
 */
export async function checkLedger(queries: Queries, stopping?: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [invariant, sql] of Object.entries(invariants)) {
    stopping?.throwIfAborted()
    const limitedSql = `${sql} limit ${maxFindings}`
    const rows = await read<Omit<Finding, 'invariant'>>(queries, limitedSql, [])
    findings.push(...rows.map((row) => ({ invariant, ...row })))
  }
  return findings
}

/**
 * Checks all invariants like `checkLedger`, but without the statement timeout of the sessions, which
 * is for requests. Throws if `stopping` aborts: the running statement is canceled.
 */
export function checkLargeLedger(pool: pg.Pool, stopping?: AbortSignal): Promise<Finding[]> {
  return withLongReads(pool, stopping, (queries) => checkLedger(queries, stopping))
}
