import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import {
  applicationStatuses,
  closureReasons,
  conditionStatuses,
  decisionModes,
  type ApplicationStatus,
  type Check,
  type ClosureReason,
  type ConditionStatus,
  type DecisionMode,
} from '../domain/application.ts'
import { recommendations, type Recommendation } from '../domain/policy.ts'

export const ApplicationStatusEnum = wireEnum(
  'LoanApplicationStatus',
  applicationStatuses,
  'Where an application stands, from the draft to the loan.',
)
export const DecisionModeEnum = wireEnum(
  'DecisionMode',
  decisionModes,
  'Who decides: the credit policy, a person after its recommendation, or a person.',
)
const ClosureReasonEnum = wireEnum(
  'LoanApplicationClosureReason',
  closureReasons,
  'Why an application was closed without a loan.',
)
const ConditionStatusEnum = wireEnum(
  'LoanConditionStatus',
  conditionStatuses,
  'Whether a condition of an approval is met.',
)
const RecommendationEnum = wireEnum(
  'CreditRecommendationOutcome',
  recommendations,
  'What the credit policy comes to.',
)
const CheckStatusEnum = wireEnum(
  'CreditCheckStatus',
  ['passed', 'not-needed'],
  'What came of a check.',
)

@ObjectType({ description: 'What the applicant states or agrees to.' })
export class LoanDeclaration {
  @Field(() => LabelScalar)
  code: string

  @Field(() => Boolean)
  accepted: boolean
}

@ObjectType({ description: 'Something that was looked at when an application was submitted.' })
export class CreditCheck implements Check {
  @Field(() => LabelScalar)
  code: string

  @Field(() => CheckStatusEnum)
  status: Check['status']
}

@ObjectType({ description: 'What is lent, on which terms.' })
export class LoanTerms {
  @Field(() => MoneyType)
  amount: MoneyType

  @Field(() => Int, { nullable: true, description: 'Absent of a limit to draw on.' })
  termMonths: number | null

  @Field(() => DecimalScalar, { description: 'Percent a year.' })
  ratePct: string

  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar)
  productVersion: string

  @Field(() => ID, { nullable: true, description: 'The price the rate is from.' })
  quoteId: string | null
}

@ObjectType({ description: 'What has to be true before the terms can be accepted.' })
export class LoanCondition {
  @Field(() => LabelScalar)
  code: string

  @Field(() => TextScalar, { nullable: true })
  description: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  dueBy: string | null

  @Field(() => ConditionStatusEnum)
  status: ConditionStatus

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was met or given up.' })
  at: Date | null
}

@ObjectType({ description: 'Who took the terms, over which channel, and what shows it.' })
export class LoanAcceptance {
  @Field(() => ID)
  customerId: string

  @Field(() => DateTimeScalar)
  acceptedAt: Date

  @Field(() => LabelScalar)
  acceptanceChannel: string

  @Field(() => LabelScalar, { nullable: true })
  signatureReference: string | null

  @Field(() => String, { description: 'The hash of the terms that were taken.' })
  termsHash: string

  @Field(() => DateTimeScalar)
  recordedAt: Date
}

@ObjectType({ description: 'How a model counted.' })
export class CreditScore {
  @Field(() => LabelScalar)
  model: string

  @Field(() => LabelScalar, { nullable: true })
  version: string | null

  @Field(() => Float)
  value: number

  @Field(() => Float, { nullable: true })
  cutoff: number | null
}

@ObjectType({ description: 'A reason as the applicant is told it.' })
export class CreditReason {
  @Field(() => LabelScalar, { description: 'Of the list of 12 CFR 1002, form C-1, or its own.' })
  code: string

  @Field(() => TextScalar)
  text: string
}

@ObjectType({ description: 'A rule of the credit policy, and what it gave or took.' })
export class CreditRuleResult {
  @Field(() => LabelScalar)
  rule: string

  @Field(() => String, { description: '`pass`, `fail` or `refer`.' })
  result: string

  @Field(() => Int)
  points: number
}

@ObjectType({ description: 'What the credit policy comes to for an application.' })
export class CreditRecommendation {
  @Field(() => RecommendationEnum)
  outcome: Recommendation['outcome']

  @Field(() => LabelScalar)
  policyVersion: string

  @Field(() => CreditScore)
  score: CreditScore

  @Field(() => [CreditRuleResult])
  rules: CreditRuleResult[]

  @Field(() => [CreditReason])
  reasons: CreditReason[]
}

@ObjectType({
  description:
    'What somebody asks to borrow: a credit application, and when it is for a consumer loan, the ' +
    'consumer loan application.',
})
@Directive('@key(fields: "applicationId")')
export class LoanApplication {
  @Field(() => ID)
  applicationId: string

  @Field(() => ID, { nullable: true })
  quoteId: string | null

  @Field(() => ID)
  customerId: string

  @Field(() => ApplicationStatusEnum)
  status: ApplicationStatus

  @Field(() => DecisionModeEnum)
  decisionMode: DecisionMode

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date

  @Field(() => ID, { nullable: true })
  productId: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'Fixed when it is submitted.' })
  productVersion: string | null

  @Field(() => Int, { nullable: true })
  termMonths: number | null

  @Field(() => TextScalar, { nullable: true })
  purpose: string | null

  @Field(() => Int, { nullable: true })
  employedMonths: number | null

  @Field(() => ID, { nullable: true, description: 'Where the loan is paid out to.' })
  settlementArrangementId: string | null

  @Field(() => LabelScalar, { nullable: true })
  channel: string | null

  @Field(() => [LoanDeclaration])
  declarations: LoanDeclaration[]

  @Field(() => [ID], { description: 'Documents that go with it.' })
  documents: string[]

  @Field(() => [CreditCheck], { description: 'What was looked at when it was submitted.' })
  checks: CreditCheck[]

  @Field(() => DateTimeScalar, { nullable: true })
  submittedAt: Date | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'When the applicant is to know.' })
  decisionDueBy: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'What the applicant has to bring before it is looked at again.',
  })
  informationRequested: string | null

  @Field(() => [LoanCondition])
  conditions: LoanCondition[]

  @Field(() => [LoanAcceptance])
  acceptances: LoanAcceptance[]

  @Field(() => DateTimeScalar, { nullable: true })
  approvedAt: Date | null

  @Field(() => String, { nullable: true, description: 'Pins the terms that were approved.' })
  termsHash: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when the terms, or the counter-offer, can be taken.',
  })
  offerExpiresAt: Date | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day to step back without a reason: Directive (EU) 2023/2225, article 26.',
  })
  coolingOffEndsOn: string | null

  @Field(() => ID, { nullable: true, description: 'Reserved when it is approved.' })
  facilityId: string | null

  @Field(() => ID, { nullable: true, description: 'The agreement that is signed by accepting.' })
  agreementId: string | null

  @Field(() => ClosureReasonEnum, { nullable: true })
  closureReason: ClosureReason | null

  @Field(() => DateTimeScalar, { nullable: true })
  bookedAt: Date | null
}

export const LoanApplicationConnection = connectionOf('LoanApplication', () => LoanApplication)
