import { Field, ID, InputType, Int } from 'type-graphql'
import {
  CurrencyScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
  VersionLabelScalar,
} from '../../../kernel/graph/scalars.ts'
import type { ParameterType } from '../domain/terms.ts'
import { ProductFeeInput } from './fee.inputs.ts'
import { ParameterTypeEnum } from './product.types.ts'

@InputType({
  description:
    'A parameter whose value is chosen for each arrangement of the product, with its range.',
})
class ProductParameterInput {
  @Field(() => LabelScalar, {
    description: 'The name of the parameter, unique within the product version.',
  })
  name: string

  @Field(() => ParameterTypeEnum, { description: 'The data type of the parameter.' })
  type: ParameterType

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The lowest allowed number, inclusive. Only allowed for numeric types.',
  })
  minimum?: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The highest allowed number, inclusive. Only allowed for numeric types.',
  })
  maximum?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The default value. It must have the type of the parameter and be within its range.',
  })
  default?: string | null
}

@InputType({
  description: 'The interest rate of a product, which is the sum of a base rate and a margin.',
})
class ProductInterestInput {
  @Field(() => DecimalScalar, { description: 'The base rate, in percent per year.' })
  basePct: string

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The margin added to the base rate, in percentage points per year. Defaults to 0.',
  })
  marginPct?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The name of the reference rate from which the base rate was set.',
  })
  referenceRate?: string | null
}

@InputType({ description: 'The product version to create.' })
export class CreateProductInput {
  @Field(() => ID, {
    description:
      'The ID of the product: an existing product, to which a version is added, or a new product.',
  })
  productId: string

  @Field(() => LabelScalar, { description: 'The name of the product.' })
  name: string

  @Field(() => LabelScalar, {
    description:
      'The class of the product. Arrangements can be opened for `current-account`, ' +
      '`savings-account`, `term-deposit`, `consumer-loan`, `mortgage`, `overdraft`, ' +
      '`revolving-credit` and `sme-facility`. Products of any other class are only listed in the ' +
      'catalog.',
  })
  productClass: string

  @Field(() => LabelScalar, {
    description:
      'The initial state, in any letter case: `draft` or `active`. An active version supersedes ' +
      'the previous active version.',
  })
  status: string

  @Field(() => VersionLabelScalar, {
    description: 'The label of the version: a year and a month, such as `2026.10`.',
  })
  version: string

  @Field(() => TextScalar, { nullable: true, description: 'A description of the product.' })
  description?: string | null

  @Field(() => [CurrencyScalar], {
    nullable: true,
    description:
      'The currencies in which the product is offered, each at most once. The first currency is ' +
      'the default. If omitted, the product is offered in EUR.',
  })
  currencies?: string[] | null

  @Field(() => [ProductParameterInput], {
    nullable: true,
    description: 'The parameters whose values are chosen for each arrangement of the product.',
  })
  parameters?: ProductParameterInput[] | null

  @Field(() => [ProductFeeInput], { nullable: true, description: 'The fees of the product.' })
  fees?: ProductFeeInput[] | null

  @Field(() => ProductInterestInput, {
    nullable: true,
    description: 'The interest rate of the product. If omitted, the product bears no interest.',
  })
  interest?: ProductInterestInput | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The first day on which arrangements can be opened under the version. If omitted, there is ' +
      'no first day.',
  })
  effectiveFrom?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which arrangements can be opened under the version, not before ' +
      '`effectiveFrom`. If omitted, there is no last day.',
  })
  effectiveTo?: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The maximum number of arrangements of the product that a customer can have at the same ' +
      'time, at least 1. If omitted, there is no maximum.',
  })
  maxPerCustomer?: number | null
}
