import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import type { ProblemMembers } from '../../_kernel/domain/problem-members.ts'

/** A problem with one field of the request. */
export function refuse(
  code: ProblemCode,
  pointer: string,
  detail: string,
  members: ProblemMembers = {},
): Problem {
  return new Problem(code, { detail, ...members, errors: [{ pointer, code, detail }] })
}

/** A VALIDATION_FAILED problem with one field of the request. */
export function invalid(pointer: string, detail: string): Problem {
  return refuse('VALIDATION_FAILED', pointer, detail)
}
