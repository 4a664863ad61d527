import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import { productStatuses, type ProductStatus } from '../domain/product.ts'
import { productRequirements } from '../domain/requirements.ts'
import { parameterTypes, type ParameterType } from '../domain/terms.ts'

const ProductStatusEnum = wireEnum(
  'ProductStatus',
  productStatuses,
  'The lifecycle state of a product version.',
  {
    draft: 'The version is being prepared and is not on sale yet.',
    active: 'The version is on sale. At most one version of a product is active.',
    suspended: 'The version is temporarily not on sale.',
    superseded:
      'A newer version has replaced this version. Existing arrangements are not affected.',
    retired:
      'The version is permanently off sale. Existing arrangements are not affected. This state ' +
      'is final.',
    withdrawn: 'The draft was discarded before it was on sale. This state is final.',
  },
)
export const ProductRequirementEnum = wireEnum(
  'ProductRequirement',
  productRequirements,
  'Something that a product version lacks and needs for its intended use.',
  {
    interest:
      'The interest rate of a credit product. Without an interest rate, the product is lent at 0 ' +
      'percent. Create a new version with `interest`; a rate of 0 states that the credit is free ' +
      'of interest.',
  },
)
export const ParameterTypeEnum = wireEnum(
  'ProductParameterType',
  parameterTypes,
  'The data type of a product parameter.',
  {
    amount:
      "A monetary amount in major units of the arrangement's currency, such as 12.50 for EUR " +
      '12.50.',
    decimal: 'A decimal number.',
    integer: 'A whole number.',
    boolean: '`true` or `false`.',
    text: 'A text of up to 64 characters.',
  },
)

@ObjectType({
  description:
    'A parameter whose value is chosen for each arrangement of the product, with its range.',
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
    description: 'The lowest allowed number, inclusive; null if there is no lower bound.',
  })
  minimum: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The highest allowed number, inclusive; null if there is no upper bound.',
  })
  maximum: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The default value; null if there is none.',
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
      'The name of the reference rate from which the base rate was set; null if there is none.',
  })
  referenceRate: string | null
}

@ObjectType({
  description:
    'A version of a product. The content of a version never changes; only its status changes.',
})
@Directive('@key(fields: "productId version")')
export class Product {
  @Field(() => ID, { description: 'The ID of the product, shared by all of its versions.' })
  productId: string

  @Field(() => LabelScalar, {
    description: 'The label of the version: a year and a month, such as `2026.10`.',
  })
  version: string

  @Field(() => LabelScalar, { description: 'The name of the product.' })
  name: string

  @Field(() => LabelScalar, {
    description:
      'The class of the product, such as `current-account`. It determines how the arrangements ' +
      'of the product behave.',
  })
  productClass: string

  @Field(() => ProductStatusEnum, { description: 'The current lifecycle state of the version.' })
  status: ProductStatus

  @Field(() => TextScalar, {
    nullable: true,
    description: 'A description of the product; null if none was given.',
  })
  description: string | null

  @Field(() => [CurrencyScalar], {
    description:
      'The currencies in which the product is offered, as ISO 4217 codes. The first currency is ' +
      'the default.',
  })
  currencies: string[]

  @Field(() => [ProductParameter], {
    description: 'The parameters whose values are chosen for each arrangement of the product.',
  })
  parameters: ProductParameter[]

  @Field(() => ProductInterest, {
    nullable: true,
    description: 'The interest rate of the product; null if the product bears no interest.',
  })
  interest: ProductInterest | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The first day on which arrangements can be opened under the version; null if there is no ' +
      'first day.',
  })
  effectiveFrom: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which arrangements can be opened under the version; null if there is no ' +
      'last day.',
  })
  effectiveTo: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The maximum number of arrangements of the product that a customer can have at the same ' +
      'time; null if there is no maximum.',
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
