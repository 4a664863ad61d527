import { command } from '../../../kernel/writing/command.ts'
import type { Change } from '../../../kernel/graph/transitions.ts'
import { Problem } from '../domain/problems.ts'
import { requireBooked } from '../../../ledger/book.ts'
import { publishReceivable } from '../receivable-events.ts'
import { feeReceivableTable, insertMovement } from '../store/fee-receivable.ts'
import { bookForAccount, waiverPosting } from './receivable-postings.ts'
import type { FeeReceivable } from '../model/fee-receivable.ts'

/**
 * Changes a receivable by a waiver, and reverses the fee income of the amount that `decide` waives.
 * The account is not debited. Throws FEE_RECEIVABLE_NOT_FOUND, and whatever `decide` throws.
 */
export const waiveReceivable: Change<FeeReceivable, 'pricing.fee-receivable.waived'> = (
  context,
  operation,
  input,
  feeReceivableId,
  _event,
  decide,
) =>
  command(context, operation, input, async () => {
    const before = await feeReceivableTable.find(context, feeReceivableId)
    if (!before) throw new Problem('FEE_RECEIVABLE_NOT_FOUND', { resourceId: feeReceivableId })
    const now = context.now()
    const waivedReceivable = await decide(before, now)
    const after = { ...waivedReceivable, version: before.version + 1, updatedAt: now }
    const amountMinor = after.waivedMinor - before.waivedMinor
    const booking = await bookForAccount(
      context,
      before.arrangementId,
      waiverPosting(now, before, amountMinor),
    )
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
