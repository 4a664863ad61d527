import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only the parties area uses. */
const problems = declareProblems({
  AGREEMENT_NOT_FOUND: problemKind(404, 'The agreement does not exist.'),
  CONTACT_POINT_NOT_FOUND: problemKind(404, 'The party does not have this contact point.'),
  ENTITLEMENT_NOT_FOUND: problemKind(404, 'The entitlement does not exist.'),
  ACCOUNT_HOLDER: problemKind(
    409,
    'The party is a joint holder of the account. Two employees remove a holder.',
  ),
  NOT_AN_ACCOUNT_HOLDER: problemKind(409, 'The entitlement is not that of a joint holder.'),
  RELATION_NOT_SETTLED: problemKind(
    409,
    'The customer or party still has open records, such as accounts or facilities.',
  ),
  SIGNED_AT_IN_FUTURE: problemKind(422, 'The time of the signature is in the future.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}
