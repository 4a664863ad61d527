import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
} from '../../../kernel/graph/scalars.ts'
import { offerStatuses, type OfferStatus } from '../domain/offer.ts'

const OfferStatusEnum = wireEnum('OfferStatus', offerStatuses, 'The lifecycle state of an offer.', {
  draft: 'The offer is being prepared and is not visible to customers.',
  active: 'The offer is published and can be accepted until `validTo`.',
  accepted: 'The customer accepted the offer. This state is final.',
  expired: 'The offer was not accepted before `validTo`. This state is final.',
  withdrawn: 'The bank withdrew the published offer. This state is final.',
})

@ObjectType({ description: 'The key figures of an offer.' })
export class OfferHeadline {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The interest rate, in percent per year; null if the product bears no interest.',
  })
  ratePct: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The annual percentage rate of charge, in percent; null unless the product is a loan ' +
      'repaid in installments.',
  })
  aprcPct: string | null

  @Field(() => CurrencyScalar, { description: 'The currency of the offer, as an ISO 4217 code.' })
  currency: string

  @Field(() => MoneyType, {
    nullable: true,
    description: 'The minimum amount that the product allows; null if there is none.',
  })
  minAmount: MoneyType | null

  @Field(() => MoneyType, {
    nullable: true,
    description: 'The maximum amount that the product allows; null if there is none.',
  })
  maxAmount: MoneyType | null

  @Field(() => [Int], {
    description:
      'The term of the quote, in months. If the quote has no term, the list contains the ' +
      'shortest and the longest term of the product, if the product defines them.',
  })
  termMonths: number[]
}

@ObjectType({
  description:
    'An offer of a product version at a quoted price, made to one customer or to everyone.',
})
@Directive('@key(fields: "offerId")')
export class ProductOffer {
  @Field(() => ID, { description: 'The ID of the offer.' })
  offerId: string

  @Field(() => ID, { description: 'The ID of the offered product.' })
  productId: string

  @Field(() => LabelScalar, { description: 'The label of the offered version.' })
  productVersion: string

  @Field(() => OfferStatusEnum, { description: 'The current lifecycle state of the offer.' })
  status: OfferStatus

  @Field(() => ID, { description: 'The ID of the quote that sets the price of the offer.' })
  pricingQuoteId: string

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the customer to whom the offer is made; null for an offer to everyone.',
  })
  customerId: string | null

  @Field(() => DateTimeScalar, { description: 'When the offer becomes valid, in UTC.' })
  validFrom: Date

  @Field(() => DateTimeScalar, {
    description: 'When the offer expires, in UTC. It never expires later than the quote.',
  })
  validTo: Date

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The sales channel of the offer; null if none was given.',
  })
  channel: string | null

  @Field(() => DateTimeScalar, { description: 'When the offer was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the offer last changed, in UTC.' })
  updatedAt: Date
}

export const ProductOfferConnection = connectionOf('ProductOffer', () => ProductOffer)

@InputType({ description: 'The offer to create.' })
export class CreateProductOfferInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new offer; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing offer.',
  })
  offerId?: string | null

  @Field(() => ID, { description: 'The ID of the offered product.' })
  productId: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The label of the offered version, which must be the quoted version. Defaults to the ' +
      'quoted version.',
  })
  version?: string | null

  @Field(() => ID, { description: 'The ID of the quote that sets the price of the offer.' })
  pricingQuoteId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the customer to whom the offer is made. If omitted, the offer is made to ' +
      'everyone.',
  })
  customerId?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'The sales channel of the offer.' })
  channel?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the offer becomes valid. Defaults to the current time.',
  })
  validFrom?: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the offer expires, not later than the quote. Defaults to the expiry of the quote.',
  })
  validTo?: Date | null
}
