import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../ledger/domain/problems.ts'

/** The problem codes that only the general ledger raises. */
const problems = declareProblems({
  GENERAL_LEDGER_ACCOUNT_NOT_FOUND: problemKind(
    404,
    'The chart of accounts does not have the account.',
  ),
  MAPPING_RULE_NOT_FOUND: problemKind(404, 'The mapping rule does not exist.'),
  JOURNAL_ENTRY_NOT_FOUND: problemKind(404, 'The journal entry does not exist.'),
  INVALID_PARENT_ACCOUNT: problemKind(
    422,
    'The account above must be a header account of the same type.',
  ),
  ACCOUNT_IN_USE: problemKind(409, 'Ledger accounts belong to the account.'),
  ACCOUNT_NOT_POSTABLE: problemKind(422, 'The account does not accept the journal entry.'),
  LEDGER_CODE_UNKNOWN: problemKind(422, 'The ledger has no accounts with this code.'),
  ACCOUNT_TYPE_MISMATCH: problemKind(422, 'The account has another type than the ledger accounts.'),
  PERIOD_CLOSED: problemKind(409, 'The accounting period is closed.'),
  PERIOD_NOT_ENDED: problemKind(409, 'The accounting period has not ended.'),
  EARLIER_PERIOD_NOT_CLOSED: problemKind(409, 'An earlier accounting period is not closed.'),
  LATER_PERIOD_CLOSED: problemKind(409, 'A later accounting period is closed.'),
  CLOSING_RATE_MISSING: problemKind(409, 'There is no recent exchange rate for the day.'),
  FUNCTIONAL_CURRENCY_CHANGED: problemKind(
    409,
    'The functional currency differs from that of earlier revaluations.',
  ),
  JOURNAL_FILE_NOT_FOUND: problemKind(404, 'The link to the journal file is not valid.'),
  JOURNAL_FILE_EXPIRED: problemKind(410, 'The link has expired; request a new one.'),
  REOPENING_NOT_PROPOSED: problemKind(409, 'Nobody proposed to reopen the accounting period.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}
