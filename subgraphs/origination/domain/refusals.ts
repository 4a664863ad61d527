import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import type { ProblemMembers } from '../../../kernel/domain/problem-members.ts'

/** Creates a problem that is caused by one field of the request, located by a JSON pointer. */
export function fieldProblem(
  code: ProblemCode,
  pointer: string,
  detail: string,
  members: ProblemMembers = {},
): Problem {
  return new Problem(code, { detail, ...members, errors: [{ pointer, code, detail }] })
}

/** Creates a VALIDATION_FAILED problem that is caused by one field of the request. */
export function validationProblem(pointer: string, detail: string): Problem {
  return fieldProblem('VALIDATION_FAILED', pointer, detail)
}
