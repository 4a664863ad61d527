import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'

/** Returns the record, or throws the given NOT_FOUND code. */
export function requireFound<Record>(
  found: Record | null,
  code: ProblemCode,
  resourceId: string,
): Record {
  if (found) return found
  throw new Problem(code, { resourceId })
}
