import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { versioned } from '../../../kernel/writing/records.ts'
import { changeGuard, requireBooked } from '../../../ledger/book.ts'
import { readHeldBalance } from '../../../ledger/hold.ts'
import { newFeeReceivable, remainsDue } from '../domain/fee-receivable.ts'
import { chargeKey } from '../domain/fee-run-item.ts'
import { publishReceivable } from '../receivable-events.ts'
import { feeReceivableTable } from '../store/fee-receivable.ts'
import { accrualPosting, bookAsBank, chargePosting } from './receivable-postings.ts'
import type { FeeRunItem } from '../model/fee-run.ts'

/** The outcome for a fee that the account could not pay at first. */
type ChargeResult = Pick<
  FeeRunItem,
  'outcome' | 'reason' | 'postingInstructionId' | 'feeReceivableId' | 'amountMinor'
>

/**
 * Charges a fee again after the account could not pay it. If the account can pay by now, the fee is
 * collected. If it still cannot, the income is booked and a receivable is opened. If the charge is
 * rejected for another reason, the outcome is `failed`.
 *
 * The commit requires that the balance has not changed since it was read, so that a concurrent
 * credit or closure of the account is not missed. The idempotency key of the charge ensures that
 * only one receivable is opened.
 */
export function openReceivable(
  context: Context,
  item: FeeRunItem,
  name: string,
): Promise<ChargeResult> {
  const keyedContext = {
    ...context,
    envelope: { ...context.envelope, idempotencyKey: `receivable:${chargeKey(item)}` },
  }
  const { feeCode, arrangementId, periodStart, attempt } = item
  const input = { feeCode, arrangementId, periodStart, attempt }
  return command<ChargeResult>(keyedContext, 'openFeeReceivable', input, async () => {
    const { amountMinor } = item
    const now = context.now()
    const balance = await readHeldBalance(keyedContext, arrangementId)
    const charge = await bookAsBank(keyedContext, [chargePosting(now, item, name)])
    const [rejection] = charge.violations
    if (!rejection) {
      const { writes, events } = charge
      const { postingInstructionId } = charge.records[0]!
      const result = { outcome: 'charged', reason: null, postingInstructionId } as const
      return { result: { ...result, feeReceivableId: null, amountMinor }, writes, events }
    }
    const reason = rejection.code
    if (!remainsDue(reason)) {
      const result = { outcome: 'failed', reason, postingInstructionId: null } as const
      return { result: { ...result, feeReceivableId: null, amountMinor } }
    }
    const id = context.newId('feeReceivable')
    const accrual = await bookAsBank(keyedContext, [accrualPosting(now, item, name, id)])
    requireBooked(accrual)
    const accrualId = accrual.records[0]!.postingInstructionId
    const contentHash = fingerprint('openFeeReceivable', input)
    const identity = { feeReceivableId: id, feeName: name, reasonCode: reason }
    const receivable = newFeeReceivable(item, {
      ...identity,
      ...versioned({ id, contentHash, now }),
      postingInstructionId: accrualId,
    })
    const { events, facts } = publishReceivable(receivable, 'opened', accrualId)
    return {
      result: {
        outcome: 'charged',
        reason,
        postingInstructionId: accrualId,
        feeReceivableId: id,
        amountMinor,
      },
      resourceId: id,
      writes: [
        // Changes the stamp of the balance, so that a concurrent command that has read the
        // balance, such as a closure, is retried.
        changeGuard(balance, {}),
        feeReceivableTable.insert(receivable),
        ...accrual.writes,
      ],
      events: [...accrual.events, ...events],
      facts,
    }
  })
}
