import type { Queries } from '../kernel/database/read-rows.ts'
import type pg from 'pg'
import { command } from '../kernel/writing/command.ts'
import type { Context } from '../kernel/environment/context.ts'
import { id, listOf, record, text } from '../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../kernel/events/events.ts'
import { insert, type Write } from '../kernel/writing/writes.ts'
import { checkLargeLedger, maxFindings, type Finding } from './check.ts'
import { read } from './read.ts'

declareEvents(
  {
    'payments.ledger-finding.raised':
      'A check found the ledger inconsistent. Postings to the accounts concerned are suspended.',
    'payments.ledger-finding.resolved':
      'An inconsistency that an earlier check of the ledger found no longer exists.',
  },
  record({ findingId: id, invariant: text, subject: text, accountIds: listOf(text), detail: text }),
)

/** A recorded finding, which is open until a check no longer finds it. */
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
 * Checks the ledger, records new findings, resolves findings that no longer exist, and suspends
 * exactly the accounts with open findings. The bank's accumulating accounts are never suspended,
 * because that would stop every payment; their balances can always be recomputed from the entries.
 *
 * A check of large books takes minutes, in which another process may check them as well. What that
 * one raised is not raised again, and stays open and suspended until the next check. What it resolved,
 * for example after a correction, is not raised again by this check either.
 * Returns the number of open findings. Throws if `stopping` aborts.
 */
export function recordFindings(context: Context, stopping?: AbortSignal): Promise<number> {
  return command(context, 'checkLedger', {}, async () => {
    const { pool } = context.bank
    const openBefore = await readOpenFindings(pool)
    const findings = await checkLargeLedger(pool, stopping)
    const openFindings = await readOpenFindings(pool)
    const checkedIds = new Set(openBefore.map(({ findingId }) => findingId))
    // A finding that was resolved meanwhile, such as by a correction, may be from before.
    const knownKeys = new Set([...openBefore, ...openFindings].map(keyOf))
    const foundKeys = new Set(findings.map(keyOf))
    const newFindings = findings
      .filter((finding) => !knownKeys.has(keyOf(finding)))
      .map((finding) => ({ findingId: context.newId('ledgerFinding'), ...finding }))
    const cutOffInvariants = cutOffInvariantsIn(findings)
    const resolvedFindings = openFindings.filter(
      (each) =>
        checkedIds.has(each.findingId) &&
        !foundKeys.has(keyOf(each)) &&
        !cutOffInvariants.has(each.invariant),
    )
    const resolvedIds = new Set(resolvedFindings.map(({ findingId }) => findingId))
    const remaining = [
      ...openFindings.filter(({ findingId }) => !resolvedIds.has(findingId)),
      ...newFindings,
    ]
    const suspensions = await suspensionsFor(pool, remaining)
    return {
      result: remaining.length,
      writes: [
        ...raiseWrites(context, newFindings),
        ...resolveWrites(context, resolvedFindings),
        ...suspensions,
      ],
      events: [
        ...newFindings.map(eventOf('raised', 1)),
        ...resolvedFindings.map(eventOf('resolved', 2)),
      ],
    }
  })
}

const readOpenFindings = (queries: Queries): Promise<OpenFinding[]> =>
  read<OpenFinding & pg.QueryResultRow>(queries, openSql, [])

/** Returns the number of open findings. */
export async function countOpenFindings(queries: Queries): Promise<number> {
  const [row] = await read<{ open: number }>(queries, countSql, [])
  return row!.open
}

function keyOf({ invariant, subject, detail }: Finding): string {
  return JSON.stringify([invariant, subject, detail])
}

/**
 * Returns the invariants whose results were cut off at the maximum number of findings. A finding
 * that is missing from the results of such an invariant may still exist.
 */
function cutOffInvariantsIn(findings: readonly Finding[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { invariant } of findings) counts.set(invariant, (counts.get(invariant) ?? 0) + 1)
  return new Set([...counts].flatMap(([name, count]) => (count >= maxFindings ? [name] : [])))
}

function raiseWrites(context: Context, findings: readonly OpenFinding[]): Write[] {
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

function resolveWrites(context: Context, findings: readonly OpenFinding[]): Write[] {
  if (findings.length === 0) return []
  const sql =
    'update ledger.finding f set resolved_at = $2 from claim ' +
    'where f.finding_id = any($1) and f.resolved_at is null returning 1'
  const ids = findings.map(({ findingId }) => findingId)
  return [{ sql, values: [ids, context.now()], rows: ids.length }]
}

/**
 * Returns the writes that suspend accounts and lift suspensions, so that exactly the accounts with
 * open findings are suspended, except accumulating accounts.
 */
async function suspensionsFor(
  queries: Queries,
  openFindings: readonly OpenFinding[],
): Promise<Write[]> {
  const suspendedIds = new Set(openFindings.flatMap(({ accountIds }) => accountIds))
  const rows = await read<Suspension & pg.QueryResultRow>(queries, suspendableSql, [
    [...suspendedIds],
  ])
  const accountsToChange = rows.filter(
    ({ accountId, isSuspended }) => suspendedIds.has(accountId) !== isSuspended,
  )
  return accountsToChange.map(({ accountId, isSuspended }) => ({
    sql: 'select 1 from claim, ledger.suspend($1, $2)',
    values: [accountId, !isSuspended],
    rows: 1,
  }))
}

function eventOf(eventName: 'raised' | 'resolved', version: number) {
  return ({ findingId, invariant, subject, accountIds, detail }: OpenFinding): DomainEvent => ({
    type: `payments.ledger-finding.${eventName}`,
    subject: `ledger-finding/${findingId}`,
    version,
    data: { findingId, invariant, subject, accountIds, detail },
    parties: [],
  })
}
