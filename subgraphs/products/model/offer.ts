import { OfferStatus } from './enumerations.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import {
  currency,
  decimal,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  money,
  oneOf,
  shape,
  stored,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const OfferHeadline = shape('OfferHeadline', 'The key figures of an offer.', {
  ratePct: decimal(
    'The interest rate, in percent per year; null if the product bears no interest.',
  ).orNull(),
  aprcPct: decimal(
    'The annual percentage rate of charge, in percent; null unless the product is a loan ' +
      'repaid in installments.',
  ).orNull(),
  currency: currency('The currency of the offer, as an ISO 4217 code.'),
  minAmount: money('The minimum amount that the product allows; null if there is none.').orNull(),
  maxAmount: money('The maximum amount that the product allows; null if there is none.').orNull(),
  termMonths: list(
    integer(),
    'The term of the quote, in months. If the quote has no term, the list contains the ' +
      'shortest and the longest term of the product, if the product defines them.',
  ),
})
export type OfferHeadline = TypeOf<typeof OfferHeadline>

/**
 * The key figures of an offer, copied from its quote and its product version, which never change.
 */
export interface StoredHeadline extends Omit<OfferHeadline, 'minAmount' | 'maxAmount'> {
  minAmount: Money | null
  maxAmount: Money | null
}

export const ProductOffer = entity(
  'ProductOffer',
  'offerId',
  'An offer of a product version at a quoted price, made to one customer or to everyone.',
  {
    offerId: id('The ID of the offer.').inEvents(),
    productId: id('The ID of the offered product.').inEvents(),
    productVersion: label('The label of the offered version.').inEvents(),
    status: oneOf(OfferStatus, 'The current lifecycle state of the offer.').inEvents(),
    pricingQuoteId: id('The ID of the quote that sets the price of the offer.').inEvents(),
    customerId: id(
      'The ID of the customer to whom the offer is made; null for an offer to everyone.',
    )
      .orNull()
      .inEvents(),
    validFrom: instant('When the offer becomes valid, in UTC.').inEvents(),
    validTo: instant(
      'When the offer expires, in UTC. It never expires later than the quote.',
    ).inEvents(),
    channel: label('The sales channel of the offer; null if none was given.').orNull().inEvents(),
    createdAt: instant('When the offer was created, in UTC.'),
    updatedAt: instant('When the offer last changed, in UTC.'),
    partyId: stored<string | null>(),
    headline: stored<StoredHeadline>(),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type ProductOffer = TypeOf<typeof ProductOffer>

export const offerStates = stateMachine(
  ProductOffer,
  'status',
  {
    publishProductOffer: {
      description:
        'Publishes a draft offer. Rejected if the quote has expired or the product version is not ' +
        'active.',
      scope: 'products:write',
      from: ['draft'],
      to: 'active',
      event: ['products.offer.published', 'An offer was published.'],
      isForDelegatedUsers: true,
    },
    acceptProductOffer: {
      description:
        'Accepts a published offer on behalf of the customer to whom it was made. Rejected if the ' +
        'offer was made to everyone, or if it is outside its validity period.',
      scope: 'accounts:write',
      from: ['active'],
      to: 'accepted',
      event: ['products.offer.accepted', 'A customer accepted an offer.'],
      isForDelegatedUsers: true,
    },
    withdrawProductOffer: {
      description: 'Withdraws a published offer.',
      scope: 'products:write',
      from: ['active'],
      to: 'withdrawn',
      event: ['products.offer.withdrawn', 'An offer was withdrawn by the bank.'],
      isForDelegatedUsers: true,
    },
  },
  { active: ['expired'] },
)

export const CreateProductOfferInput = input('CreateProductOfferInput', 'The offer to create.', {
  offerId: id(
    'The ID of the new offer; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing offer.',
  ).orNull(),
  productId: id('The ID of the offered product.'),
  version: label(
    'The label of the offered version, which must be the quoted version. Defaults to the ' +
      'quoted version.',
  ).orNull(),
  pricingQuoteId: id('The ID of the quote that sets the price of the offer.'),
  customerId: id(
    'The ID of the customer to whom the offer is made. If omitted, the offer is made to ' +
      'everyone.',
  ).orNull(),
  channel: label('The sales channel of the offer.').orNull(),
  validFrom: instant('When the offer becomes valid. Defaults to the current time.').orNull(),
  validTo: instant(
    'When the offer expires, not later than the quote. Defaults to the expiry of the quote.',
  ).orNull(),
})
export type CreateProductOfferInput = TypeOf<typeof CreateProductOfferInput>
