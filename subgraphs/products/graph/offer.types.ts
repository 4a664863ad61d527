import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import type { FeeFrequency } from '../../_kernel/domain/fee.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyInput, MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
} from '../../_kernel/scalars.ts'
import { offerStatuses, type OfferStatus } from '../domain/offer.ts'
import { componentKinds, type ComponentKind } from '../domain/quote.ts'
import { FeeFrequencyEnum } from './fee.types.ts'

const OfferStatusEnum = wireEnum('OfferStatus', offerStatuses, 'Where an offer stands.')
const ComponentKindEnum = wireEnum('PriceComponentKind', componentKinds, 'What moves a rate.')

@ObjectType({ description: 'A part of a rate; the parts add up to it.' })
export class PriceComponent {
  @Field(() => ComponentKindEnum)
  kind: ComponentKind

  @Field(() => DecimalScalar, { description: 'Percent a year; a discount is negative.' })
  ratePct: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The reference rate, or the reason of a discount.',
  })
  source: string | null
}

@ObjectType({ description: 'A fee as it is charged, each time.' })
export class PricedFee {
  @Field(() => LabelScalar)
  code: string

  @Field(() => FeeFrequencyEnum)
  frequency: FeeFrequency

  @Field(() => MoneyType)
  amount: MoneyType
}

@ObjectType({ description: 'A price as it was computed. It never changes.' })
@Directive('@key(fields: "pricingQuoteId")')
export class PricingQuote {
  @Field(() => ID)
  pricingQuoteId: string

  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar)
  productVersion: string

  @Field(() => ID, {
    nullable: true,
    description: 'Whom it was computed for; absent: for anybody.',
  })
  customerId: string | null

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => Int, { nullable: true })
  termMonths: number | null

  @Field(() => LabelScalar, { description: 'The version of the rules it was computed under.' })
  ruleVersion: string

  @Field(() => [PriceComponent])
  components: PriceComponent[]

  @Field(() => DecimalScalar, { nullable: true, description: 'The sum of the components.' })
  ratePct: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'For a loan, the annual percentage rate of charge (Directive 2008/48/EC, Annex I).',
  })
  aprcPct: string | null

  @Field(() => DateTimeScalar)
  expiresAt: Date

  @Field(() => DateTimeScalar)
  createdAt: Date
}

@ObjectType({ description: 'What an offer says first.' })
export class OfferHeadline {
  @Field(() => DecimalScalar, { nullable: true })
  ratePct: string | null

  @Field(() => DecimalScalar, { nullable: true })
  aprcPct: string | null

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => MoneyType, { nullable: true })
  minAmount: MoneyType | null

  @Field(() => MoneyType, { nullable: true })
  maxAmount: MoneyType | null

  @Field(() => [Int], {
    description: 'The term that was priced; else the shortest and the longest.',
  })
  termMonths: number[]
}

@ObjectType({
  description: 'A version of a product at a quoted price, to everybody or one customer.',
})
@Directive('@key(fields: "offerId")')
export class ProductOffer {
  @Field(() => ID)
  offerId: string

  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar)
  productVersion: string

  @Field(() => OfferStatusEnum)
  status: OfferStatus

  @Field(() => ID)
  pricingQuoteId: string

  @Field(() => ID, { nullable: true, description: 'Whom it is made to; absent: to everybody.' })
  customerId: string | null

  @Field(() => DateTimeScalar)
  validFrom: Date

  @Field(() => DateTimeScalar, { description: 'It is open until then.' })
  validTo: Date

  @Field(() => LabelScalar, { nullable: true })
  channel: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const ProductOfferConnection = connectionOf('ProductOffer', () => ProductOffer)

@InputType({ description: 'What to price. A loan is priced for an amount and a term.' })
export class CreatePricingQuoteInput {
  @Field(() => ID, { nullable: true })
  pricingQuoteId?: string | null

  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar, { nullable: true, description: 'The active version when absent.' })
  version?: string | null

  @Field(() => ID, { nullable: true, description: 'Makes it a price for this customer alone.' })
  customerId?: string | null

  @Field(() => CurrencyScalar, {
    nullable: true,
    description: "The amount's, or the product's first.",
  })
  currency?: string | null

  @Field(() => MoneyInput, { nullable: true })
  amount?: MoneyInput | null

  @Field(() => Int, { nullable: true })
  termMonths?: number | null

  @Field(() => DecimalScalar, { nullable: true, description: "The product's margin when absent." })
  marginPct?: string | null

  @Field(() => DecimalScalar, { nullable: true })
  discountPct?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'A campaign, instead of a discount of one’s own.',
  })
  campaignId?: string | null

  @Field(() => LabelScalar, { nullable: true })
  discountReason?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: '30 days from now when absent.' })
  expiresAt?: Date | null
}

@InputType({ description: 'An offer to draft.' })
export class CreateProductOfferInput {
  @Field(() => ID, { nullable: true })
  offerId?: string | null

  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The version that was priced when absent.',
  })
  version?: string | null

  @Field(() => ID)
  pricingQuoteId: string

  @Field(() => ID, { nullable: true, description: 'Makes it an offer to this customer alone.' })
  customerId?: string | null

  @Field(() => LabelScalar, { nullable: true })
  channel?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'Now when absent.' })
  validFrom?: Date | null

  @Field(() => DateTimeScalar, { nullable: true, description: "The quote's expiry when absent." })
  validTo?: Date | null
}
