import { Problem } from './problems.ts'

/** Returns the problem VALIDATION_FAILED with one error, for the property at `pointer`. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
