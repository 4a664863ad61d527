import { fingerprint } from '../../_kernel/answer.ts'
import { command } from '../../_kernel/command.ts'
import type { Context } from '../../_kernel/context.ts'
import { versioned } from '../../_kernel/records.ts'
import { changeGuard, requireBooked } from '../../_ledger/book.ts'
import { readHeldBalance } from '../../_ledger/hold.ts'
import { newFeeReceivable, remainsDue } from '../domain/fee-receivable.ts'
import { chargeKey, type FeeRunItem } from '../domain/fee-run-item.ts'
import { publishReceivable } from '../fee-receivable-events.ts'
import { feeReceivableTable } from '../store/fee-receivable.ts'
import { accrualPosting, bookAsBank, chargePosting } from './receivable-postings.ts'

/** What became of a fee that the account could not pay at first. */
type Charged = Pick<
  FeeRunItem,
  'outcome' | 'reason' | 'postingInstructionId' | 'feeReceivableId' | 'amountMinor'
>

/**
 * Charges a fee whose posting was rejected because of the state of the account: collects it when the
 * money is there by now, else books the income and opens a receivable. One commit, which stands on the
 * balance it was decided on, so that no credit and no closing of the account goes unseen. The key of the
 * charge makes it happen once.
 */
export function openReceivable(context: Context, item: FeeRunItem, name: string): Promise<Charged> {
  const keyed = {
    ...context,
    envelope: { ...context.envelope, idempotencyKey: `receivable:${chargeKey(item)}` },
  }
  const { feeCode, arrangementId, periodStart, attempt } = item
  const input = { feeCode, arrangementId, periodStart, attempt }
  return command<Charged>(keyed, 'openFeeReceivable', input, async () => {
    const { amountMinor } = item
    const now = context.now()
    const balance = await readHeldBalance(keyed, arrangementId)
    const charge = await bookAsBank(keyed, [chargePosting(now, item, name)])
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
    const accrual = await bookAsBank(keyed, [accrualPosting(now, item, name, id)])
    requireBooked(accrual)
    const accrualId = accrual.records[0]!.postingInstructionId
    const contentHash = fingerprint('openFeeReceivable', input)
    const head = { feeReceivableId: id, feeName: name, reasonCode: reason }
    const receivable = newFeeReceivable(item, {
      ...head,
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
        // The balance gets a new stamp: whoever decided on the old one, to close the account, decides again.
        changeGuard(balance, {}),
        feeReceivableTable.insert(receivable),
        ...accrual.writes,
      ],
      events: [...accrual.events, ...events],
      facts,
    }
  })
}
