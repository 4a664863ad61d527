import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only the products area uses. */
const problems = declareProblems({
  SELF_SERVICE_SETTING_NOT_FOUND: problemKind(404, 'The self-service setting does not exist.'),
  CAMPAIGN_NOT_FOUND: problemKind(404, 'The campaign does not exist.'),
  OFFER_NOT_FOUND: problemKind(404, 'The product offer does not exist.'),
  REFERENCE_RATE_NOT_FOUND: problemKind(404, 'The reference rate does not exist.'),
  REFERENCE_RATE_FIXING_EXISTS: problemKind(
    409,
    'The fixing of the day is recorded with a different rate.',
  ),
  PRODUCT_VERSION_EXISTS: problemKind(
    409,
    'The product version already exists with different content.',
  ),
  OFFER_NOT_PERSONALISED: problemKind(422, 'The offer is for everyone and cannot be accepted.'),
  CAMPAIGN_NOT_APPLICABLE: problemKind(422, 'The campaign does not apply.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}
