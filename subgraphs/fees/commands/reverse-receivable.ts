import { command } from '../../../kernel/writing/command.ts'
import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import type { PublishedFact } from '../../../kernel/writing/facts.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import { reverseReceivable } from '../domain/fee-receivable.ts'
import { publishReceivable } from '../receivable-events.ts'
import { feeReceivableTable, readMovements } from '../store/fee-receivable.ts'
import { bookAsBank } from './receivable-postings.ts'
import type { FeeReceivable } from '../model/fee-receivable.ts'
import type { FeeRun, FeeRunItem } from '../model/fee-run.ts'

/** The stored result of reversing a receivable. */
type ReversalResult = Pick<FeeRunItem, 'outcome' | 'reason' | 'postingInstructionId'>

/**
 * Reverses a fee that had become a receivable. One commit reverses the accrual, the collections and
 * the waivers. Reversing a collection refunds the customer.
 */
export async function reverseReceivableOf(
  context: Context,
  { feeRunId }: FeeRun,
  item: FeeRunItem,
): Promise<FeeRunItem> {
  const id = item.feeReceivableId!
  const keyedContext = {
    ...context,
    envelope: { ...context.envelope, idempotencyKey: `fee-reversal:${feeRunId}:${id}` },
  }
  const input = { feeRunId, feeReceivableId: id }
  const result = await command<ReversalResult>(
    keyedContext,
    'reverseFeeReceivable',
    input,
    async () => {
      const before = (await feeReceivableTable.find(keyedContext, id))!
      const reversal = await decideReversal(keyedContext, before, { feeRunId })
      const { reason, postingInstructionId, ...changes } = reversal
      if (reason !== null) {
        return { result: { outcome: 'failed', reason, postingInstructionId: null } }
      }
      return {
        result: { outcome: 'reversed', reason: null, postingInstructionId },
        resourceId: id,
        ...changes,
      }
    },
  )
  return { ...item, ...result, feeRunId, createdAt: context.now() }
}

/** The decision to reverse a receivable, with what belongs in the same commit. */
interface ReversalDecision {
  /** The problem code with which the reversal was rejected; null if it is booked. */
  reason: ProblemCode | null
  /** The posting that reverses the accrual; null if the reversal was rejected. */
  postingInstructionId: string | null
  writes: Write[]
  events: DomainEvent[]
  facts: PublishedFact[]
}

/**
 * Decides the reversal of a receivable: of its accrual, its collections and its waivers. `origin`
 * becomes metadata of the postings. Throws INVALID_STATE_TRANSITION.
 */
export async function decideReversal(
  context: Context,
  before: FeeReceivable,
  origin: object,
): Promise<ReversalDecision> {
  const id = before.feeReceivableId
  const now = context.now()
  const after = { ...reverseReceivable(before, now), version: before.version + 1, updatedAt: now }
  const movements = await readMovements(context, [id])
  const reversedIds = [
    before.postingInstructionId,
    ...movements.map(({ postingInstructionId }) => postingInstructionId),
  ]
  const days =
    before.feeChargeId !== null
      ? before.periodStart
      : `${before.periodStart} to ${before.periodEnd}`
  const narrative = {
    ...noNarrative,
    remittanceInformation: `Reversal: ${before.feeName}, ${days}`,
    metadata: { ...origin, feeReceivableId: id },
  }
  const postings = reversedIds.map((reversesId) => ({
    instruction: { ...termsAt(now), type: 'reversal' as const, reversesId },
    narrative,
  }))
  const booking = await bookAsBank(context, postings)
  const [violation] = booking.violations
  const rejected = { postingInstructionId: null, writes: [], events: [], facts: [] }
  if (violation) return { ...rejected, reason: violation.code }
  const { postingInstructionId } = booking.records[0]!
  const { events, facts } = publishReceivable(after, 'reversed', postingInstructionId)
  return {
    reason: null,
    postingInstructionId,
    writes: [feeReceivableTable.update(before, after), ...booking.writes],
    events: [...booking.events, ...events],
    facts,
  }
}
