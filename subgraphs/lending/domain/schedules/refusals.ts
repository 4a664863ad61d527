import { type ProblemCode } from '../../../../kernel/domain/problem.ts'
import { Problem } from '../problems.ts'
import type { ValidationError, ProblemMembers } from '../../../../kernel/domain/problem-members.ts'

/** Creates a validation error with a pointer into the request. */
export function validationError(pointer: string, code: string, detail: string): ValidationError {
  return { pointer, code, detail }
}

/** Creates a VALIDATION_FAILED problem with the errors and the detail of the first one. */
export function validationFailed(...errors: ValidationError[]): Problem {
  return new Problem('VALIDATION_FAILED', { detail: errors[0]!.detail, errors })
}

/** Creates a problem about one value of the request. */
export function inputProblem(
  code: ProblemCode,
  pointer: string,
  detail: string,
  members: ProblemMembers = {},
): Problem {
  return new Problem(code, { detail, ...members, errors: [{ pointer, code, detail }] })
}

/** Checks that an amount is greater than zero. Throws INVALID_AMOUNT. */
export function requirePositive(amountMinor: bigint): void {
  if (amountMinor > 0n) return
  throw inputProblem('INVALID_AMOUNT', '/amount', 'The amount must be greater than zero.')
}
