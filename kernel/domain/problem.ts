import { generalProblems } from './general-problems.ts'
import type { ProblemKind } from './problem-kind.ts'
import type { ProblemMembers } from './problem-members.ts'

/**
 * The error catalog. A thrown `Problem` reaches REST (RFC 9457) and the graph
 * (`errors[].extensions`) with the same members. Any other thrown error is converted to a
 * `Problem`; a defect is masked as `INTERNAL`.
 */

/** The kind of each problem code. Every area adds its own codes in `domain/problems.ts`. */
export interface ProblemKinds extends Record<keyof typeof generalProblems, ProblemKind> {}
export type ProblemCode = keyof ProblemKinds

const kinds: Record<string, ProblemKind> = { ...generalProblems }

/** The catalog of problem codes: the general codes, then the codes of each loaded area. */
export const catalog: Readonly<ProblemKinds> = kinds as unknown as ProblemKinds

/** Adds the problem codes of an area to the catalog. Throws if a code is already in the catalog. */
export function declareProblems<Declared extends Record<string, ProblemKind>>(
  declared: Declared,
): Declared {
  for (const [code, problemKind] of Object.entries(declared)) {
    if (Object.hasOwn(kinds, code)) throw new Error(`The problem code ${code} is declared twice.`)
    kinds[code] = problemKind
  }
  return declared
}

/**
 * Returns all problem codes: the general ones in the order of the checks, then those of the areas
 * in alphabetical order, which does not depend on the order in which areas are loaded.
 */
export function problemCodes(): ProblemCode[] {
  const general = Object.keys(generalProblems)
  const areaCodes = Object.keys(catalog).filter((code) => !Object.hasOwn(generalProblems, code))
  return [...general, ...areaCodes.sort()] as ProblemCode[]
}

/** An error that is returned to the caller, with a code from the catalog. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly members: ProblemMembers

  constructor(code: ProblemCode, members: ProblemMembers = {}, options?: ErrorOptions) {
    super(members.detail ?? catalog[code].title, options)
    this.name = 'Problem'
    this.code = code
    this.members = members
  }

  get status(): number {
    return this.members.status ?? catalog[this.code].status
  }
}

/** Whether a retry of the same request may succeed. */
export function isRetryable(code: ProblemCode): boolean {
  return 'retryable' in catalog[code]
}

/** Whether the error is a final rejection: a retry of the same request would be rejected again. */
export function isFinal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500 && !isRetryable(error.code)
}

export type NotFoundCode = Extract<ProblemCode, `${string}_NOT_FOUND`>

/**
 * Returns the problem for an input that references a record that does not exist or is not visible
 * to the caller. It has status 422, and `pointer` locates the reference.
 */
export function missingReference(code: NotFoundCode, resourceId: string, pointer: string): Problem {
  const { title } = catalog[code]
  return new Problem(code, {
    status: 422,
    resourceId,
    errors: [{ pointer, code, detail: title }],
  })
}

/**
 * Returns the last segment of the path at which a code is documented. For `ARRANGEMENT_NOT_FOUND`
 * the path is `/problems/arrangement-not-found`.
 */
export function problemSlug(code: ProblemCode): string {
  return code.toLowerCase().replaceAll('_', '-')
}
