import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { findArrangement } from '../store/arrangement.ts'

/** Checks that no account has an ID yet. Throws ARRANGEMENT_ALREADY_EXISTS. */
export async function requireNewId(context: Context, resourceId: string | null): Promise<void> {
  if (resourceId === null || !(await findArrangement(context, resourceId))) return
  throw new Problem('ARRANGEMENT_ALREADY_EXISTS', { resourceId })
}
