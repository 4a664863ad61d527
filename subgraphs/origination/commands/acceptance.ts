import type { LoanApplication } from '../model/application.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  isUnderStrongAuthentication,
  requireApproval,
} from '../../../kernel/authorization/approvals.ts'
import { requireAlive } from '../../../kernel/lifecycle/deceased.ts'
import { accept, approvalLinesOf, type AcceptanceRequest } from '../domain/acceptance.ts'
import { changeDecision, requireApplication } from './change.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { namedProduct } from '../store/published.ts'

/**
 * Accepts the approved terms on behalf of the applicant. A worker then sets up the loan.
 * Throws APPLICATION_NOT_FOUND, PARTY_DECEASED, PRODUCT_NOT_FOUND, whatever `accept` throws, and
 * APPROVAL_REQUIRED if the customer must approve the terms.
 */
export function acceptTerms(
  context: Context,
  input: AcceptanceRequest & { applicationId: string },
): Promise<LoanApplication> {
  return command(context, 'acceptLoanTerms', input, async () => {
    const before = await requireApplication(context, input.applicationId)
    await requireAlive(context, before.partyId, '/applicationId')
    const now = context.now()
    const { productId, productVersion } = before.approvedTerms ?? before
    const product = productId && (await namedProduct(context, productId, productVersion))
    const stamp = { recordedBy: context.caller.subject, now }
    const application = accept(before, input, product || null, stamp)
    const events = ['lending.loan-application.accepted'] as const
    const writes = await approvalOf(context, before)
    return changeDecision(before, { application, events, result: (after) => after, writes }, now)
  })
}

/** Returns the write that uses the customer's approval of the terms, if one is required. */
async function approvalOf(context: Context, application: LoanApplication): Promise<Write[]> {
  const { partyId } = context.caller
  if (partyId === null) return []
  if (!(await isUnderStrongAuthentication(context, [application.partyId]))) return []
  const lines = approvalLinesOf(application)
  return [await requireApproval(context, { action: 'Loan', partyId, lines })]
}
