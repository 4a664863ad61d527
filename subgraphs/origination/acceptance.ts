import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { requireAlive } from '../_kernel/deceased.ts'
import { accepted, type AcceptanceAsked } from './domain/acceptance.ts'
import type { LoanApplication } from './domain/application.ts'
import { committed, requireApplication } from './change.ts'
import { namedProduct } from './published.ts'

/**
 * Accepts the approved terms on behalf of the applicant. A worker then sets up the loan.
 * Rejects with APPLICATION_NOT_FOUND, and as `accepted`.
 */
export function acceptTerms(
  context: Context,
  input: AcceptanceAsked & { applicationId: string },
): Promise<LoanApplication> {
  return command(context, 'acceptLoanTerms', input, async () => {
    const before = await requireApplication(context, input.applicationId)
    await requireAlive(context, before.partyId, '/applicationId')
    const now = context.now()
    const { productId, productVersion } = before.approvedTerms ?? before
    const product = productId && (await namedProduct(context, productId, productVersion))
    const made = { recordedBy: context.caller.subject, now }
    const application = accepted(before, input, product || null, made)
    const events = ['lending.loan-application.accepted'] as const
    return committed(before, { application, events, result: (after) => after }, now)
  })
}
