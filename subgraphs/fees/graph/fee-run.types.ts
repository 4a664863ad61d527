import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import {
  feeRunStatuses,
  feeRunTypes,
  type FeeRunStatus,
  type FeeRunType,
} from '../domain/fee-run.ts'
import { feeOutcomes, type FeeOutcome } from '../domain/fee-run-item.ts'

const FeeRunStatusEnum = wireEnum(
  'FeeRunStatus',
  feeRunStatuses,
  'The lifecycle state of a fee run.',
  {
    scheduled: 'The run waits to be processed.',
    running: 'The run is being processed.',
    completed: 'All accounts were processed without errors.',
    'completed-with-errors':
      'All accounts were processed, and at least one charge or reversal was rejected.',
    failed: 'The run stopped before all accounts were processed. It can be resumed.',
    reversed: 'All charges of the run were reversed by another run. This state is final.',
  },
)
const FeeRunTypeEnum = wireEnum(
  'FeeRunType',
  feeRunTypes,
  'The reason why a fee run was started.',
  {
    periodic: 'The period of the fee ended.',
    event: 'The period of a fee that is charged per payment ended.',
    manual: 'A client requested the run.',
  },
)
export const FeeOutcomeEnum = wireEnum(
  'FeeOutcome',
  feeOutcomes,
  'The outcome of a fee run for one account. For a dry run, the outcome that a real run would ' +
    'have.',
  {
    charged: 'The fee was charged.',
    waived: 'The fee was waived.',
    skipped:
      'No fee applied, the fee had already been charged for the period, or the charge had ' +
      'already been reversed.',
    failed: 'The charge, or the reversal of a charge, was rejected.',
    reversed: 'The charge was reversed.',
  },
)

@ObjectType({ description: 'The number of accounts in a fee run, in total and by outcome.' })
export class FeeRunCounts {
  @Field(() => Int, { description: 'The number of accounts processed so far.' })
  selected: number

  @Field(() => Int, {
    description:
      'The number of accounts that were charged. In a reversal, the number of charges that were ' +
      'reversed.',
  })
  charged: number

  @Field(() => Int, { description: 'The number of accounts for which the fee was waived.' })
  waived: number

  @Field(() => Int, { description: 'The number of accounts that were skipped.' })
  skipped: number

  @Field(() => Int, {
    description:
      'The number of accounts that could not be charged. In a reversal, the number of charges ' +
      'that could not be reversed.',
  })
  failed: number
}

@ObjectType({
  description: 'An account that a fee run could not charge, or whose charge it could not reverse.',
})
export class FeeRunError {
  @Field(() => ID, { description: 'The ID of the account.' })
  arrangementId: string

  @Field(() => String, { description: 'The problem code of the rejected charge or reversal.' })
  code: string
}

@ObjectType({
  description:
    'A batch that charges a fee of a product to all its accounts for one period, or that ' +
    'reverses the charges of an earlier run.',
})
@Directive('@key(fields: "feeRunId")')
export class FeeRun {
  @Field(() => ID, { description: 'The ID of the fee run.' })
  feeRunId: string

  @Field(() => FeeRunTypeEnum, { description: 'The reason why the run was started.' })
  runType: FeeRunType

  @Field(() => LabelScalar, { description: 'The code of the fee in the product.' })
  feeCode: string

  @Field(() => ID, { description: 'The ID of the product whose accounts are charged.' })
  productId: string

  @Field(() => LocalDateScalar, { description: 'The first day of the fee period.' })
  periodStart: string

  @Field(() => LocalDateScalar, { description: 'The last day of the fee period.' })
  periodEnd: string

  @Field(() => LocalDateScalar, {
    description: 'The business date on which the run was requested.',
  })
  runDate: string

  @Field(() => DateTimeScalar, {
    description:
      'The time as of which balances and payments are counted, in UTC: the end of the period, or ' +
      'the time of the request if the period has not ended.',
  })
  asOf: Date

  @Field(() => FeeRunStatusEnum, { description: 'The current lifecycle state of the run.' })
  status: FeeRunStatus

  @Field(() => String, {
    description:
      'The ID of the client that requested the run, or `schedule` if the bank scheduled the run.',
  })
  triggeredBy: string

  @Field(() => [FeeRunError], {
    description:
      'The first 20 accounts with the outcome `FAILED`. `items` contains all accounts with this ' +
      'outcome.',
  })
  errors: FeeRunError[]

  @Field(() => String, {
    nullable: true,
    description: 'The problem code with which the run stopped; null unless the run failed.',
  })
  failureCode: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the run that this run reverses; null if this run is not a reversal.',
  })
  reversesRunId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the run that reverses or has reversed this run; null if there is none.',
  })
  reversedByRunId: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When processing started, in UTC; null while the run is scheduled.',
  })
  startedAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the last account was processed, in UTC; null until then.',
  })
  completedAt: Date | null

  @Field(() => DateTimeScalar, { description: 'When the run was requested, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the run last changed, in UTC.' })
  updatedAt: Date
}

export const FeeRunConnection = connectionOf('FeeRun', () => FeeRun)

@ObjectType({ description: 'The outcome of a fee run for one account.' })
export class FeeRunItem {
  @Field(() => ID, { description: 'The ID of the account.' })
  arrangementId: string

  @Field(() => FeeOutcomeEnum, { description: 'The outcome for the account.' })
  outcome: FeeOutcome

  @Field(() => String, {
    nullable: true,
    description:
      'The kind of waiver, the reason why the account was skipped, the problem code of the ' +
      'rejected charge, or the reason why a charged fee could not be collected immediately; null ' +
      'otherwise.',
  })
  reason: string | null

  @Field(() => LocalDateScalar, {
    description:
      'The first day of the period for which the account is charged. For an upfront fee, the ' +
      'first and the last day are the day on which the account was opened.',
  })
  periodStart: string

  @Field(() => LocalDateScalar, {
    description: 'The last day of the period for which the account is charged.',
  })
  periodEnd: string
}

export const FeeRunItemConnection = connectionOf('FeeRunItem', () => FeeRunItem)

@InputType({ description: 'The fee run to start.' })
export class StartFeeRunInput {
  @Field(() => LabelScalar, { description: 'The code of the fee in the product.' })
  feeCode: string

  @Field(() => ID, { description: 'The ID of the product whose accounts are charged.' })
  productId: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The first day of the fee period, not in the future. Defaults to the start of the current ' +
      'period.',
  })
  periodStart?: string | null

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to compute the fees without charging them. Defaults to false.',
  })
  dryRun: boolean
}
