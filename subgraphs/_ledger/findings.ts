import type pg from 'pg'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { id, listOf, record, text } from '../_kernel/event-data.ts'
import { declareEvents, type Told } from '../_kernel/events.ts'
import { insert, type Write } from '../_kernel/writes.ts'
import { checkLedger, maxFindings, type Finding } from './check.ts'
import { read, type Queries } from './read.ts'

declareEvents(
  {
    'payments.ledger-finding.raised':
      'A check found the ledger inconsistent; postings to the accounts concerned are suspended.',
    'payments.ledger-finding.resolved': 'A check no longer finds what it had found.',
  },
  record({ findingId: id, invariant: text, subject: text, accountIds: listOf(text), detail: text }),
)

/** A finding that was recorded. It is open until a check no longer finds it. */
interface OpenFinding extends Finding {
  findingId: string
}

interface Suspension {
  accountId: string
  isSuspended: boolean
}

const openSql =
  'select finding_id as "findingId", invariant, subject, account_ids as "accountIds", detail ' +
  'from ledger.finding where resolved_at is null'
const suspendableSql =
  'select distinct b.account_id as "accountId", b.is_suspended as "isSuspended" from ledger.balance b ' +
  "join ledger.account a using (account_id) where a.policy <> 'deferred' " +
  'and (b.is_suspended or b.account_id = any($1))'
const countSql = 'select count(*)::int as open from ledger.finding where resolved_at is null'

/**
 * Checks the ledger and records what changed: raises new findings, resolves those that are gone, and
 * suspends exactly the accounts that open findings name. The bank's own deferred accounts are never
 * suspended: that would stop every payment, and their entries remain the record. Returns how many
 * findings are open.
 */
export function recordFindings(context: Context): Promise<number> {
  return command(context, 'checkLedger', {}, async () => {
    const { pool } = context.bank
    const open = await read<OpenFinding & pg.QueryResultRow>(pool, openSql, [])
    const found = await checkLedger(pool)
    const known = new Set(open.map(keyOf))
    const present = new Set(found.map(keyOf))
    const raised = found
      .filter((finding) => !known.has(keyOf(finding)))
      .map((finding) => ({ findingId: context.newId('ledgerFinding'), ...finding }))
    const cut = cutOff(found)
    const gone = open.filter((each) => !present.has(keyOf(each)) && !cut.has(each.invariant))
    const goneIds = new Set(gone.map(({ findingId }) => findingId))
    const left = [...open.filter(({ findingId }) => !goneIds.has(findingId)), ...raised]
    const suspensions = await suspensionsFor(pool, left)
    return {
      result: left.length,
      writes: [...raise(context, raised), ...resolve(context, gone), ...suspensions],
      events: [...raised.map(toldOf('raised', 1)), ...gone.map(toldOf('resolved', 2))],
    }
  })
}

/** How many findings are open now. */
export async function countOpenFindings(queries: Queries): Promise<number> {
  const [row] = await read<{ open: number }>(queries, countSql, [])
  return row!.open
}

function keyOf({ invariant, subject, detail }: Finding): string {
  return JSON.stringify([invariant, subject, detail])
}

/** Invariants that found as much as a check returns: what is missing there may still be so. */
function cutOff(found: readonly Finding[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { invariant } of found) counts.set(invariant, (counts.get(invariant) ?? 0) + 1)
  return new Set([...counts].flatMap(([name, count]) => (count >= maxFindings ? [name] : [])))
}

function raise(context: Context, findings: readonly OpenFinding[]): Write[] {
  if (findings.length === 0) return []
  const rows = findings.map(({ findingId, invariant, subject, accountIds, detail }) => ({
    finding_id: findingId,
    invariant,
    subject,
    account_ids: accountIds,
    detail,
    found_at: context.now(),
    resolved_at: null,
  }))
  return [insert('ledger.finding', ...rows)]
}

function resolve(context: Context, findings: readonly OpenFinding[]): Write[] {
  if (findings.length === 0) return []
  const sql =
    'update ledger.finding f set resolved_at = $2 from claim ' +
    'where f.finding_id = any($1) and f.resolved_at is null returning 1'
  const ids = findings.map(({ findingId }) => findingId)
  return [{ sql, values: [ids, context.now()], rows: ids.length }]
}

/** Sets and lifts suspensions so that they are those of the open findings. */
async function suspensionsFor(queries: Queries, open: readonly OpenFinding[]): Promise<Write[]> {
  const wanted = new Set(open.flatMap(({ accountIds }) => accountIds))
  const rows = await read<Suspension & pg.QueryResultRow>(queries, suspendableSql, [[...wanted]])
  const changed = rows.filter(({ accountId, isSuspended }) => wanted.has(accountId) !== isSuspended)
  return changed.map(({ accountId, isSuspended }) => ({
    sql: 'select 1 from claim, ledger.suspend($1, $2)',
    values: [accountId, !isSuspended],
    rows: 1,
  }))
}

function toldOf(fact: 'raised' | 'resolved', version: number) {
  return ({ findingId, invariant, subject, accountIds, detail }: OpenFinding): Told => ({
    type: `payments.ledger-finding.${fact}`,
    subject: `ledger-finding/${findingId}`,
    version,
    data: { findingId, invariant, subject, accountIds, detail },
    parties: [],
  })
}
