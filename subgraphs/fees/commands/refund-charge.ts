import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Change, Decide } from '../../../kernel/graph/transitions.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { changeRecord, type Decided } from '../../../kernel/writing/records.ts'
import { requireBooked } from '../../../ledger/book.ts'
import { internalAccountId, thirdPartyAccountId } from '../../../ledger/domain/account.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import type { ChargeEvent } from '../charge-events.ts'
import { Problem } from '../domain/problems.ts'
import { feeChargeKind } from '../store/fee-charge.ts'
import { feeReceivableTable } from '../store/fee-receivable.ts'
import type { FeeCharge } from '../model/fee-charge.ts'
import { bookAsBank } from './receivable-postings.ts'
import { decideReversal } from './reverse-receivable.ts'

/**
 * Changes a charge. If the change refunds it, its postings are reversed in the same commit. Throws
 * FEE_CHARGE_NOT_FOUND, whatever `decide` throws, and the code of a rejected reversal, such as
 * ALREADY_REVERSED.
 */
export const changeCharge: Change<FeeCharge, ChargeEvent> = (
  context,
  operation,
  input,
  feeChargeId,
  event,
  decide,
) =>
  changeRecord(
    context,
    feeChargeKind,
    operation,
    input,
    feeChargeId,
    event,
    async (before, now) => {
      const record = await decide(before, now)
      return record.status === 'refunded' ? refunded(context, record) : { record }
    },
  )

/**
 * Checks that a refund can be credited to the charged account. Throws ARRANGEMENT_CLOSED. A receivable
 * may have nothing to give back, which shows when the refund is approved.
 */
export const proposeRefund: Decide<FeeCharge> = async (after, { context, before }) => {
  if (before.feeReceivableId !== null) return after
  const [fact] = await readFacts(context, [`arrangement/${before.arrangementId}`])
  if (fact?.['state'] === 'closed') throw accountClosed(before)
  return after
}

/** The problem of a refund to an account that was closed after the charge, with what to do instead. */
function accountClosed({ feeChargeId, arrangementId, ...charge }: FeeCharge): Problem {
  const { amountMinor, currency, thirdParty } = charge
  const debited =
    thirdParty === null
      ? internalAccountId('fee-income', currency)
      : thirdPartyAccountId(thirdParty, currency)
  const detail =
    `The account ${arrangementId} is closed, so that ${formatAmount(amountMinor, currency)} ` +
    `${currency} cannot be credited to it. Post the amount from ${debited} to another account of ` +
    'the customer, or to an account through which you pay it out.'
  return new Problem('ARRANGEMENT_CLOSED', { detail, resourceId: feeChargeId })
}

/** Checks that a second person decides on a refund. Throws SEGREGATION_OF_DUTIES. */
export const decideRefund: Decide<FeeCharge> = async (after, { context, before }) => {
  const detail = 'The person who proposed a refund cannot decide on it.'
  const fourEyes = { resourceId: before.feeChargeId, detail }
  await requireAnotherPerson(context, [before.refundProposedBy], fourEyes)
  return after
}

/** Returns the refund of a charge: of its posting or, if it became a receivable, of the receivable. */
async function refunded(context: Context, charge: FeeCharge): Promise<Decided<FeeCharge>> {
  const { feeChargeId, feeReceivableId } = charge
  if (feeReceivableId !== null) {
    const receivable = (await feeReceivableTable.find(context, feeReceivableId))!
    const reversal = await decideReversal(context, receivable, { feeChargeId })
    const { reason, postingInstructionId, ...changes } = reversal
    if (reason === 'ARRANGEMENT_CLOSED') throw accountClosed(charge)
    if (reason !== null) throw new Problem(reason, { resourceId: feeChargeId })
    return {
      record: { ...charge, refundPostingId: postingInstructionId },
      ...changes,
      retainsKey: true,
    }
  }
  const narrative = {
    ...noNarrative,
    remittanceInformation: `Refund: ${charge.feeName}`,
    metadata: { feeChargeId, feeCode: charge.feeCode },
  }
  const reversesId = charge.postingInstructionId!
  const instruction = { ...termsAt(context.now()), type: 'reversal' as const, reversesId }
  const booking = await bookAsBank(context, [{ instruction, narrative }])
  if (booking.violations[0]?.code === 'ARRANGEMENT_CLOSED') throw accountClosed(charge)
  requireBooked(booking)
  return {
    record: { ...charge, refundPostingId: booking.records[0]!.postingInstructionId },
    writes: booking.writes,
    events: booking.events,
    retainsKey: true,
  }
}
