import type { Context } from '../../../kernel/environment/context.ts'
import type { InterestPosition } from '../domain/position.ts'
import { Problem } from '../domain/problems.ts'
import type { Book } from './book.ts'

/** Returns the position of an account that has interest in a book. Throws INTEREST_NOT_FOUND. */
export async function requirePosition(
  context: Context,
  { positions }: Book,
  arrangementId: string,
): Promise<InterestPosition> {
  const position = await positions.findOne(context, arrangementId)
  if (position?.isBearing && !position.isEnded) return position
  throw new Problem('INTEREST_NOT_FOUND', { resourceId: arrangementId })
}
