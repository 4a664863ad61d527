import { Field, ID, InputType, Int } from 'type-graphql'
import {
  CurrencyScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
  VersionLabelScalar,
} from '../../_kernel/scalars.ts'
import type { ParameterType } from '../domain/terms.ts'
import { ProductFeeInput } from './fee.inputs.ts'
import { ParameterTypeEnum } from './product.types.ts'

@InputType({
  description: 'A term that is chosen for each arrangement of the product, with its bounds.',
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
    description: 'The lowest allowed number, inclusive. Accepted for numeric types only.',
  })
  minimum?: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The highest allowed number, inclusive. Accepted for numeric types only.',
  })
  maximum?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The value that applies when none is chosen. It must have the type of the parameter ' +
      'and be within its bounds.',
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
    description:
      'The margin added to the base rate, in percentage points per year; 0 when omitted.',
  })
  marginPct?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The name of the reference rate on which the base rate is set.',
  })
  referenceRate?: string | null
}

@InputType({ description: 'The product version to create.' })
export class CreateProductInput {
  @Field(() => ID, {
    description:
      'The identifier of the product: an existing one, to which a version is added, or a ' +
      'new one.',
  })
  productId: string

  @Field(() => LabelScalar, { description: 'The name of the product.' })
  name: string

  @Field(() => LabelScalar, {
    description:
      'The class of the product. Arrangements can be opened for `current-account`, ' +
      '`savings-account`, `term-deposit`, `consumer-loan`, `mortgage`, `overdraft`, ' +
      '`revolving-credit` and `sme-facility`; products of any other class are only listed ' +
      'in the catalog.',
  })
  productClass: string

  @Field(() => LabelScalar, {
    description:
      'The initial state, in any letter case: `draft` or `active`. An active version ' +
      'supersedes the one active before it.',
  })
  status: string

  @Field(() => VersionLabelScalar, {
    description: 'The label of the version as year and month, such as `2026.10`.',
  })
  version: string

  @Field(() => TextScalar, { nullable: true, description: 'A description of the product.' })
  description?: string | null

  @Field(() => [CurrencyScalar], {
    nullable: true,
    description:
      'The currencies in which the product is offered, each once; EUR when omitted. The ' +
      'first one is the default.',
  })
  currencies?: string[] | null

  @Field(() => [ProductParameterInput], {
    nullable: true,
    description: 'The terms that are chosen for each arrangement of the product.',
  })
  parameters?: ProductParameterInput[] | null

  @Field(() => [ProductFeeInput], { nullable: true, description: 'The fees of the product.' })
  fees?: ProductFeeInput[] | null

  @Field(() => ProductInterestInput, {
    nullable: true,
    description: 'The interest rate of the product; the product bears no interest when omitted.',
  })
  interest?: ProductInterestInput | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The first day on which arrangements can be opened under the version; no first day ' +
      'when omitted.',
  })
  effectiveFrom?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which arrangements can be opened under the version; no last day when ' +
      'omitted. It must not be before `effectiveFrom`.',
  })
  effectiveTo?: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The maximum number of arrangements of the product that a customer may have at the ' +
      'same time, at least 1; no limit when omitted.',
  })
  maxPerCustomer?: number | null
}
