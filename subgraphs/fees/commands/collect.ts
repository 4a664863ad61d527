import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { changeGuard } from '../../../ledger/book.ts'
import { availableOf } from '../../../ledger/domain/balance.ts'
import { readHeldBalance } from '../../../ledger/hold.ts'
import {
  collectPart,
  outstandingOf,
  planCollection,
  type Collection,
} from '../domain/fee-receivable.ts'
import { publishReceivable } from '../receivable-events.ts'
import {
  feeReceivableTable,
  findOpenReceivables,
  insertMovement,
  unqueueCollection,
} from '../store/fee-receivable.ts'
import { bookAsBank, collectionPosting } from './receivable-postings.ts'
import type { FeeReceivable } from '../model/fee-receivable.ts'

/**
 * Collects the open receivables of an account up to its available balance, oldest first. Returns
 * these receivables in their new state.
 */
export function collectReceivables(
  context: Context,
  arrangementId: string,
): Promise<FeeReceivable[]> {
  return command(context, 'collectFeeReceivables', { arrangementId }, async () => {
    const openReceivables = await findOpenReceivables(context, arrangementId)
    if (openReceivables.length === 0) return { result: [] }
    const now = context.now()
    const balance = await readHeldBalance(context, arrangementId)
    const plan = planCollection(openReceivables, availableOf(balance))
    const postings = plan.map(({ receivable, amountMinor }) =>
      collectionPosting(now, receivable, amountMinor),
    )
    const booking = postings.length > 0 ? await bookAsBank(context, postings) : null
    const isBooked = booking !== null && booking.violations.length === 0
    if (!isBooked) {
      const unqueued = openReceivables.map((receivable) => ({
        ...receivable,
        isCollectionDue: false,
      }))
      // Requires an unchanged balance at commit. A concurrent credit therefore leads to a retry.
      const writes = [
        ...unqueued.flatMap((each, at) => unqueueWrites(openReceivables[at]!, each, now)),
        ...(await unqueueCollection(context, arrangementId, openReceivables)),
        changeGuard(balance, {}),
      ]
      return { result: unqueued, resourceId: arrangementId, writes }
    }
    const postingIds = booking.records.map((record) => record.postingInstructionId)
    const changes = openReceivables.map((receivable) =>
      collectionChange(receivable, plan, postingIds, now),
    )
    // Without more money, there is nothing for the receivables that were not read.
    const isExhausted = changes.some(({ after }) => outstandingOf(after) > 0n)
    const unqueued = isExhausted
      ? await unqueueCollection(context, arrangementId, openReceivables)
      : []
    return {
      result: changes.map(({ after }) => after),
      resourceId: arrangementId,
      retainsKey: true,
      writes: [...booking.writes, ...changes.flatMap(({ writes }) => writes), ...unqueued],
      events: [...booking.events, ...changes.flatMap(({ event }) => event.events)],
      facts: changes.flatMap(({ event }) => event.facts),
    }
  })
}

/** Returns the change of one receivable. Without a planned amount, it is only unqueued. */
function collectionChange(
  receivable: FeeReceivable,
  plan: readonly Collection[],
  postingIds: readonly string[],
  now: Date,
) {
  const planIndex = plan.findIndex((each) => each.receivable === receivable)
  const unqueued = { ...receivable, isCollectionDue: false }
  if (planIndex === -1) {
    const writes = unqueueWrites(receivable, unqueued, now)
    return { after: unqueued, writes, event: { events: [], facts: [] } }
  }
  const { amountMinor } = plan[planIndex]!
  const postingInstructionId = postingIds[planIndex]!
  const changedReceivable = collectPart({ receivable: unqueued, amountMinor }, now)
  const after = { ...changedReceivable, version: receivable.version + 1, updatedAt: now }
  const eventName = outstandingOf(after) > 0n ? 'partially-collected' : 'collected'
  const { feeReceivableId } = receivable
  const kind = 'collection' as const
  return {
    after,
    writes: [
      feeReceivableTable.update(receivable, after),
      insertMovement({ postingInstructionId, feeReceivableId, kind, amountMinor, bookedAt: now }),
    ],
    event: publishReceivable(after, eventName, postingInstructionId),
  }
}

/** Returns the write that removes a receivable from the collection queue, if it is queued. */
function unqueueWrites(before: FeeReceivable, after: FeeReceivable, now: Date): Write[] {
  if (!before.isCollectionDue) return []
  return [feeReceivableTable.update(before, { ...after, updatedAt: now })]
}

/**
 * Collects the open receivables of an account at the request of the bank.
 * Throws NOT_FOR_DELEGATED_USERS, ARRANGEMENT_NOT_FOUND.
 */
export async function collectFeesOnRequest(
  context: Context,
  arrangementId: string,
): Promise<FeeReceivable[]> {
  requireBank(context)
  const [fact] = await readFacts(context, [`arrangement/${arrangementId}`])
  if (!fact) throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
  return collectReceivables(context, arrangementId)
}
