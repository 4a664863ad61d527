import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../../kernel/graph/money.types.ts'
import { DateTimeScalar, LocalDateScalar, TextScalar } from '../../../../kernel/graph/scalars.ts'
import {
  hardshipReasons,
  hardshipStatuses,
  hardshipTypes,
  type HardshipReason,
  type HardshipStatus,
  type HardshipType,
} from '../../domain/relief/hardship-request.ts'
import { hardshipActions } from '../../commands/relief/hardship-request.ts'
import { ScheduleFigures } from '../schedules/facility-schedule.types.ts'
import { Installment } from '../schedules/schedule.types.ts'
import { CaseStub } from '../facilities/stubs.types.ts'

export const HardshipTypeEnum = wireEnum(
  'HardshipType',
  hardshipTypes,
  'The kind of relief that a borrower requests.',
  {
    'payment-holiday': 'A period in which installments need not be paid.',
    'term-extension': 'More installments, so that each installment is smaller.',
    restructure: 'A new interest rate, more installments, or arrears added to the principal.',
    'temporary-reduction': 'Smaller installments for a limited period.',
  },
)
export const HardshipStatusEnum = wireEnum(
  'HardshipStatus',
  hardshipStatuses,
  'The lifecycle state of a hardship request.',
  {
    submitted: 'The request was submitted and its review has not started.',
    'under-review': 'The bank is reviewing the request.',
    approved: 'The request was approved and the loan has its new schedule. This state is final.',
    declined: 'The request was declined. This state is final.',
    cancelled: 'The request was withdrawn before it was decided. This state is final.',
  },
)
export const HardshipReasonEnum = wireEnum(
  'HardshipReason',
  hardshipReasons,
  'A reason why a hardship request is declined.',
  {
    'ability-to-pay-not-affected': 'The borrower can pay as agreed.',
    'hardship-not-evidenced': 'There is no evidence of the hardship.',
    'no-prospect-of-repayment': 'The borrower could not repay the loan even with relief.',
    'information-not-provided':
      'The borrower did not provide the information that the bank requested.',
    'relief-not-suitable': "The requested relief does not suit the borrower's situation.",
    'relief-limit-reached': 'The loan has already received the maximum relief allowed.',
    other: 'Another reason.',
  },
)
export const HardshipActionEnum = wireEnum(
  'HardshipAction',
  hardshipActions,
  'An action of a reviewer on a hardship request.',
  {
    start: 'Starts the review.',
    approve: 'Approves the request and grants the relief.',
    decline: 'Declines the request.',
  },
)

@ObjectType({ description: 'A request for relief by a borrower who cannot pay as agreed.' })
@Directive('@key(fields: "hardshipRequestId")')
export class HardshipRequest {
  @Field(() => ID, { description: 'The ID of the hardship request.' })
  hardshipRequestId: string

  @Field(() => ID, { description: 'The ID of the loan.' })
  loanId: string

  @Field(() => HardshipTypeEnum, { description: 'The kind of relief that is requested.' })
  type: HardshipType

  @Field(() => TextScalar, { description: "The borrower's explanation." })
  reason: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The first day for which relief is requested; null if none was given.',
  })
  requestedStartDate: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last day for which relief is requested; null if none was given.',
  })
  requestedEndDate: string | null

  @Field(() => HardshipStatusEnum, { description: 'The lifecycle state of the request.' })
  status: HardshipStatus

  @Field(() => DateTimeScalar, { description: 'When the request was submitted, in UTC.' })
  submittedAt: Date

  @Field(() => DateTimeScalar, { description: "The deadline for the bank's decision, in UTC." })
  decisionDueBy: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the request was approved or declined, in UTC; null while it is undecided, and if it ' +
      'was withdrawn.',
  })
  decidedAt: Date | null

  @Field(() => [HardshipReasonEnum], {
    description: 'The reasons why the request was declined; empty if it was not declined.',
  })
  declineReasons: readonly HardshipReason[]

  @Field(() => CaseStub, {
    nullable: true,
    description:
      'The case in which the request is handled; null until the case is opened, and if it could ' +
      'not be opened.',
  })
  case: CaseStub | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the payment holiday that was granted; null if none was granted.',
  })
  paymentHolidayId: string | null

  @Field(() => ScheduleFigures, {
    nullable: true,
    description:
      'The key figures of the schedule before the relief; null unless the request is approved.',
  })
  before: ScheduleFigures | null

  @Field(() => ScheduleFigures, {
    nullable: true,
    description:
      'The key figures of the schedule after the relief; null unless the request is approved.',
  })
  after: ScheduleFigures | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the schedule version that the relief created; null unless the request is ' +
      'approved.',
  })
  scheduleVersion: number | null
}

export const HardshipRequestConnection = connectionOf('HardshipRequest', () => HardshipRequest)

@ObjectType({
  description: 'The effects that approving a hardship request would have. Nothing is stored.',
})
export class HardshipReliefPreview {
  @Field(() => ScheduleFigures, { description: 'The key figures of the current schedule.' })
  before: ScheduleFigures

  @Field(() => ScheduleFigures, {
    description: 'The key figures of the schedule after the relief.',
  })
  after: ScheduleFigures

  @Field(() => MoneyType, {
    description:
      'The interest that the relief adds over the whole term; negative if the relief saves ' +
      'interest.',
  })
  additionalCost: MoneyType

  @Field(() => [Installment], { description: 'The installments of the schedule after the relief.' })
  installments: Installment[]
}
