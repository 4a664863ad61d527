import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  VersionLabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import { productStatuses, type ProductStatus } from '../domain/product.ts'
import { parameterTypes, type ParameterType } from '../domain/terms.ts'
import { ProductFeeInput } from './fee.types.ts'

const ProductStatusEnum = wireEnum('ProductStatus', productStatuses, 'Where a version stands.')
const ParameterTypeEnum = wireEnum('ProductParameterType', parameterTypes, 'What a parameter is.')

const parameterDescription = 'Something an arrangement may choose, and between which bounds.'
const interestDescription = 'Interest in percent a year; the margin comes on top of the base.'

@ObjectType({ description: parameterDescription })
export class ProductParameter {
  @Field(() => LabelScalar)
  name: string

  @Field(() => ParameterTypeEnum)
  type: ParameterType

  @Field(() => DecimalScalar, { nullable: true })
  minimum: string | null

  @Field(() => DecimalScalar, { nullable: true })
  maximum: string | null

  @Field(() => LabelScalar, { nullable: true })
  default: string | null
}

@ObjectType({ description: interestDescription })
export class ProductInterest {
  @Field(() => DecimalScalar)
  basePct: string

  @Field(() => DecimalScalar)
  marginPct: string

  @Field(() => LabelScalar, { nullable: true })
  referenceRate: string | null
}

@ObjectType({
  description: 'One version of a product. Its content never changes, its status does.',
})
@Directive('@key(fields: "productId version")')
export class Product {
  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar, { description: 'The label of the version, such as 2026.10.' })
  version: string

  @Field(() => LabelScalar)
  name: string

  @Field(() => LabelScalar)
  productClass: string

  @Field(() => ProductStatusEnum)
  status: ProductStatus

  @Field(() => TextScalar, { nullable: true })
  description: string | null

  @Field(() => [CurrencyScalar], {
    description: 'What it is offered in; the first is the default.',
  })
  currencies: string[]

  @Field(() => [ProductParameter])
  parameters: ProductParameter[]

  @Field(() => ProductInterest, { nullable: true })
  interest: ProductInterest | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'The first day it may be opened.' })
  effectiveFrom: string | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'The last day it may be opened.' })
  effectiveTo: string | null

  @Field(() => Int, { nullable: true, description: 'How many a customer may have at a time.' })
  maxPerCustomer: number | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const ProductConnection = connectionOf('Product', () => Product)

@InputType({ description: parameterDescription })
class ProductParameterInput {
  @Field(() => LabelScalar)
  name: string

  @Field(() => ParameterTypeEnum)
  type: ParameterType

  @Field(() => DecimalScalar, { nullable: true })
  minimum?: string | null

  @Field(() => DecimalScalar, { nullable: true })
  maximum?: string | null

  @Field(() => LabelScalar, { nullable: true })
  default?: string | null
}

@InputType({ description: interestDescription })
class ProductInterestInput {
  @Field(() => DecimalScalar)
  basePct: string

  @Field(() => DecimalScalar, { nullable: true, description: '0 when absent.' })
  marginPct?: string | null

  @Field(() => LabelScalar, { nullable: true })
  referenceRate?: string | null
}

@InputType({ description: 'A version of a product.' })
export class CreateProductInput {
  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar)
  name: string

  @Field(() => LabelScalar, { description: 'Any text; known classes can be opened as accounts.' })
  productClass: string

  @Field(() => LabelScalar, { description: 'The requested initial state: draft or active.' })
  status: string

  @Field(() => VersionLabelScalar, {
    description: 'The label of the version, year.month, such as 2026.10.',
  })
  version: string

  @Field(() => TextScalar, { nullable: true })
  description?: string | null

  @Field(() => [CurrencyScalar], { nullable: true, description: 'EUR when absent.' })
  currencies?: string[] | null

  @Field(() => [ProductParameterInput], { nullable: true })
  parameters?: ProductParameterInput[] | null

  @Field(() => [ProductFeeInput], { nullable: true })
  fees?: ProductFeeInput[] | null

  @Field(() => ProductInterestInput, { nullable: true })
  interest?: ProductInterestInput | null

  @Field(() => LocalDateScalar, { nullable: true })
  effectiveFrom?: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  effectiveTo?: string | null

  @Field(() => Int, { nullable: true })
  maxPerCustomer?: number | null
}
