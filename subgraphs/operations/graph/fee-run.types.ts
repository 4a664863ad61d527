import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import {
  feeRunStatuses,
  feeRunTypes,
  type FeeRunStatus,
  type FeeRunType,
} from '../domain/fee-run.ts'
import { feeOutcomes, type FeeOutcome } from '../domain/fee-run-item.ts'

const FeeRunStatusEnum = wireEnum('FeeRunStatus', feeRunStatuses, 'Where a fee run stands.')
const FeeRunTypeEnum = wireEnum(
  'FeeRunType',
  feeRunTypes,
  'Why a fee run was made: its period was over, there were payments in it, or somebody asked.',
)
export const FeeOutcomeEnum = wireEnum(
  'FeeOutcome',
  feeOutcomes,
  'What became of the fee of one account; in a dry run, what would become of it.',
)

@ObjectType({ description: 'How many accounts a run looked at, and what became of them.' })
export class FeeRunCounts {
  @Field(() => Int)
  selected: number

  @Field(() => Int)
  charged: number

  @Field(() => Int)
  waived: number

  @Field(() => Int)
  skipped: number

  @Field(() => Int)
  failed: number
}

@ObjectType({ description: 'An account that could not be charged, and the code of the refusal.' })
export class FeeRunError {
  @Field(() => ID)
  arrangementId: string

  @Field(() => String)
  code: string
}

@ObjectType({
  description:
    'A fee, charged for one period to the accounts of a product; or the taking back of such a run.',
})
@Directive('@key(fields: "feeRunId")')
export class FeeRun {
  @Field(() => ID)
  feeRunId: string

  @Field(() => FeeRunTypeEnum)
  runType: FeeRunType

  @Field(() => LabelScalar)
  feeCode: string

  @Field(() => ID)
  productId: string

  @Field(() => LocalDateScalar)
  periodStart: string

  @Field(() => LocalDateScalar, { description: 'The last day, included.' })
  periodEnd: string

  @Field(() => LocalDateScalar, { description: 'The day of business it was asked for on.' })
  runDate: string

  @Field(() => DateTimeScalar, {
    description:
      'Balances count as they were then: at the end of the period, or when it was asked for.',
  })
  asOf: Date

  @Field(() => FeeRunStatusEnum)
  status: FeeRunStatus

  @Field(() => String, { description: 'The client that asked for it, or `schedule`.' })
  triggeredBy: string

  @Field(() => [FeeRunError], { description: 'The first 20; `items` has all of them.' })
  errors: FeeRunError[]

  @Field(() => String, { nullable: true, description: 'Why it stopped.' })
  failureCode: string | null

  @Field(() => ID, { nullable: true, description: 'The run that this one takes back.' })
  reversesRunId: string | null

  @Field(() => ID, { nullable: true, description: 'The run that takes or took it back.' })
  reversedByRunId: string | null

  @Field(() => DateTimeScalar, { nullable: true })
  startedAt: Date | null

  @Field(() => DateTimeScalar, { nullable: true })
  completedAt: Date | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const FeeRunConnection = connectionOf('FeeRun', () => FeeRun)

@ObjectType({ description: 'What became of one account in a run.' })
export class FeeRunItem {
  @Field(() => ID)
  arrangementId: string

  @Field(() => FeeOutcomeEnum)
  outcome: FeeOutcome

  @Field(() => String, {
    nullable: true,
    description:
      'The kind of waiver, why it was skipped, the code it failed with, or why a charged fee could not be collected at once.',
  })
  reason: string | null

  @Field(() => LocalDateScalar)
  periodStart: string

  @Field(() => LocalDateScalar)
  periodEnd: string
}

export const FeeRunItemConnection = connectionOf('FeeRunItem', () => FeeRunItem)

@InputType({ description: 'A fee to charge.' })
export class StartFeeRunInput {
  @Field(() => LabelScalar)
  feeCode: string

  @Field(() => ID)
  productId: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The first day of the period; the period that is going on when absent.',
  })
  periodStart?: string | null

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Computes, and charges nothing.',
  })
  dryRun: boolean
}
