import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'

/** A place in a request and what is wrong there. */
export function fault(pointer: string, code: string, detail: string): Fault {
  return { pointer, code, detail }
}

/** The refusal of what cannot be computed: VALIDATION_FAILED with every fault that was found. */
export function invalid(...errors: Fault[]): Problem {
  return new Problem('VALIDATION_FAILED', { detail: errors[0]!.detail, errors })
}
