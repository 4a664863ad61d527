import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { checkLedger } from '../../ledger/check.ts'
import { readTrialBalance } from '../../ledger/trial-balance.ts'
import { feeMinor } from './contention-accounts.ts'
import type { BankClient } from './contention-client.ts'
import type { BackgroundWork } from './contention-commands.ts'
import type { LedgerModel } from './contention-model.ts'
import { uniqueId } from './contention-movement.ts'

const backgroundWithinMs = 60_000

/** Checks every invariant of the ledger and the trial balance. It may run under load. */
export async function checkBooks(pool: Pool): Promise<string[]> {
  const findings = await checkLedger(pool)
  const texts = findings.map(
    ({ invariant, subject, detail }) => `${invariant}: ${subject}: ${detail}`,
  )
  for (const { currency, debitMinor, creditMinor } of await readTrialBalance(pool, null, null)) {
    if (debitMinor === creditMinor) continue
    texts.push(`trial balance: ${currency} differs by ${debitMinor - creditMinor}`)
  }
  return texts
}

/** Checks through the graph that facilities match their ledger accounts. */
export async function checkFacilities(client: BankClient, address: string): Promise<string[]> {
  const query = '{ lendingFindings { invariant subject detail } }'
  const { lendingFindings } = await client.graph(address, 'lending-findings', query)
  return lendingFindings.map((finding: object) => `lending: ${JSON.stringify(finding)}`)
}

const ordersSql = `select standing_order_id as id, executions, reason_code is not null as "isPostponed"
  from payments.standing_order where standing_order_id = any($1)`
const runsSql = `select fee_run_id as id, status in ('scheduled', 'running') as "isOpen"
  from operations.fee_run where fee_run_id = any($1)`
// A fee on a blocked account becomes a receivable, which is collected once the account may pay again.
const chargedSql = `select i.arrangement_id as "accountId", i.posting_instruction_id as "postingId",
    coalesce(r.collected_minor, $2)::int as "paidMinor"
  from operations.fee_run_item i left join operations.fee_receivable r using (fee_receivable_id)
  where outcome = 'charged' and i.fee_run_id = any($1)`
const uncollectedSql = `select fee_receivable_id as id from operations.fee_receivable where is_collection_due
  union all select 'operations-fee-collection' from kernel.consumer
    where name = 'operations-fee-collection' and position < (select max(position) from kernel.event)`

const runOrders = 'mutation { runJob(name: "payments.execute-standing-orders") { name } }'

interface OrderRow {
  id: string
  executions: number
  isPostponed: boolean
}

/**
 * Waits until the workers have finished the standing orders and fee runs, and adds their effects to
 * the model. Resolves with the work that was not carried out.
 */
export async function settleBackground(
  pool: Pool,
  model: LedgerModel,
  { orders, feeRunIds }: BackgroundWork,
  { client, address }: { client: BankClient; address: string },
): Promise<string[]> {
  const orderIds = orders.map(({ standingOrderId }) => standingOrderId)
  let executed: OrderRow[]
  let findings: string[]
  for (const until = Date.now() + backgroundWithinMs; ; await sleep(250)) {
    executed = (await pool.query<OrderRow>(ordersSql, [orderIds])).rows
    const waiting = executed.filter(({ executions, isPostponed }) => !executions && !isPostponed)
    const runs = (await pool.query<{ id: string; isOpen: boolean }>(runsSql, [feeRunIds])).rows
    const uncollected = (await pool.query<{ id: string }>(uncollectedSql)).rows
    const open = [...waiting, ...runs.filter(({ isOpen }) => isOpen), ...uncollected]
    findings = open.map(({ id }) => `background: ${id} was not carried out`)
    if (open.length === 0 || Date.now() > until) break
    await client.graph(address, uniqueId(), runOrders)
  }
  const executions = new Map(executed.map((order) => [order.id, order.executions]))
  for (const { standingOrderId, endToEndId, effects } of orders) {
    if (!executions.get(standingOrderId)) continue
    model.apply(effects)
    model.endToEndIds.set(endToEndId, standingOrderId)
  }
  type Charged = { accountId: string; postingId: string; paidMinor: number }
  const { rows: charged } = await pool.query<Charged>(chargedSql, [feeRunIds, feeMinor])
  model.apply(charged.map(({ accountId, paidMinor }) => ({ accountId, committed: -paidMinor })))
  for (const { postingId } of charged) model.postingIds.set(postingId, 'a fee run')
  return findings
}
