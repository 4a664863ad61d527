import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { InterestPosition } from '../domain/position.ts'
import { accruePage, type PageRequest } from './accrue-page.ts'
import { deposits, overdrafts, type Book } from './book.ts'
import { catchUp, withoutKey } from './catch-up.ts'

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
 * waiting for the nightly job, and charges the interest of each period that has ended. Throws
 * NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND.
 */
export function accrueOverdraftInterest(
  context: Context,
  arrangementId: string,
): Promise<InterestPosition> {
  return accrueAndPay(context, overdrafts, { arrangementIds: [arrangementId] })
}

/**
 * Accrues the interest of the overdraft of one account through the last day that has ended, and
 * charges all of it. Throws NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND.
 */
export function chargeOverdraftInterest(
  context: Context,
  arrangementId: string,
): Promise<InterestPosition> {
  return accrueAndPay(context, overdrafts, { arrangementIds: [arrangementId], payNow: 'request' })
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
