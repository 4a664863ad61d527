import { declareProblems } from '../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../kernel/domain/problem-kind.ts'

export { Problem } from '../../kernel/domain/problem.ts'

/** The problem codes that only the ledger raises. */
const problems = declareProblems({
  CORRECTION_NOT_FOUND: problemKind(404, 'The balance correction does not exist.'),
  ALREADY_REVERSED: problemKind(409, 'The posting was already reversed.'),
  AUTHORISATION_ALREADY_CLOSED: problemKind(
    409,
    'The authorization is already fully settled or released.',
  ),
  AUTHORISATION_EXPIRED: problemKind(409, 'The authorization has expired.'),
  CLIENT_BATCH_ID_REUSED: problemKind(
    409,
    'The client batch ID is already in use by another batch.',
  ),
  CLIENT_TRANSACTION_ID_REUSED: problemKind(
    409,
    'The client transaction ID is already in use by another authorization.',
  ),
  ACCOUNT_SUSPENDED: problemKind(
    422,
    'Postings to the account are suspended until its balance has been corrected.',
  ),
  ARRANGEMENT_BLOCKED: problemKind(422, 'The account is blocked for this kind of posting.'),
  ARRANGEMENT_CLOSED: problemKind(422, 'The account is closed.'),
  AUTHORISATION_NOT_FOUND: problemKind(422, 'No authorization has this client transaction ID.'),
  POSTING_NOT_REVERSIBLE: problemKind(422, 'The posting cannot be reversed.'),
  SAME_ACCOUNT: problemKind(422, 'The debtor and creditor accounts are the same.'),
  SETTLEMENT_EXCEEDS_AUTHORISATION: problemKind(
    422,
    'The settlement exceeds the authorized amount.',
  ),
  UNBALANCED_ENTRIES: problemKind(422, 'The debits and credits are not equal.'),
})

declare module '../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}
