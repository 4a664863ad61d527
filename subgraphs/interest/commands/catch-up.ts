import type { Context } from '../../../kernel/environment/context.ts'
import type { InterestPosition } from '../domain/position.ts'
import { accruePage } from './accrue-page.ts'
import type { Book } from './book.ts'
import { enroll } from './enroll.ts'
import { lastEndedDay } from './read-inputs.ts'
import { requirePosition } from './require-position.ts'

/**
 * Returns a context whose commits do not store the idempotency key of the request, for commits that
 * are idempotent by themselves and precede the one that stores it.
 */
export function withoutKey(context: Context): Context {
  return { ...context, envelope: { ...context.envelope, idempotencyKey: undefined } }
}

/**
 * Accrues the interest of an account in a book through the last day that has ended, in as many
 * commits as it takes, and returns its position. Throws INTEREST_NOT_FOUND.
 */
export async function catchUp(
  context: Context,
  book: Book,
  arrangementId: string,
): Promise<InterestPosition> {
  await enroll(context, arrangementId)
  let position = await requirePosition(context, book, arrangementId)
  while (position.accruedThrough < lastEndedDay(context)) {
    const [accrued] = await accruePage(context, book, { arrangementIds: [arrangementId] })
    if (!accrued) break
    position = accrued
  }
  return position
}
