import { Problem } from '../_kernel/domain/problem.ts'
import { isRetryable } from '../_kernel/graph/errors.ts'

/** Whether a retry of the rejected request would be rejected again. */
export function isFinal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500 && !isRetryable(error.code)
}
