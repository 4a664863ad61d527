import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { InterestPosition } from '../domain/position.ts'
import { accruePage, type PageRequest } from './accrue-page.ts'
import { enroll } from './enroll.ts'
import { lastEndedDay } from './read-inputs.ts'
import { requirePosition } from './require-position.ts'

/**
 * Accrues the interest of one account through the last day that has ended, without waiting for the
 * nightly job, and pays the interest of each period that has ended. Throws
 * NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND.
 */
export function accrueInterest(context: Context, arrangementId: string): Promise<InterestPosition> {
  return accrueAndPay(context, { arrangementIds: [arrangementId] })
}

/**
 * Accrues the interest of one account through the last day that has ended, and pays all of it.
 * Throws NOT_FOR_DELEGATED_USERS, INTEREST_NOT_FOUND.
 */
export function payOutInterest(context: Context, arrangementId: string): Promise<InterestPosition> {
  return accrueAndPay(context, { arrangementIds: [arrangementId], payNow: 'request' })
}

async function accrueAndPay(context: Context, request: PageRequest): Promise<InterestPosition> {
  requireBank(context)
  const [arrangementId] = request.arrangementIds
  // These commits are idempotent by themselves; only the last one stores the idempotency key.
  const own = { ...context, envelope: { ...context.envelope, idempotencyKey: undefined } }
  await enroll(own, arrangementId!)
  let position = await requirePosition(own, arrangementId!)
  while (position.accruedThrough < lastEndedDay(own)) {
    const [accrued] = await accruePage(own, { arrangementIds: request.arrangementIds })
    if (!accrued) break
    position = accrued
  }
  return (await accruePage(context, request))[0] ?? position
}
