import type { Context } from '../../../kernel/environment/context.ts'
import type { InterestPosition } from '../domain/position.ts'
import { Problem } from '../domain/problems.ts'
import { findPosition } from '../store/position.ts'

/** Returns the position of an account that earns interest. Throws INTEREST_NOT_FOUND. */
export async function requirePosition(
  context: Context,
  arrangementId: string,
): Promise<InterestPosition> {
  const position = await findPosition(context, arrangementId)
  if (position?.isBearing && !position.isEnded) return position
  throw new Problem('INTEREST_NOT_FOUND', { resourceId: arrangementId })
}
