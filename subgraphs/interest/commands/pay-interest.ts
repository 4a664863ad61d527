import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { InterestPosition } from '../domain/position.ts'
import { accruePage, type PageRequest } from './accrue-page.ts'
import { deposits, overdrafts, type Book } from './book.ts'
import { catchUp, withoutKey } from './catch-up.ts'
import { commitmentFees } from './commitment-fees.ts'
import { loadVisiblePosition } from './load-inputs.ts'

/**
 * Accrues the interest of one account through the last day that has ended, without waiting for the
 * nightly job, and pays the interest of each period that has ended. Throws
 * NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND.
 */
export function accrueInterest(context: Context, arrangementId: string): Promise<InterestPosition> {
  return accrueAndPay(context, deposits, { arrangementIds: [arrangementId] })
}

/**
 * Accrues the interest of one account through the last day that has ended, and pays all of it.
 * Throws NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND.
 */
export function payOutInterest(context: Context, arrangementId: string): Promise<InterestPosition> {
  return accrueAndPay(context, deposits, { arrangementIds: [arrangementId], payNow: 'request' })
}

/**
 * Accrues the interest of the overdraft of one account through the last day that has ended, without
 * waiting for the nightly job, and charges the interest of each period that has ended. The commitment
 * fee comes first. Throws
 * NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND.
 */
export function accrueOverdraftInterest(
  context: Context,
  arrangementId: string,
): Promise<InterestPosition> {
  return accrueOverdraft(context, { arrangementIds: [arrangementId] })
}

/**
 * Accrues the interest of the overdraft of one account through the last day that has ended, and
 * charges all of it, with the commitment fee. Throws NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND.
 */
export function chargeOverdraftInterest(
  context: Context,
  arrangementId: string,
): Promise<InterestPosition> {
  return accrueOverdraft(context, { arrangementIds: [arrangementId], payNow: 'request' })
}

/** Accrues the commitment fee of an account, if it has one, and then the interest of its overdraft. */
async function accrueOverdraft(context: Context, request: PageRequest): Promise<InterestPosition> {
  requireBank(context)
  const arrangementId = request.arrangementIds[0]!
  const found = await loadVisiblePosition(context, commitmentFees, arrangementId)
  if (found?.isBearing && !found.isEnded) {
    const unkeyed = withoutKey(context)
    await catchUp(unkeyed, commitmentFees, arrangementId)
    await accruePage(unkeyed, commitmentFees, request)
  }
  return accrueAndPay(context, overdrafts, request)
}

async function accrueAndPay(
  context: Context,
  book: Book,
  request: PageRequest,
): Promise<InterestPosition> {
  requireBank(context)
  const position = await catchUp(withoutKey(context), book, request.arrangementIds[0]!)
  return (await accruePage(context, book, request))[0] ?? position
}
