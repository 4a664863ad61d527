import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { requireBooked } from '../../../ledger/book.ts'
import { outstandingOf, waiveRest } from '../domain/fee-receivable.ts'
import { publishReceivable } from '../receivable-events.ts'
import { feeReceivableTable, insertMovement } from '../store/fee-receivable.ts'
import { bookAsBank, waiverPosting } from './receivable-postings.ts'
import type { FeeReceivable } from '../model/fee-receivable.ts'

/**
 * Waives the outstanding amount of a receivable and reverses the corresponding fee income. The
 * account is not debited. Throws NOT_FOR_DELEGATED_USERS, FEE_RECEIVABLE_NOT_FOUND,
 * INVALID_STATE_TRANSITION.
 */
export function waiveReceivable(
  context: Context,
  feeReceivableId: string,
  waiverReason: string,
): Promise<FeeReceivable> {
  requireBank(context)
  const input = { feeReceivableId, reason: waiverReason }
  return command(context, 'waiveFeeReceivable', input, async () => {
    const before = await feeReceivableTable.find(context, feeReceivableId)
    if (!before) throw new Problem('FEE_RECEIVABLE_NOT_FOUND', { resourceId: feeReceivableId })
    const now = context.now()
    const { subject: waivedBy } = context.caller
    const waivedReceivable = waiveRest(before, { waivedBy, waiverReason, now })
    const after = { ...waivedReceivable, version: before.version + 1, updatedAt: now }
    const amountMinor = outstandingOf(before)
    const booking = await bookAsBank(context, [waiverPosting(now, before, amountMinor)])
    requireBooked(booking)
    const { postingInstructionId } = booking.records[0]!
    const kind = 'waiver' as const
    const event = publishReceivable(after, 'waived', postingInstructionId)
    return {
      result: after,
      resourceId: feeReceivableId,
      retainsKey: true,
      writes: [
        feeReceivableTable.update(before, after),
        insertMovement({ postingInstructionId, feeReceivableId, kind, amountMinor, bookedAt: now }),
        ...booking.writes,
      ],
      events: [...booking.events, ...event.events],
      facts: event.facts,
    }
  })
}
