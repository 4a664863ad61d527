import { declareProblems, type ProblemCode } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'
import { Problem } from '../../../ledger/domain/problems.ts'

export { Problem }

/** The problem codes that only provisioning raises. */
const problems = declareProblems({
  PROVISIONING_TABLE_NOT_FOUND: problemKind(404, 'The provisioning table does not exist.'),
  PROVISIONING_TABLE_INVALID: problemKind(422, 'The provisioning table is not valid.'),
  PROVISIONING_TABLE_MISSING: problemKind(422, 'No approved provisioning table is in effect.'),
  PROVISIONING_RUN_NOT_FOUND: problemKind(404, 'The provisioning run does not exist.'),
  STAGE_OVERRIDE_NOT_FOUND: problemKind(404, 'The stage override does not exist.'),
  FACILITY_WITHOUT_EXPOSURE: problemKind(422, 'The facility has no exposure.'),
  MONTH_END_INVALID: problemKind(422, 'The day is not the end of a month that has ended.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

/** Creates the problem of one member of an input. */
export function inputProblem(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
