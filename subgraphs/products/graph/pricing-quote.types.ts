import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import type { FeeFrequency } from '../../../kernel/domain/fee.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyInput, MoneyType } from '../../../kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
} from '../../../kernel/graph/scalars.ts'
import { componentKinds, type ComponentKind } from '../domain/quote.ts'
import { FeeFrequencyEnum } from './fee.types.ts'

const ComponentKindEnum = wireEnum(
  'PriceComponentKind',
  componentKinds,
  'Whether a component of an interest rate is the base rate, the margin or a discount.',
  {
    base: 'The base rate of the product.',
    margin: 'The margin added to the base rate.',
    discount: 'A discount subtracted from the rate.',
  },
)

@ObjectType({
  description: 'A component of a quoted interest rate. The components add up to the rate.',
})
export class PriceComponent {
  @Field(() => ComponentKindEnum, {
    description: 'Whether the component is the base rate, the margin or a discount.',
  })
  kind: ComponentKind

  @Field(() => DecimalScalar, {
    description: 'The component, in percent per year. Discounts are negative.',
  })
  ratePct: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The name of the reference rate of a base rate, or the reason for a discount, such as ' +
      '`campaign/<id>`; null if there is none.',
  })
  source: string | null
}

@ObjectType({ description: 'A fee of a product version, at the price that the quote computed.' })
export class PricedFee {
  @Field(() => LabelScalar, { description: 'The code of the fee in the product version.' })
  code: string

  @Field(() => FeeFrequencyEnum, { description: 'How often the fee is charged.' })
  frequency: FeeFrequency

  @Field(() => MoneyType, { description: 'The amount charged each time the fee is due.' })
  amount: MoneyType
}

@ObjectType({
  description:
    'The price of a product version, as computed at the time of the request. A quote ' +
    'never changes.',
})
@Directive('@key(fields: "pricingQuoteId")')
export class PricingQuote {
  @Field(() => ID, { description: 'The ID of the quote.' })
  pricingQuoteId: string

  @Field(() => ID, { description: 'The ID of the priced product.' })
  productId: string

  @Field(() => LabelScalar, { description: 'The label of the priced version.' })
  productVersion: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the customer for whom the price was computed; null if the price applies to ' +
      'everyone.',
  })
  customerId: string | null

  @Field(() => CurrencyScalar, {
    description: 'The currency of all amounts in the quote, as an ISO 4217 code.',
  })
  currency: string

  @Field(() => Int, {
    nullable: true,
    description: 'The term that was priced, in months; null if none was given.',
  })
  termMonths: number | null

  @Field(() => LabelScalar, {
    description: 'The version of the pricing rules with which the price was computed.',
  })
  ruleVersion: string

  @Field(() => [PriceComponent], {
    description: 'The components of the interest rate; empty if the product bears no interest.',
  })
  components: PriceComponent[]

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The interest rate in percent per year, which is the sum of the components; null if the ' +
      'product bears no interest.',
  })
  ratePct: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The annual percentage rate of charge of a loan, in percent with two decimals ' +
      '(Directive 2008/48/EC, Annex I); null for other products.',
  })
  aprcPct: string | null

  @Field(() => DateTimeScalar, {
    description: 'When the quote expires, in UTC. The price is valid before this time.',
  })
  expiresAt: Date

  @Field(() => DateTimeScalar, { description: 'When the quote was computed, in UTC.' })
  createdAt: Date
}

@InputType({
  description:
    'The product version to price. A loan repaid in installments needs an amount and a term.',
})
export class CreatePricingQuoteInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new quote; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing quote.',
  })
  pricingQuoteId?: string | null

  @Field(() => ID, { description: 'The ID of the product to price.' })
  productId: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The label of the draft or active version to price. Defaults to the active version, or to ' +
      'the newest version if none is active.',
  })
  version?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the customer for whom the price is computed. If omitted, the price applies to ' +
      'everyone.',
  })
  customerId?: string | null

  @Field(() => CurrencyScalar, {
    nullable: true,
    description:
      'The currency of the price. Defaults to the currency of `amount`, or to the default ' +
      'currency of the product.',
  })
  currency?: string | null

  @Field(() => MoneyInput, {
    nullable: true,
    description: "The amount to price, within the range of the product's `amount` parameter.",
  })
  amount?: MoneyInput | null

  @Field(() => Int, {
    nullable: true,
    description:
      "The term to price, in months, from 1 to 600 and within the range of the product's " +
      '`termMonths` parameter.',
  })
  termMonths?: number | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The margin added to the base rate, in percentage points per year. Defaults to the ' +
      "product's margin.",
  })
  marginPct?: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The discount subtracted from the rate, in percentage points per year, 0 or more. ' +
      'Cannot be combined with `campaignId`.',
  })
  discountPct?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of an active campaign whose discount applies. Cannot be combined with `discountPct`.',
  })
  campaignId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The reason for the discount, stored as the source of the discount component.',
  })
  discountReason?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the quote expires, in the future. Defaults to 30 days from now.',
  })
  expiresAt?: Date | null
}
