import {
  isUnderStrongAuthentication,
  requireApproval,
} from '../../../kernel/authorization/approvals.ts'
import { Problem } from '../domain/problems.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import type { Instruction } from '../../../ledger/domain/instruction.ts'
import type { AccountFact } from '../domain/order.ts'
import {
  afterLowValue,
  approvalLinesOf,
  emptyCounter,
  exemptionOf,
  payeeOf,
  type OrderedPayment,
} from '../domain/strong-authentication.ts'
import { counterWrite, isTrustedPayee, readCounter } from '../store/strong-authentication.ts'

/** What the customer approves besides the amount and the payee. */
export interface ApprovedOrder {
  /** The heading for the customer, such as `Payment`. */
  action: string
  lines?: readonly (readonly [string, string])[]
  isSeries?: boolean
}

/**
 * Applies strong customer authentication to a payment that a customer orders. Returns the writes
 * that belong in the commit of the payment: they use the approval, or count an exempt small payment.
 * Returns none for the bank, and for customers to whom it does not apply. Throws APPROVAL_REQUIRED.
 */
export async function authenticatePayment(
  context: Context,
  order: OrderedPayment,
  { action, lines, isSeries = false }: ApprovedOrder,
): Promise<Write[]> {
  const { partyId } = context.caller
  if (partyId === null || !(await isUnderStrongAuthentication(context, [order.partyId]))) return []
  const [counter, isTrusted] = await Promise.all([
    readCounter(context, partyId),
    isTrustedPayee(context, partyId, payeeOf(order)),
  ])
  const exemption = exemptionOf(order, {
    callerPartyId: partyId,
    isTrusted,
    counter,
    isSeries,
  })
  if (exemption === 'low-value') {
    return [counterWrite(partyId, counter, afterLowValue(counter, order.amountMinor))]
  }
  if (exemption !== null) return []
  const request = { action, partyId, lines: approvalLinesOf(order, lines) }
  const approval = await requireApproval(context, request)
  return counter.count === 0 ? [approval] : [approval, counterWrite(partyId, counter, emptyCounter)]
}

/**
 * Rejects transfers that a customer posts to accounts of others: an approval belongs to a payment,
 * and a posting has no payee to approve. Throws APPROVAL_REQUIRED. Never applies to the bank.
 */
export async function requireOwnAccounts(
  context: Context,
  instructions: readonly Instruction[],
): Promise<void> {
  const { partyId } = context.caller
  if (partyId === null) return
  const accountIds = instructions.flatMap((each) =>
    each.type === 'transfer' ? [each.debtorId, each.creditorId] : [],
  )
  const subjects = accountIds.map((id) => `arrangement/${id}`)
  const accounts = (await readFacts(context, subjects)) as (AccountFact | null)[]
  // An unknown account is reported by the ledger.
  const owners = accounts.flatMap((account) => account?.partyId ?? [])
  if (owners.every((owner) => owner === partyId)) return
  if (!(await isUnderStrongAuthentication(context, owners))) return
  throw new Problem('APPROVAL_REQUIRED', {
    detail: 'Pay others with createTransfer, which the customer can approve.',
  })
}
