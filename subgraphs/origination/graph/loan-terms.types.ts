import { Field, ID, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import {
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import { conditionStatuses, type ConditionStatus } from '../domain/application.ts'

const ConditionStatusEnum = wireEnum(
  'LoanConditionStatus',
  conditionStatuses,
  'The state of a condition of an approval.',
  {
    open: 'The condition has not been met.',
    fulfilled: 'The condition was met.',
    waived: 'The bank no longer requires the condition.',
  },
)

@ObjectType({ description: 'The terms on which a loan or a credit facility is granted.' })
export class LoanTerms {
  @Field(() => MoneyType, { description: 'The amount of the loan or the limit of the facility.' })
  amount: MoneyType

  @Field(() => Int, {
    nullable: true,
    description: 'The term, in months; null for a revolving limit.',
  })
  termMonths: number | null

  @Field(() => DecimalScalar, { description: 'The interest rate, in percent per year.' })
  ratePct: string

  @Field(() => ID, { description: 'The ID of the product.' })
  productId: string

  @Field(() => LabelScalar, { description: 'The label of the product version.' })
  productVersion: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the pricing quote from which the rate was taken; null if the rate does not come ' +
      'from a quote.',
  })
  quoteId: string | null
}

@ObjectType({
  description: 'A condition that must be met before the terms of an approval can be accepted.',
})
export class LoanCondition {
  @Field(() => LabelScalar, {
    description: 'The code of the condition, unique within the approval.',
  })
  code: string

  @Field(() => TextScalar, {
    nullable: true,
    description: 'A description of the condition; null if none was given.',
  })
  description: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The day by which the condition should be met; null if none was given.',
  })
  dueBy: string | null

  @Field(() => ConditionStatusEnum, { description: 'The state of the condition.' })
  status: ConditionStatus

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the condition was fulfilled or waived, in UTC; null while it is open.',
  })
  at: Date | null
}

@ObjectType({ description: "A customer's acceptance of the approved terms." })
export class LoanAcceptance {
  @Field(() => ID, { description: 'The ID of the customer who accepted the terms.' })
  customerId: string

  @Field(() => DateTimeScalar, { description: 'When the customer accepted the terms, in UTC.' })
  acceptedAt: Date

  @Field(() => LabelScalar, {
    description: 'The channel through which the customer accepted the terms.',
  })
  acceptanceChannel: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The reference of the signature that proves the acceptance; null if there is none.',
  })
  signatureReference: string | null

  @Field(() => String, { description: 'The hash that identifies the accepted terms.' })
  termsHash: string

  @Field(() => DateTimeScalar, { description: 'When the acceptance was recorded, in UTC.' })
  recordedAt: Date
}
