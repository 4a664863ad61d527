import {
  isUnderStrongAuthentication,
  requireApproval,
} from '../../../../kernel/authorization/approvals.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import type { Write } from '../../../../kernel/writing/writes.ts'
import type { Drawdown } from '../../domain/drawdowns/drawdown.ts'

/**
 * Requires that a customer approves a drawdown to an IBAN, which pays somebody outside of the
 * customer's relation to the bank (RTS, article 5). A drawdown to an account of the customer by its
 * ID needs none (RTS, article 15). Returns the write that uses the approval, if there is one. Throws
 * APPROVAL_REQUIRED.
 */
export async function authenticateDrawdown(context: Context, drawdown: Drawdown): Promise<Write[]> {
  const { partyId } = context.caller
  const { destinationIban, destinationName, amountMinor, currency, facilityId } = drawdown
  const { purpose, reference, partyId: ownerId } = drawdown
  if (partyId === null || destinationIban === null) return []
  if (!(await isUnderStrongAuthentication(context, [ownerId]))) return []
  const lines = [
    ['Amount', `${formatAmount(amountMinor, currency)} ${currency}`],
    ['Payee', destinationName ?? '(no name given)'],
    ['Account of the payee', destinationIban],
    ['From your facility', facilityId],
    ['On', drawdown.valueDate],
    ...(purpose === null ? [] : [['Purpose', purpose] as const]),
    ...(reference === null ? [] : [['Reference', reference] as const]),
  ] as const
  return [await requireApproval(context, { action: 'Drawdown', partyId, lines })]
}
