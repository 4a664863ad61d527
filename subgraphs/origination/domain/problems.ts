import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only the origination area uses. */
const problems = declareProblems({
  CONDITION_NOT_FOUND: problemKind(404, 'The approval does not have this condition.'),
  DECISION_NOT_FOUND: problemKind(404, 'The application does not have this decision.'),
  ALREADY_ACCEPTED: problemKind(409, 'The terms were already accepted.'),
  APPLICATION_ALREADY_DECIDED: problemKind(409, 'The application was already decided.'),
  APPLICATION_ALREADY_SUBMITTED: problemKind(409, 'The application was already submitted.'),
  APPLICATION_NOT_SUBMITTED: problemKind(409, 'The application has not been submitted.'),
  CONDITIONS_NOT_MET: problemKind(409, 'The conditions of the approval are not met.'),
  NO_COUNTER_OFFER: problemKind(409, 'There is no counter-offer to respond to.'),
  OFFER_EXPIRED: problemKind(409, 'The offer has expired.'),
  OPEN_REQUEST_EXISTS: problemKind(
    409,
    'The customer has reached the maximum number of open applications.',
  ),
  ACCEPTED_AT_IN_FUTURE: problemKind(422, 'The time of acceptance is in the future.'),
  ACCEPTED_BEFORE_APPROVAL: problemKind(422, 'The time of acceptance is before the approval.'),
  APPLICATION_INCOMPLETE: problemKind(
    422,
    'The application lacks information that a decision requires.',
  ),
  DECIDED_AT_IN_FUTURE: problemKind(422, 'The time of the decision is in the future.'),
  INVALID_OUTCOME: problemKind(422, 'A decision cannot have this outcome.'),
  OUTCOME_REQUIRED: problemKind(422, 'A decision requires an outcome.'),
  POLICY_VERSION_REQUIRED: problemKind(422, 'An automated decision requires a policy version.'),
  SIGNATURE_REQUIRED: problemKind(422, 'The product requires a signature.'),
  SUBMITTED_AT_IN_FUTURE: problemKind(422, 'The time of submission is in the future.'),
  TERMS_OUT_OF_POLICY: problemKind(422, 'The terms are outside the range of the product.'),
  AI_CANNOT_DECIDE: problemKind(403, 'Credit decisions are made by people, not by AI assistants.'),
  LIMIT_OF_AUTHORITY_EXCEEDED: problemKind(
    403,
    'The amount exceeds the credit authority of the person who made the decision.',
  ),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}
