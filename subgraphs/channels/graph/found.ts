import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'

/** The record, when there is one. Refuses with its NOT_FOUND. */
export function requireFound<Record>(
  found: Record | null,
  code: ProblemCode,
  resourceId: string,
): Record {
  if (found) return found
  throw new Problem(code, { resourceId })
}
