import { FeeRunType, FeeRunStatus, FeeOutcome } from './enumerations.ts'
import {
  boolean,
  date,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  object,
  oneOf,
  shape,
  stored,
  storedFields,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { RunFrequency } from '../domain/fee-period.ts'
import type { Money } from '../../../kernel/domain/money.ts'

export const FeeRunCounts = shape(
  'FeeRunCounts',
  'The number of accounts in a fee run, in total and by outcome.',
  {
    selected: integer('The number of accounts processed so far.'),
    charged: integer(
      'The number of accounts that were charged. In a reversal, the number of charges that were ' +
        'reversed.',
    ),
    waived: integer('The number of accounts for which the fee was waived.'),
    skipped: integer('The number of accounts that were skipped.'),
    failed: integer(
      'The number of accounts that could not be charged. In a reversal, the number of charges ' +
        'that could not be reversed.',
    ),
  },
)
export type FeeRunCounts = TypeOf<typeof FeeRunCounts>

export const FeeRunError = shape(
  'FeeRunError',
  'An account that a fee run could not charge, or whose charge it could not reverse.',
  {
    arrangementId: id('The ID of the account.'),
    code: string('The problem code of the rejected charge or reversal.'),
  },
)
export type FeeRunError = TypeOf<typeof FeeRunError>

export const FeeRun = entity(
  'FeeRun',
  'feeRunId',
  'A batch that charges a fee of a product to all its accounts for one period, or that ' +
    'reverses the charges of an earlier run.',
  {
    feeRunId: id('The ID of the fee run.'),
    runType: oneOf(FeeRunType, 'The reason why the run was started.'),
    feeCode: label('The code of the fee in the product.'),
    productId: id('The ID of the product whose accounts are charged.'),
    periodStart: date('The first day of the fee period.'),
    periodEnd: date('The last day of the fee period.'),
    runDate: date('The business date on which the run was requested.'),
    asOf: instant(
      'The time as of which balances and payments are counted, in UTC: the end of the period, or ' +
        'the time of the request if the period has not ended.',
    ),
    status: oneOf(FeeRunStatus, 'The current lifecycle state of the run.'),
    triggeredBy: string(
      'Who requested the run: a person of the bank or an OAuth client; `schedule` if the bank ' +
        'scheduled the run.',
    ),
    errors: list(
      object(FeeRunError),
      'The first 20 accounts with the outcome `FAILED`. `items` contains all accounts with this ' +
        'outcome.',
    ),
    failureCode: string(
      'The problem code with which the run stopped; null unless the run failed.',
    ).orNull(),
    reversesRunId: id(
      'The ID of the run that this run reverses; null if this run is not a reversal.',
    ).orNull(),
    reversedByRunId: id(
      'The ID of the run that reverses or has reversed this run; null if there is none.',
    ).orNull(),
    startedAt: instant(
      'When processing started, in UTC; null while the run is scheduled.',
    ).orNull(),
    completedAt: instant('When the last account was processed, in UTC; null until then.').orNull(),
    createdAt: instant('When the run was requested, in UTC.'),
    updatedAt: instant('When the run last changed, in UTC.'),
    isDryRun: boolean('Whether the run computes the fees without charging them.').named('dryRun'),
    frequency: stored<RunFrequency>(),
    ...storedFields(FeeRunCounts),
    /** The total amounts charged, one per currency. Negative amounts are refunds by a reversal. */
    totals: stored<Money[]>(),
    /** The cursor from which a failed run resumes; null if it resumes from the first page. */
    checkpoint: stored<string | null>(),
    version: stored<number>(),
  },
)
export type FeeRun = TypeOf<typeof FeeRun>

export const FeeRunItem = shape('FeeRunItem', 'The outcome of a fee run for one account.', {
  arrangementId: id('The ID of the account.'),
  outcome: oneOf(FeeOutcome, 'The outcome for the account.'),
  reason: string(
    'The kind of waiver, the reason why the account was skipped, the problem code of the ' +
      'rejected charge, or the reason why a charged fee could not be collected immediately; null ' +
      'otherwise.',
  ).orNull(),
  periodStart: date(
    'The first day of the period for which the account is charged. For an upfront fee, the ' +
      'first and the last day are the day on which the account was opened.',
  ),
  periodEnd: date('The last day of the period for which the account is charged.'),
  feeRunId: stored<string>(),
  partyId: stored<string>(),
  feeCode: stored<string>(),
  /** The number of the attempt for the account and the period, starting at 1. */
  attempt: stored<number>(),
  /** The amount of the fee, in minor units; null if a run that charges fees skipped the account. */
  amountMinor: stored<bigint | null>(),
  currency: stored<string>(),
  postingInstructionId: stored<string | null>(),
  reversedByPostingId: stored<string | null>(),
  isDryRun: stored<boolean>(),
  createdAt: stored<Date>(),
  /** The ID of the receivable of a charged fee; null if the fee was collected immediately. */
  feeReceivableId: stored<string | null>(),
})
export type FeeRunItem = TypeOf<typeof FeeRunItem>

export const StartFeeRunInput = input('StartFeeRunInput', 'The fee run to start.', {
  feeCode: label('The code of the fee in the product.'),
  productId: id('The ID of the product whose accounts are charged.'),
  periodStart: date(
    'The first day of the fee period, not in the future. Defaults to the start of the current ' +
      'period.',
  ).orNull(),
  dryRun: boolean(
    'Whether to compute the fees without charging them. Defaults to false.',
  ).defaultsTo(false),
})
export type StartFeeRunInput = TypeOf<typeof StartFeeRunInput>
