import { Field, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../../kernel/graph/enums.ts'
import { DecimalScalar, LocalDateScalar } from '../../../../kernel/graph/scalars.ts'
import { aprConventions, type AprConvention } from '../../domain/pricing/apr-request.ts'

const AprConventionEnum = wireEnum(
  'AprConvention',
  aprConventions,
  'The method by which an annual percentage rate is computed.',
  {
    eu:
      'The annual percentage rate of charge of Directive 2008/48/EC, annex I: an effective ' +
      'rate.',
    'us-actuarial': 'The annual percentage rate of Regulation Z, appendix J: a nominal rate.',
  },
)

@InputType({
  description: 'A cash flow, placed either by its date or by its number of unit periods.',
})
class CashFlowInput {
  @Field(() => DecimalScalar, {
    description: 'The amount, zero or more, in the currency of the loan.',
  })
  amount: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date of the cash flow. Either all cash flows have a date or all have a period.',
  })
  on?: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'When the cash flow occurs, in unit periods. Only the differences between periods matter. ' +
      'Either all cash flows have a period or all have a date.',
  })
  period?: string | null
}

@InputType({
  description: 'The cash flows of a loan. Either all of them have dates or all have periods.',
})
export class AnnualPercentageRateInput {
  @Field(() => AprConventionEnum, {
    defaultValue: 'eu',
    description: 'The method of computation. Defaults to `EU`.',
  })
  convention: AprConvention

  @Field(() => [CashFlowInput], {
    description: 'The amounts paid to the borrower: from 1 to 1,200 cash flows.',
  })
  advances: CashFlowInput[]

  @Field(() => [CashFlowInput], {
    description: 'The amounts paid by the borrower, including fees: from 1 to 1,200 cash flows.',
  })
  payments: CashFlowInput[]

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The number of unit periods in a year, such as 12, 24 or 52, from 0.1 to 366. Required if ' +
      'the cash flows have periods. If they have dates, `EU` ignores the number, and ' +
      '`US_ACTUARIAL` derives the unit period if the number is omitted.',
  })
  unitPeriodsPerYear?: string | null
}

@ObjectType({ description: 'The annual percentage rate of a loan.' })
export class AnnualPercentageRate {
  @Field(() => DecimalScalar, { description: 'The rate in percent per year, with six decimals.' })
  percent: string
}
