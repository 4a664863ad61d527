import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  AmountScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
  type AmountSent,
} from '../../_kernel/scalars.ts'
import type { ApplicationStatus, DecisionMode } from '../domain/application.ts'
import { decisionOutcomes, type DecisionOutcome } from '../domain/decision-asked.ts'
import {
  ApplicationStatusEnum,
  CreditCheck,
  CreditReason,
  DecisionModeEnum,
  LoanCondition,
} from './application.types.ts'

const DecisionOutcomeEnum = wireEnum('CreditDecisionOutcome', decisionOutcomes, 'What was decided.')

@ObjectType({
  description: 'One decision on an application, as it was recorded. It never changes.',
})
export class CreditDecision {
  @Field(() => ID)
  decisionId: string

  @Field(() => ID)
  applicationId: string

  @Field(() => Int, { description: 'The decisions of an application count from 1.' })
  number: number

  @Field(() => DecisionOutcomeEnum)
  outcome: DecisionOutcome

  @Field(() => DecisionModeEnum)
  decisionMode: DecisionMode

  @Field(() => ApplicationStatusEnum, { description: 'Where the application stood after it.' })
  applicationStatus: ApplicationStatus

  @Field(() => [CreditReason])
  reasons: CreditReason[]

  @Field(() => [LoanCondition])
  conditions: LoanCondition[]

  @Field(() => LabelScalar, { nullable: true })
  policyVersion: string | null

  @Field(() => DateTimeScalar)
  decidedAt: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when the terms can be taken.',
  })
  expiresAt: Date | null

  @Field(() => ID, { nullable: true })
  overrideOf: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'When the applicant is to be told of it: 12 CFR 1002.9(a)(1).',
  })
  adverseActionNoticeDueBy: string | null

  @Field(() => ID, { nullable: true, description: 'Reserved for what was approved.' })
  facilityId: string | null
}

@ObjectType('CreditDecisionNotice', {
  description: 'That the applicant is told of a decision against them, in their secure inbox.',
})
export class DecisionNotice {
  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When they were written to; what became of the letter is its notification’s to say.',
  })
  toldAt: Date | null
}

export const CreditDecisionConnection = connectionOf('CreditDecision', () => CreditDecision)

@ObjectType({ description: 'A submission, as it was taken.' })
export class CreditSubmission {
  @Field(() => ID)
  applicationId: string

  @Field(() => ApplicationStatusEnum, { description: 'Always `SUBMITTED`.' })
  status: ApplicationStatus

  @Field(() => DateTimeScalar)
  submittedAt: Date

  @Field(() => DecisionModeEnum)
  decisionMode: DecisionMode

  @Field(() => [CreditCheck])
  checks: CreditCheck[]

  @Field(() => LocalDateScalar)
  decisionDueBy: string
}

@ObjectType({ description: 'Up to how much somebody decides alone.' })
export class CreditAuthority {
  @Field(() => LabelScalar)
  decider: string

  @Field(() => MoneyType)
  limit: MoneyType

  @Field(() => DateTimeScalar)
  grantedAt: Date
}

@InputType()
export class CreditReasonInput {
  @Field(() => LabelScalar, { description: 'Of form C-1, or another with a text.' })
  code: string

  @Field(() => TextScalar, { nullable: true })
  text?: string | null
}

@InputType()
export class LoanConditionInput {
  @Field(() => LabelScalar)
  code: string

  @Field(() => TextScalar, { nullable: true })
  description?: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  dueBy?: string | null
}

@InputType({ description: 'What differs from what was asked for.' })
export class ApprovedTermsInput {
  @Field(() => AmountScalar, { nullable: true })
  amount?: AmountSent | null

  @Field(() => Int, { nullable: true })
  termMonths?: number | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Percent a year.' })
  ratePct?: string | null

  @Field(() => ID, { nullable: true })
  productId?: string | null

  @Field(() => ID, { nullable: true })
  quoteId?: string | null
}

@InputType()
export class CreditScoreInput {
  @Field(() => LabelScalar)
  model: string

  @Field(() => LabelScalar, { nullable: true })
  version?: string | null

  @Field(() => Float)
  value: number

  @Field(() => Float, { nullable: true })
  cutoff?: number | null
}

@InputType()
export class RecordCreditDecisionInput {
  @Field(() => ID)
  applicationId: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      '`approved`, `declined`, `referred` or `counter-offer`; also `approve`, `decline`, `refer`.',
  })
  outcome?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'Another name of `outcome`.' })
  decision?: string | null

  @Field(() => DecisionModeEnum, { nullable: true, description: '`MANUAL` when absent.' })
  decisionMode?: DecisionMode | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The person who decided: the caller when absent. A client names only people it is registered to act for (`actsFor`).',
  })
  decidedBy?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'Now when absent.' })
  decidedAt?: Date | null

  @Field(() => [CreditReasonInput], {
    nullable: true,
    description: 'One to four, the heaviest first; needed unless it is approved or referred.',
  })
  reasons?: CreditReasonInput[] | null

  @Field(() => [LoanConditionInput], { nullable: true })
  conditions?: LoanConditionInput[] | null

  @Field(() => ApprovedTermsInput, { nullable: true })
  approvedTerms?: ApprovedTermsInput | null

  @Field(() => CreditScoreInput, { nullable: true })
  score?: CreditScoreInput | null

  @Field(() => LabelScalar, { nullable: true })
  policyVersion?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: '30 days on when absent.' })
  expiresAt?: Date | null

  @Field(() => ID, { nullable: true, description: 'The decision that this one replaces.' })
  overrideOf?: string | null

  @Field(() => TextScalar, { nullable: true })
  comment?: string | null
}

@InputType()
export class AcceptLoanTermsInput {
  @Field(() => ID)
  applicationId: string

  @Field(() => DateTimeScalar)
  acceptedAt: Date

  @Field(() => LabelScalar, {
    description: 'Such as `web`, `mobile`, `branch`, `phone`, `partner`, `secure-message`.',
  })
  acceptanceChannel: string

  @Field(() => LabelScalar, { nullable: true, description: 'What shows that it was signed.' })
  signatureReference?: string | null
}
