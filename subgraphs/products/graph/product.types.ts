import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import { productStatuses, type ProductStatus } from '../domain/product.ts'
import { parameterTypes, type ParameterType } from '../domain/terms.ts'

const ProductStatusEnum = wireEnum(
  'ProductStatus',
  productStatuses,
  'The lifecycle state of a product version.',
  {
    draft: 'The version is being prepared and is not on offer yet.',
    active: 'The version is on offer. At most one version of a product is active.',
    suspended: 'The version is temporarily not on offer.',
    superseded: 'A newer version has replaced the version. Existing arrangements are not affected.',
    retired:
      'The version is permanently off offer. Existing arrangements are not affected. This ' +
      'state is final.',
    withdrawn: 'The draft was discarded before it was on offer. This state is final.',
  },
)
export const ParameterTypeEnum = wireEnum(
  'ProductParameterType',
  parameterTypes,
  'The data type of a product parameter.',
  {
    amount: "A monetary amount in major units of the arrangement's currency.",
    decimal: 'A decimal number.',
    integer: 'A whole number.',
    boolean: '`true` or `false`.',
    text: 'A text of up to 64 characters.',
  },
)

@ObjectType({
  description: 'A term that is chosen for each arrangement of the product, with its bounds.',
})
export class ProductParameter {
  @Field(() => LabelScalar, {
    description: 'The name of the parameter, unique within the product version.',
  })
  name: string

  @Field(() => ParameterTypeEnum, { description: 'The data type of the parameter.' })
  type: ParameterType

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The lowest allowed number, inclusive; null when there is no lower bound.',
  })
  minimum: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The highest allowed number, inclusive; null when there is no upper bound.',
  })
  maximum: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The value that applies when none is chosen; null when there is no default.',
  })
  default: string | null
}

@ObjectType({
  description: 'The interest rate of a product, which is the sum of a base rate and a margin.',
})
export class ProductInterest {
  @Field(() => DecimalScalar, { description: 'The base rate, in percent per year.' })
  basePct: string

  @Field(() => DecimalScalar, {
    description: 'The margin added to the base rate, in percentage points per year.',
  })
  marginPct: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The name of the reference rate on which the base rate is set; null when there is none.',
  })
  referenceRate: string | null
}

@ObjectType({
  description:
    'A version of a product. The content of a version never changes; only its status does.',
})
@Directive('@key(fields: "productId version")')
export class Product {
  @Field(() => ID, { description: 'The identifier of the product, shared by all of its versions.' })
  productId: string

  @Field(() => LabelScalar, {
    description: 'The label of the version as year and month, such as `2026.10`.',
  })
  version: string

  @Field(() => LabelScalar, { description: 'The name of the product.' })
  name: string

  @Field(() => LabelScalar, {
    description:
      'The class of the product, such as `current-account`, which determines how its ' +
      'arrangements behave.',
  })
  productClass: string

  @Field(() => ProductStatusEnum, { description: 'The current lifecycle state of the version.' })
  status: ProductStatus

  @Field(() => TextScalar, {
    nullable: true,
    description: 'A description of the product; null when none was given.',
  })
  description: string | null

  @Field(() => [CurrencyScalar], {
    description:
      'The currencies in which the product is offered, as ISO 4217 codes. The first one is ' +
      'the default.',
  })
  currencies: string[]

  @Field(() => [ProductParameter], {
    description: 'The terms that are chosen for each arrangement of the product.',
  })
  parameters: ProductParameter[]

  @Field(() => ProductInterest, {
    nullable: true,
    description: 'The interest rate of the product; null when the product bears no interest.',
  })
  interest: ProductInterest | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The first day on which arrangements can be opened under the version; null when there ' +
      'is no first day.',
  })
  effectiveFrom: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which arrangements can be opened under the version; null when there ' +
      'is no last day.',
  })
  effectiveTo: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The maximum number of arrangements of the product that a customer may have at the ' +
      'same time; null when there is no limit.',
  })
  maxPerCustomer: number | null

  @Field(() => DateTimeScalar, { description: 'When the version was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, {
    description: 'When the status of the version last changed, in UTC.',
  })
  updatedAt: Date
}

export const ProductConnection = connectionOf('Product', () => Product)
