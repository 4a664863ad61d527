import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import { reverseReceivable } from '../domain/fee-receivable.ts'
import { publishReceivable } from '../receivable-events.ts'
import { feeReceivableTable, readMovements } from '../store/fee-receivable.ts'
import { bookAsBank } from './receivable-postings.ts'
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
      const now = context.now()
      const reversedReceivable = reverseReceivable(before, now)
      const after = { ...reversedReceivable, version: before.version + 1, updatedAt: now }
      const movements = await readMovements(keyedContext, [id])
      const reversedIds = [
        before.postingInstructionId,
        ...movements.map(({ postingInstructionId }) => postingInstructionId),
      ]
      const narrative = {
        ...noNarrative,
        remittanceInformation: `Reversal: ${before.feeName}, ${before.periodStart} to ${before.periodEnd}`,
        metadata: { feeRunId, feeReceivableId: id },
      }
      const postings = reversedIds.map((reversesId) => ({
        instruction: { ...termsAt(now), type: 'reversal' as const, reversesId },
        narrative,
      }))
      const booking = await bookAsBank(keyedContext, postings)
      const [violation] = booking.violations
      if (violation) {
        const reason = violation.code
        return { result: { outcome: 'failed', reason, postingInstructionId: null } }
      }
      const { postingInstructionId } = booking.records[0]!
      const { events, facts } = publishReceivable(after, 'reversed', postingInstructionId)
      return {
        result: { outcome: 'reversed', reason: null, postingInstructionId },
        resourceId: id,
        writes: [feeReceivableTable.update(before, after), ...booking.writes],
        events: [...booking.events, ...events],
        facts,
      }
    },
  )
  return { ...item, ...result, feeRunId, createdAt: context.now() }
}
