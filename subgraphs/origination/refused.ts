import { Problem } from '../_kernel/domain/problem.ts'
import { isRetryable } from '../_kernel/graph/errors.ts'

/** Whether a refusal would be the same again. */
export function isFinal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500 && !isRetryable(error.code)
}
