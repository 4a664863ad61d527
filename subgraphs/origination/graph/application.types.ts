import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import {
  DateTimeScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import {
  applicationStatuses,
  closureReasons,
  decisionModes,
  type ApplicationStatus,
  type Check,
  type ClosureReason,
  type DecisionMode,
} from '../domain/application.ts'
import { LoanAcceptance, LoanCondition } from './loan-terms.types.ts'

export const ApplicationStatusEnum = wireEnum(
  'LoanApplicationStatus',
  applicationStatuses,
  'The lifecycle state of a loan application.',
  {
    draft: 'The application is being filled in and has not been submitted.',
    submitted:
      'The application was submitted and waits for a decision, or was returned to the applicant ' +
      'for more information.',
    'in-review':
      'A credit officer is reviewing the application, or the applicant has to decide on a ' +
      'counter-offer.',
    approved: 'The application was approved and the applicant can accept the terms.',
    declined:
      'The application was closed without a loan; `closureReason` contains the reason. This ' +
      'state is final.',
    accepted: 'The applicant accepted the terms and the loan is being set up.',
    booked: 'The loan was set up. This state is final.',
  },
)
export const DecisionModeEnum = wireEnum(
  'DecisionMode',
  decisionModes,
  'Who decides on a loan application.',
  {
    automated: 'The credit policy decides and refers borderline applications to a person.',
    hybrid: 'The credit policy makes a recommendation and a person decides.',
    manual: 'A person decides without a recommendation.',
  },
)
const ClosureReasonEnum = wireEnum(
  'LoanApplicationClosureReason',
  closureReasons,
  'The reason why a loan application was closed without a loan.',
  {
    'credit-decision': 'The application was declined by a credit decision.',
    revoked: 'The approval was revoked before the terms were accepted.',
    'withdrawn-by-customer':
      'The applicant withdrew the application or rejected the counter-offer.',
    expired: 'The applicant did not accept the terms or the counter-offer in time.',
  },
)
const CheckStatusEnum = wireEnum(
  'CreditCheckStatus',
  ['passed', 'not-needed'],
  'The result of a check that is made when an application is submitted.',
  {
    passed: 'The application passed the check.',
    'not-needed': 'The check does not apply to the application.',
  },
)

@ObjectType({ description: 'A statement made or consent given by the applicant.' })
export class LoanDeclaration {
  @Field(() => LabelScalar, {
    description: 'The code of the declaration, such as `credit-bureau-check`.',
  })
  code: string

  @Field(() => Boolean, {
    description: 'Whether the applicant makes the statement or gives the consent.',
  })
  accepted: boolean
}

@ObjectType({ description: 'A check made when the application was submitted.' })
export class CreditCheck implements Check {
  @Field(() => LabelScalar, {
    description:
      'The code of the check: `completeness`, `customer`, `identity`, `product`, `amount`, ' +
      '`term`, `quote` or `consent`.',
  })
  code: string

  @Field(() => CheckStatusEnum, { description: 'The result of the check.' })
  status: Check['status']
}

@ObjectType({
  description:
    "A customer's application for a loan or a credit facility, from the draft to the " +
    'booked loan.',
})
@Directive('@key(fields: "applicationId")')
export class LoanApplication {
  @Field(() => ID, { description: 'The ID of the application.' })
  applicationId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the pricing quote on which the application is based; null if there is none.',
  })
  quoteId: string | null

  @Field(() => ID, { description: 'The ID of the customer who applies.' })
  customerId: string

  @Field(() => ApplicationStatusEnum, {
    description: 'The current lifecycle state of the application.',
  })
  status: ApplicationStatus

  @Field(() => DecisionModeEnum, {
    description: 'Who decides on the application. After a decision, the mode of that decision.',
  })
  decisionMode: DecisionMode

  @Field(() => DateTimeScalar, { description: 'When the application was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the application last changed, in UTC.' })
  updatedAt: Date

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the product applied for; null until one is chosen.',
  })
  productId: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The label of the product version, which is fixed when the application is submitted, or ' +
      'earlier by the quote; null before that.',
  })
  productVersion: string | null

  @Field(() => Int, {
    nullable: true,
    description: 'The requested term, in months; null if none was given.',
  })
  termMonths: number | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The purpose of the loan as stated by the applicant; null if none was given.',
  })
  purpose: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'How long the applicant has been in the current employment, in months; null if not stated.',
  })
  employedMonths: number | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the account to which the loan is paid out; null if none was given.',
  })
  settlementArrangementId: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The channel through which the application was made, such as `web`; null if none was given.',
  })
  channel: string | null

  @Field(() => [LoanDeclaration], {
    description: 'The statements made and consents given by the applicant.',
  })
  declarations: LoanDeclaration[]

  @Field(() => [ID], {
    description: 'The IDs of the documents that belong to the application.',
  })
  documents: string[]

  @Field(() => [CreditCheck], { description: 'The checks made on submission; empty for a draft.' })
  checks: CreditCheck[]

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the application was submitted, in UTC; null for a draft.',
  })
  submittedAt: Date | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which the applicant must be notified of the decision, which is 30 days ' +
      'after submission; null for a draft.',
  })
  decisionDueBy: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The information that the applicant must provide before processing continues; null if none ' +
      'is required.',
  })
  informationRequested: string | null

  @Field(() => [LoanCondition], {
    description: 'The conditions that must be met before the terms can be accepted.',
  })
  conditions: LoanCondition[]

  @Field(() => [LoanAcceptance], { description: 'The acceptances of the approved terms.' })
  acceptances: LoanAcceptance[]

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the application was approved, in UTC; null if it was not approved.',
  })
  approvedAt: Date | null

  @Field(() => String, {
    nullable: true,
    description:
      'The hash that identifies the approved terms or the terms of the counter-offer; null if ' +
      'there are none.',
  })
  termsHash: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the approved terms or the counter-offer expire, in UTC; null if there are no terms ' +
      'to accept.',
  })
  offerExpiresAt: Date | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which the customer may withdraw from the loan without giving a reason, ' +
      'which is 14 days after acceptance (Directive (EU) 2023/2225, Article 26); null before ' +
      'acceptance.',
  })
  coolingOffEndsOn: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the facility, reserved when the application is approved; null before the ' +
      'approval, and after the application is closed without a loan.',
  })
  facilityId: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the loan agreement, reserved when the application is approved. The agreement is ' +
      'signed when the terms are accepted. Null before the approval, and after the application ' +
      'is closed without a loan.',
  })
  agreementId: string | null

  @Field(() => ClosureReasonEnum, {
    nullable: true,
    description:
      'The reason why the application was closed without a loan; null unless it is declined.',
  })
  closureReason: ClosureReason | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the loan was set up, in UTC; null until then.',
  })
  bookedAt: Date | null
}

export const LoanApplicationConnection = connectionOf('LoanApplication', () => LoanApplication)
