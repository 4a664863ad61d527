import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { chargeEvent, type ChargeEvent } from '../charge-events.ts'
import { dueFeeOf } from '../domain/fee-charge.ts'
import { feeChargeTable } from '../store/fee-charge.ts'
import type { FeeCharge } from '../model/fee-charge.ts'
import { decideCharge, type ChargeDecision } from './decide-charge.ts'
import { readAccount, readFee, readWaiver } from './fee-terms.ts'

/**
 * Charges a fee that an event triggered, unless a waiver applies. Has no effect if it is no longer
 * due. The posting and the new status are in one commit, so that the fee is charged once.
 */
export function chargeDue(context: Context, feeChargeId: string): Promise<void> {
  return command<void>(context, 'chargeTriggeredFee', { feeChargeId }, async () => {
    const before = await feeChargeTable.find(context, feeChargeId)
    if (before?.status !== 'due') return { result: undefined }
    const waiver = await waiverNow(context, before)
    if (waiver !== null) {
      const status = 'waived' as const
      return changed(context, before, { ...before, status, outcomeReason: waiver })
    }
    const { feeName, contentHash } = before
    const decision = await decideCharge(context, dueFeeOf(before), feeName, contentHash)
    return changed(context, before, chargedBy(before, decision), decision)
  })
}

/** Returns a charge with the outcome of its posting. */
export function chargedBy(charge: FeeCharge, decision: ChargeDecision): FeeCharge {
  const { outcome, reason, postingInstructionId, feeReceivableId } = decision
  return {
    ...charge,
    status: outcome,
    outcomeReason: reason,
    postingInstructionId,
    feeReceivableId,
  }
}

async function waiverNow(context: Context, charge: FeeCharge): Promise<string | null> {
  const [account, fee] = await Promise.all([
    readAccount(context, charge.arrangementId),
    readFee(context, charge),
  ])
  return account && fee ? readWaiver(context, fee, account, charge.occurredAt) : null
}

function changed(
  context: Context,
  before: FeeCharge,
  change: FeeCharge,
  decision: Pick<ChargeDecision, 'writes' | 'events' | 'facts'> = {
    writes: [],
    events: [],
    facts: [],
  },
): Decision<void> {
  const after = { ...change, version: before.version + 1, updatedAt: context.now() }
  const type = `pricing.fee-charge.${after.status}` as ChargeEvent
  return {
    result: undefined,
    writes: [feeChargeTable.update(before, after), ...decision.writes],
    events: [...decision.events, chargeEvent(type, after)],
    facts: decision.facts,
  }
}
