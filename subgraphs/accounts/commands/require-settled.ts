import type { Context } from '../../../kernel/environment/context.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { openReferences } from '../../../kernel/lifecycle/open-references.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { Problem } from '../domain/problems.ts'
import type { Arrangement } from '../model/arrangement.ts'
import { InterestDueOnClosureDocument } from '../queries.generated.ts'

/** Checks that the account owes no fees. Throws FEES_OUTSTANDING with the IDs of the fees. */
export async function requireFeesSettled(
  context: Context,
  { arrangementId }: Arrangement,
): Promise<void> {
  const fault = { pointer: '/arrangementId', code: 'FEE_RECEIVABLE_OPEN' }
  const reference = 'chargedArrangementId'
  const errors = await openReferences(context, 'fee-receivable', reference, arrangementId, fault)
  if (errors.length === 0) return
  const fees = errors.map((each) => each.resourceId).join(', ')
  const detail = `${arrangementId} owes fees (${fees}). Collect or waive them.`
  throw new Problem('FEES_OUTSTANDING', { detail, resourceId: arrangementId, errors })
}

/**
 * Checks that the interest of the account is paid, and that of its overdraft charged, with the
 * commitment fee, through yesterday. Accounts under a product that has neither are not checked. Throws INTEREST_OUTSTANDING
 * with the amount.
 */
export async function requireInterestPaid(
  context: Context,
  { arrangementId, productId }: Arrangement,
): Promise<void> {
  const [product] = await readFacts(context, [`product/${productId}`])
  const versions = (product?.['versions'] ?? []) as {
    depositInterest?: object
    overdraft?: object
  }[]
  if (!versions.some(({ depositInterest, overdraft }) => depositInterest || overdraft)) return
  const found = await context.bank.queryGraph(InterestDueOnClosureDocument, { arrangementId })
  const { interest, overdraftInterest, commitmentFee } = found.accountArrangement ?? {}
  requireNothingDue(arrangementId, interest?.dueOnClosure, 'payOutInterest')
  requireNothingDue(arrangementId, overdraftInterest?.dueOnClosure, 'chargeOverdraftInterest')
  requireNothingDue(arrangementId, commitmentFee?.dueOnClosure, 'chargeOverdraftInterest')
}

function requireNothingDue(
  arrangementId: string,
  due: { amount: string; currency: string } | undefined,
  mutation: string,
): void {
  if (!due || parseAmount(due.amount, due.currency) === 0n) return
  const { amount, currency } = due
  const detail = `${arrangementId} has accrued ${amount} ${currency} of interest or commitment fees. Call ${mutation} first.`
  throw new Problem('INTEREST_OUTSTANDING', { detail, resourceId: arrangementId })
}
