import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { receivableKey } from '../domain/fee-run-item.ts'
import { decideCharge } from './decide-charge.ts'
import { dueFeeOfItem } from './receivable-postings.ts'
import type { FeeRunItem } from '../model/fee-run.ts'

/** The operation of the idempotency keys under which receivables are opened. */
export const receivableOperation = 'openFeeReceivable'

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
 * The idempotency key of the charge ensures that only one receivable is opened.
 */
export function openReceivable(
  context: Context,
  item: FeeRunItem,
  name: string,
): Promise<ChargeResult> {
  const keyedContext = {
    ...context,
    envelope: { ...context.envelope, idempotencyKey: receivableKey(item) },
  }
  const { feeCode, arrangementId, periodStart, attempt, amountMinor } = item
  const input = { feeCode, arrangementId, periodStart, attempt }
  const contentHash = fingerprint(receivableOperation, input)
  return command<ChargeResult>(keyedContext, receivableOperation, input, async () => {
    const decision = await decideCharge(keyedContext, dueFeeOfItem(item), name, contentHash)
    const { outcome, reason, postingInstructionId, feeReceivableId } = decision
    return {
      result: { outcome, reason, postingInstructionId, feeReceivableId, amountMinor },
      ...(feeReceivableId !== null && { resourceId: feeReceivableId }),
      writes: decision.writes,
      events: decision.events,
      facts: decision.facts,
    }
  })
}
