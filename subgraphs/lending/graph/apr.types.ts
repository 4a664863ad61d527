import { Field, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DecimalScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import { aprConventions, type AprConvention } from '../domain/apr-request.ts'

const AprConventionEnum = wireEnum(
  'AprConvention',
  aprConventions,
  'EU: the annual percentage rate of charge, effective (Directive 2008/48/EC, annex I). US_ACTUARIAL: Regulation Z, appendix J, nominal.',
)

@InputType({ description: 'Money on a date, or so many unit periods after the first advance.' })
class CashFlowInput {
  @Field(() => DecimalScalar)
  amount: string

  @Field(() => LocalDateScalar, { nullable: true })
  on?: string | null

  @Field(() => DecimalScalar, { nullable: true })
  period?: string | null
}

@InputType({
  description: 'Flows have dates, or they all have periods; at most 1200 of each list.',
})
export class AnnualPercentageRateInput {
  @Field(() => AprConventionEnum, { defaultValue: 'eu' })
  convention: AprConvention

  @Field(() => [CashFlowInput], { description: 'What the borrower receives.' })
  advances: CashFlowInput[]

  @Field(() => [CashFlowInput], { description: 'What the borrower pays, fees among it.' })
  payments: CashFlowInput[]

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'With periods, how many make a year: 12, 24, 52. With dates, US_ACTUARIAL finds the unit period itself when this is absent, and EU does not use it.',
  })
  unitPeriodsPerYear?: string | null
}

@ObjectType({ description: 'What a loan costs a year, in percent.' })
export class AnnualPercentageRate {
  @Field(() => DecimalScalar, { description: 'Six decimals.' })
  percent: string
}
