import { Problem } from '../../_kernel/domain/problem.ts'

/** A refusal of one member of the request. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
