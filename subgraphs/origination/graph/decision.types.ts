import { Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import type { ApplicationStatus, DecisionMode } from '../domain/application.ts'
import { decisionOutcomes, type DecisionOutcome } from '../domain/decision-request.ts'
import { ApplicationStatusEnum, CreditCheck, DecisionModeEnum } from './application.types.ts'
import { CreditReason } from './credit-policy.types.ts'
import { LoanCondition } from './loan-terms.types.ts'

const DecisionOutcomeEnum = wireEnum(
  'CreditDecisionOutcome',
  decisionOutcomes,
  'The outcome of a credit decision.',
  {
    approved: 'The application is approved, and the applicant can accept the terms.',
    declined: 'The application is declined, or an earlier approval is revoked.',
    referred: 'The application is referred to a person for review.',
    'counter-offer':
      'The bank offers terms other than the requested ones. The applicant can accept or reject ' +
      'them.',
  },
)

@ObjectType({
  description: 'A credit decision on a loan application. A recorded decision never changes.',
})
export class CreditDecision {
  @Field(() => ID, { description: 'The ID of the decision.' })
  decisionId: string

  @Field(() => ID, { description: 'The ID of the application.' })
  applicationId: string

  @Field(() => Int, {
    description:
      'The sequence number of the decision among the decisions on the application, starting ' +
      'at 1.',
  })
  number: number

  @Field(() => DecisionOutcomeEnum, { description: 'The outcome of the decision.' })
  outcome: DecisionOutcome

  @Field(() => DecisionModeEnum, { description: 'Whether the credit policy or a person decided.' })
  decisionMode: DecisionMode

  @Field(() => ApplicationStatusEnum, {
    description: 'The state of the application after the decision.',
  })
  applicationStatus: ApplicationStatus

  @Field(() => [CreditReason], {
    description: 'The reasons for the decision, most important first.',
  })
  reasons: CreditReason[]

  @Field(() => [LoanCondition], {
    description:
      'The conditions of the approval or the counter-offer, as they were when the decision was ' +
      'recorded.',
  })
  conditions: LoanCondition[]

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The version of the credit policy that the decision followed; null if none was given.',
  })
  policyVersion: string | null

  @Field(() => DateTimeScalar, { description: 'When the decision was made, in UTC.' })
  decidedAt: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the approved or offered terms expire, in UTC; null if the decision grants no terms.',
  })
  expiresAt: Date | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the earlier decision that this decision replaces; null if it replaces none.',
  })
  overrideOf: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which the applicant must be notified of the decision (12 CFR ' +
      '1002.9(a)(1)); null unless the decision is a decline or a counter-offer.',
  })
  adverseActionNoticeDueBy: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the facility, reserved when the application is approved; null if the decision ' +
      'does not approve the application.',
  })
  facilityId: string | null
}

@ObjectType('CreditDecisionNotice', {
  description:
    'The adverse action notice that informs the applicant of a decline or a counter-offer. It is ' +
    "sent to the applicant's secure inbox.",
})
export class DecisionNotice {
  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the notice was sent, in UTC; null until it is sent. The delivery status is in ' +
      '`notification`.',
  })
  notifiedAt: Date | null
}

export const CreditDecisionConnection = connectionOf('CreditDecision', () => CreditDecision)

@ObjectType({ description: 'The confirmation of a submitted application.' })
export class CreditSubmission {
  @Field(() => ID, { description: 'The ID of the submitted application.' })
  applicationId: string

  @Field(() => ApplicationStatusEnum, {
    description: 'The state of the application after submission, always `SUBMITTED`.',
  })
  status: ApplicationStatus

  @Field(() => DateTimeScalar, { description: 'When the application was submitted, in UTC.' })
  submittedAt: Date

  @Field(() => DecisionModeEnum, { description: 'Who decides on the application.' })
  decisionMode: DecisionMode

  @Field(() => [CreditCheck], { description: 'The checks made on submission.' })
  checks: CreditCheck[]

  @Field(() => LocalDateScalar, {
    description:
      'The last day on which the applicant must be notified of the decision, which is 30 days ' +
      'after submission.',
  })
  decisionDueBy: string
}

@ObjectType({
  description:
    'The credit authority of a person: the maximum amount the person may approve alone, ' +
    'in one currency.',
})
export class CreditAuthority {
  @Field(() => LabelScalar, {
    description: 'The ID of the person who holds the authority, as in `decidedBy`.',
  })
  decider: string

  @Field(() => MoneyType, { description: 'The maximum amount the person may approve alone.' })
  limit: MoneyType

  @Field(() => DateTimeScalar, { description: 'When the authority was granted, in UTC.' })
  grantedAt: Date
}
