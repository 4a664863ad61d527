import { requireBank } from '../../_kernel/auth.ts'
import { command } from '../../_kernel/command.ts'
import { moveConsumer, readConsumer } from '../../_kernel/consumer.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readFacts } from '../../_kernel/facts.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import { doEach, type Worker } from '../../_kernel/worker.ts'
import type { Write } from '../../_kernel/writes.ts'
import { changeGuard } from '../../_ledger/book.ts'
import { readCreditedAccounts } from '../../_ledger/changes.ts'
import { availableOf } from '../../_ledger/domain/balance.ts'
import { readHeldBalance } from '../../_ledger/hold.ts'
import {
  collectPart,
  outstandingOf,
  planCollection,
  type Collection,
  type FeeReceivable,
} from '../domain/fee-receivable.ts'
import { publishReceivable } from '../fee-receivable-events.ts'
import {
  feeReceivableTable,
  findOpenReceivables,
  insertMovement,
  queueCollection,
  readQueuedAccounts,
} from '../store/fee-receivable.ts'
import { bookAsBank, collectionPosting } from './receivable-postings.ts'

const consumer = 'operations-fee-collection'
const maxEvents = 20_000
const maxAccounts = 500

/** Acts of the bank that let money leave an account which could not before. */
const unblocking = [
  'accounts.arrangement.unblocked',
  'accounts.arrangement.reactivated',
  'accounts.arrangement.closure-requested',
]

/**
 * Collects owed fees after money came to the account. Postings of the event log queue the receivables
 * of the accounts they credited, in one commit with the position of the log; then each account is
 * collected from in a commit of its own. Cut off anywhere, both steps go on where they were.
 */
export const collectFees: Worker = {
  name: 'operations.collect-fees',
  purpose: 'Collects fees that remained due when accounts could not pay them.',
  everyMs: 1000,
  wakeOn: ['payments.posting-instruction.*', ...unblocking],
  async run(context: Context): Promise<number> {
    const read = await queueCredited(context)
    const accounts = await readQueuedAccounts(context, maxAccounts)
    const collected = await doEach(context, accounts, async (arrangementId) => {
      await collectReceivables(context, arrangementId)
    })
    return read + collected
  },
}

const unblockedSql =
  "select substr(subject, strpos(subject, '/') + 1) as id from kernel.event " +
  'where position > $1 and position <= $2 and type = any($3)'

function queueCredited(context: Context): Promise<number> {
  return command(context, 'queueFeeCollection', null, async () => {
    const { bank } = context
    const { from, to } = await readConsumer(bank.pool, consumer, maxEvents)
    if (from === to) return { result: 0 }
    const values = [from.toString(), to.toString(), unblocking]
    const credited = await readCreditedAccounts(bank.pool, from, to)
    const unblocked = await readRows<{ id: string }>(bank, unblockedSql, values)
    const accounts = [...new Set([...credited, ...unblocked.map(({ id }) => id)])]
    const writes = [moveConsumer(consumer, from, to), ...(await queueCollection(context, accounts))]
    return { result: Number(to - from), writes }
  })
}

/**
 * Collects what an account owes as far as it has money available, oldest first. Returns what it owed,
 * as it is then.
 */
export function collectReceivables(
  context: Context,
  arrangementId: string,
): Promise<FeeReceivable[]> {
  return command(context, 'collectFeeReceivables', { arrangementId }, async () => {
    const open = await findOpenReceivables(context, arrangementId)
    if (open.length === 0) return { result: [] }
    const now = context.now()
    const balance = await readHeldBalance(context, arrangementId)
    const plan = planCollection(open, availableOf(balance))
    const postings = plan.map(({ receivable, amountMinor }) =>
      collectionPosting(now, receivable, amountMinor),
    )
    const booked = postings.length > 0 ? await bookAsBank(context, postings) : null
    const isBooked = booked !== null && booked.violations.length === 0
    if (!isBooked) {
      const left = open.map((receivable) => ({ ...receivable, isCollectionDue: false }))
      // It stands on the balance: money that came in between is seen by the next attempt.
      const writes = [
        ...left.flatMap((each, at) => written(open[at]!, each, now)),
        changeGuard(balance, {}),
      ]
      return { result: left, resourceId: arrangementId, writes }
    }
    const postingIds = booked.records.map((record) => record.postingInstructionId)
    const done = open.map((receivable) => collected(receivable, plan, postingIds, now))
    return {
      result: done.map(({ after }) => after),
      resourceId: arrangementId,
      isKeyKept: true,
      writes: [...booked.writes, ...done.flatMap(({ writes }) => writes)],
      events: [...booked.events, ...done.flatMap(({ told }) => told.events)],
      facts: done.flatMap(({ told }) => told.facts),
    }
  })
}

/** What the collection makes of one receivable; one that got no part of it leaves the queue. */
function collected(
  receivable: FeeReceivable,
  plan: readonly Collection[],
  postingIds: readonly string[],
  now: Date,
) {
  const at = plan.findIndex((each) => each.receivable === receivable)
  const waiting = { ...receivable, isCollectionDue: false }
  if (at === -1) {
    const writes = written(receivable, waiting, now)
    return { after: waiting, writes, told: { events: [], facts: [] } }
  }
  const { amountMinor } = plan[at]!
  const postingInstructionId = postingIds[at]!
  const decided = collectPart({ receivable: waiting, amountMinor }, now)
  const after = { ...decided, version: receivable.version + 1, updatedAt: now }
  const fact = outstandingOf(after) > 0n ? 'partially-collected' : 'collected'
  const { feeReceivableId } = receivable
  const kind = 'collection' as const
  return {
    after,
    writes: [
      feeReceivableTable.update(receivable, after),
      insertMovement({ postingInstructionId, feeReceivableId, kind, amountMinor, bookedAt: now }),
    ],
    told: publishReceivable(after, fact, postingInstructionId),
  }
}

/** Takes a receivable that was queued out of the queue. */
function written(before: FeeReceivable, after: FeeReceivable, now: Date): Write[] {
  if (!before.isCollectionDue) return []
  return [feeReceivableTable.update(before, { ...after, updatedAt: now })]
}

/**
 * Collects what an account owes now, on request of the bank.
 * Rejects with NOT_FOR_DELEGATED_USERS, ARRANGEMENT_NOT_FOUND.
 */
export async function collectNow(
  context: Context,
  arrangementId: string,
): Promise<FeeReceivable[]> {
  requireBank(context)
  const [fact] = await readFacts(context, [`arrangement/${arrangementId}`])
  if (!fact) throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
  return collectReceivables(context, arrangementId)
}
