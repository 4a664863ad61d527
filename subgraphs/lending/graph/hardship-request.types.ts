import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  AmountScalar,
  DateTimeScalar,
  DecimalScalar,
  LocalDateScalar,
  TextScalar,
  type AmountSent,
} from '../../_kernel/scalars.ts'
import {
  hardshipReasons,
  hardshipStatuses,
  hardshipTypes,
  type HardshipReason,
  type HardshipStatus,
  type HardshipType,
} from '../domain/hardship-request.ts'
import type { InterestTreatment, TermTreatment } from '../domain/loan.ts'
import {
  hardshipActions,
  type HardshipAction,
  type HardshipRequestAsked,
  type HardshipReview,
  type ReliefSent,
} from '../hardship-requests.ts'
import { ScheduleFigures } from './facility-schedule.types.ts'
import { Instalment, InterestTreatmentEnum, TermTreatmentEnum } from './schedule.types.ts'
import { CaseStub } from './stubs.types.ts'

const HardshipTypeEnum = wireEnum('HardshipType', hardshipTypes, 'What a borrower asks for.')
export const HardshipStatusEnum = wireEnum(
  'HardshipStatus',
  hardshipStatuses,
  'Where a hardship request stands.',
)
const HardshipReasonEnum = wireEnum('HardshipReason', hardshipReasons, 'Why it was declined.')
const HardshipActionEnum = wireEnum(
  'HardshipAction',
  hardshipActions,
  'What is done to a hardship request.',
)

@ObjectType({ description: 'A borrower who cannot pay as agreed asks for other terms.' })
@Directive('@key(fields: "hardshipRequestId")')
export class HardshipRequest {
  @Field(() => ID)
  hardshipRequestId: string

  @Field(() => ID)
  loanId: string

  @Field(() => HardshipTypeEnum)
  type: HardshipType

  @Field(() => TextScalar)
  reason: string

  @Field(() => LocalDateScalar, { nullable: true })
  requestedStartDate: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  requestedEndDate: string | null

  @Field(() => HardshipStatusEnum)
  status: HardshipStatus

  @Field(() => DateTimeScalar)
  submittedAt: Date

  @Field(() => DateTimeScalar, { description: 'By when the bank has to decide.' })
  decisionDueBy: Date

  @Field(() => DateTimeScalar, { nullable: true })
  decidedAt: Date | null

  @Field(() => [HardshipReasonEnum])
  declineReasons: readonly HardshipReason[]

  @Field(() => CaseStub, { nullable: true, description: 'Where it is worked on.' })
  case: CaseStub | null

  @Field(() => ID, { nullable: true, description: 'The holiday that was given.' })
  paymentHolidayId: string | null

  @Field(() => ScheduleFigures, { nullable: true, description: 'When it was granted.' })
  before: ScheduleFigures | null

  @Field(() => ScheduleFigures, { nullable: true })
  after: ScheduleFigures | null

  @Field(() => Int, { nullable: true, description: 'That of the schedule it made.' })
  scheduleVersion: number | null
}

export const HardshipRequestConnection = connectionOf('HardshipRequest', () => HardshipRequest)

@ObjectType({ description: 'What granting a hardship request would do. Nothing is stored.' })
export class HardshipReliefPreview {
  @Field(() => ScheduleFigures)
  before: ScheduleFigures

  @Field(() => ScheduleFigures)
  after: ScheduleFigures

  @Field(() => MoneyType, { description: 'Interest that it adds to the loan.' })
  additionalCost: MoneyType

  @Field(() => [Instalment], { description: 'The schedule with it.' })
  instalments: Instalment[]
}

@InputType({ description: 'A hardship request.' })
export class CreateHardshipRequestInput implements HardshipRequestAsked {
  @Field(() => ID)
  loanId: string

  @Field(() => ID, { nullable: true })
  hardshipRequestId?: string | null

  @Field(() => HardshipTypeEnum)
  type: HardshipType

  @Field(() => TextScalar, { description: '1 to 2,000 characters.' })
  reason: string

  @Field(() => LocalDateScalar, { nullable: true })
  requestedStartDate?: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  requestedEndDate?: string | null
}

@InputType({
  description: 'What is granted. Each type of request takes the members that are for it.',
})
export class HardshipReliefInput implements ReliefSent {
  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'Of a holiday or a reduction; as requested when absent, or the next due date.',
  })
  startDate?: string | null

  @Field(() => Int, {
    nullable: true,
    description: 'Of a holiday or a reduction; those due by the requested end when absent.',
  })
  instalments?: number | null

  @Field(() => Int, { nullable: true, description: 'More instalments; of all but a holiday.' })
  extraInstalments?: number | null

  @Field(() => AmountScalar, {
    nullable: true,
    description: 'Of a temporary reduction: the most that an instalment is.',
  })
  instalmentAmount?: AmountSent | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Of a restructure: percent a year.' })
  ratePct?: string | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Of a restructure: what is overdue is repaid with the rest.',
  })
  isArrearsCapitalised?: boolean | null

  @Field(() => InterestTreatmentEnum, { nullable: true })
  interestTreatment?: InterestTreatment | null

  @Field(() => TermTreatmentEnum, { nullable: true, description: 'Of a holiday.' })
  termTreatment?: TermTreatment | null
}

@InputType({ description: 'What is done to a hardship request.' })
export class ReviewHardshipRequestInput implements HardshipReview {
  @Field(() => ID)
  hardshipRequestId: string

  @Field(() => HardshipActionEnum)
  action: HardshipAction

  @Field(() => HardshipReliefInput, { nullable: true, description: 'What is granted.' })
  relief?: HardshipReliefInput | null

  @Field(() => [HardshipReasonEnum], {
    nullable: true,
    description: 'Why it is declined: one to four.',
  })
  reasons?: HardshipReason[] | null
}
