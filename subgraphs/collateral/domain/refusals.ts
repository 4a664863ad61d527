import { Problem } from '../../_kernel/domain/problem.ts'

/** VALIDATION_FAILED for one member of the request. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
