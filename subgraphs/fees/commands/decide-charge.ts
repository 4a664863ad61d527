import type { Context } from '../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import type { PublishedFact } from '../../../kernel/writing/facts.ts'
import { versioned } from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { changeGuard, requireBooked } from '../../../ledger/book.ts'
import { readHeldBalance } from '../../../ledger/hold.ts'
import type { DueFee } from '../domain/fee-charge.ts'
import { newFeeReceivable, remainsDue } from '../domain/fee-receivable.ts'
import { publishReceivable } from '../receivable-events.ts'
import { feeReceivableTable } from '../store/fee-receivable.ts'
import { accrualPosting, bookAsBank, bookForAccount, chargePosting } from './receivable-postings.ts'

/** How a fee was charged, with what belongs in the same commit. */
export interface ChargeDecision {
  outcome: 'charged' | 'failed'
  /** The problem code with which the account could not be debited; null if it paid. */
  reason: string | null
  postingInstructionId: string | null
  feeReceivableId: string | null
  writes: Write[]
  events: DomainEvent[]
  facts: PublishedFact[]
}

/**
 * Decides the charge of a fee. If the account can pay, it is debited. If it cannot pay now, the
 * income is booked and a receivable is opened. If the charge is rejected for another reason, the
 * outcome is `failed` and nothing is booked.
 *
 * The commit requires that the balance has not changed since it was read, so that a concurrent
 * credit or closure of the account is not missed.
 */
export async function decideCharge(
  context: Context,
  fee: DueFee,
  name: string,
  contentHash: string,
): Promise<ChargeDecision> {
  const now = context.now()
  const balance = await readHeldBalance(context, fee.arrangementId)
  const charge = await bookAsBank(context, [chargePosting(now, fee, name)])
  const [rejection] = charge.violations
  if (!rejection) {
    const { writes, events } = charge
    const { postingInstructionId } = charge.records[0]!
    const paid = { outcome: 'charged', reason: null, feeReceivableId: null } as const
    return { ...paid, postingInstructionId, writes, events, facts: [] }
  }
  const reason = rejection.code
  if (!remainsDue(reason)) {
    const failed = { outcome: 'failed', postingInstructionId: null, feeReceivableId: null } as const
    return { ...failed, reason, writes: [], events: [], facts: [] }
  }
  const id = context.newId('feeReceivable')
  const accrual = await bookForAccount(
    context,
    fee.arrangementId,
    accrualPosting(now, fee, name, id),
  )
  requireBooked(accrual)
  const { postingInstructionId } = accrual.records[0]!
  const receivable = newFeeReceivable(fee, {
    ...versioned({ id, contentHash, now }),
    feeReceivableId: id,
    feeName: name,
    reasonCode: reason,
    postingInstructionId,
  })
  const { events, facts } = publishReceivable(receivable, 'opened', postingInstructionId)
  return {
    outcome: 'charged',
    reason,
    postingInstructionId,
    feeReceivableId: id,
    writes: [
      // Changes the stamp of the balance, so that a concurrent command that has read the balance,
      // such as a closure, is retried.
      changeGuard(balance, {}),
      feeReceivableTable.insert(receivable),
      ...accrual.writes,
    ],
    events: [...accrual.events, ...events],
    facts,
  }
}
