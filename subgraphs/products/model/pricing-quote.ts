import { ComponentKind } from './enumerations.ts'
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
  object,
  oneOf,
  shape,
  stored,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { FeeFrequency } from '../../../kernel/domain/fee.ts'
import { FeeFrequencyEnum } from './fee.ts'

export const PriceComponent = shape(
  'PriceComponent',
  'A component of a quoted interest rate. The components add up to the rate.',
  {
    kind: oneOf(ComponentKind, 'Whether the component is the base rate, the margin or a discount.'),
    ratePct: decimal('The component, in percent per year. Discounts are negative.'),
    source: label(
      'The name of the reference rate of a base rate, or the reason for a discount, such as ' +
        '`campaign/<id>`; null if there is none.',
    ).orNull(),
  },
)
export type PriceComponent = TypeOf<typeof PriceComponent>

export const PricedFee = shape(
  'PricedFee',
  'A fee of a product version, at the price that the quote computed.',
  {
    code: label('The code of the fee in the product version.'),
    frequency: oneOf(FeeFrequencyEnum, 'How often the fee is charged.'),
    amount: money('The amount charged each time the fee is due.'),
  },
)
export type PricedFee = TypeOf<typeof PricedFee>

/** A fee with the amount of one charge, in the currency of the quote. */
export interface StoredFee {
  code: string
  frequency: FeeFrequency
  amountMinor: bigint
}

export const PricingQuote = entity(
  'PricingQuote',
  'pricingQuoteId',
  'The price of a product version, as computed at the time of the request. A quote ' +
    'never changes.',
  {
    pricingQuoteId: id('The ID of the quote.'),
    productId: id('The ID of the priced product.'),
    productVersion: label('The label of the priced version.'),
    customerId: id(
      'The ID of the customer for whom the price was computed; null if the price applies to ' +
        'everyone.',
    ).orNull(),
    currency: currency('The currency of all amounts in the quote, as an ISO 4217 code.'),
    termMonths: integer('The term that was priced, in months; null if none was given.').orNull(),
    ruleVersion: label('The version of the pricing rules with which the price was computed.'),
    components: list(
      object(PriceComponent),
      'The components of the interest rate; empty if the product bears no interest.',
    ),
    ratePct: decimal(
      'The interest rate in percent per year, which is the sum of the components; null if the ' +
        'product bears no interest.',
    ).orNull(),
    aprcPct: decimal(
      'The annual percentage rate of charge of a loan, in percent with two decimals ' +
        '(Directive 2008/48/EC, Annex I); null for other products.',
    ).orNull(),
    expiresAt: instant('When the quote expires, in UTC. The price is valid before this time.'),
    createdAt: instant('When the quote was computed, in UTC.'),
    partyId: stored<string | null>(),
    amountMinor: stored<bigint | null>(),
    fees: stored<readonly StoredFee[]>(),
    installmentMinor: stored<bigint | null>(),
    totalPayableMinor: stored<bigint | null>(),
    contentHash: stored<string>(),
  },
)
export type PricingQuote = TypeOf<typeof PricingQuote>

export const CreatePricingQuoteInput = input(
  'CreatePricingQuoteInput',
  'The product version to price. A loan repaid in installments needs an amount and a term.',
  {
    pricingQuoteId: id(
      'The ID of the new quote; generated if omitted. A repeated request with the same ID and ' +
        'content returns the existing quote.',
    ).orNull(),
    productId: id('The ID of the product to price.'),
    version: label(
      'The label of the draft or active version to price. Defaults to the active version, or to ' +
        'the newest version if none is active.',
    ).orNull(),
    customerId: id(
      'The ID of the customer for whom the price is computed. If omitted, the price applies to ' +
        'everyone.',
    ).orNull(),
    currency: currency(
      'The currency of the price. Defaults to the currency of `amount`, or to the default ' +
        'currency of the product.',
    ).orNull(),
    amount: money(
      "The amount to price, within the range of the product's `amount` parameter.",
    ).orNull(),
    termMonths: integer(
      "The term to price, in months, from 1 to 600 and within the range of the product's " +
        '`termMonths` parameter.',
    ).orNull(),
    marginPct: decimal(
      'The margin added to the base rate, in percentage points per year. Defaults to the ' +
        "product's margin.",
    ).orNull(),
    discountPct: decimal(
      'The discount subtracted from the rate, in percentage points per year, 0 or more. ' +
        'Cannot be combined with `campaignId`.',
    ).orNull(),
    campaignId: id(
      'The ID of an active campaign whose discount applies. Cannot be combined with `discountPct`.',
    ).orNull(),
    discountReason: label(
      'The reason for the discount, stored as the source of the discount component.',
    ).orNull(),
    expiresAt: instant(
      'When the quote expires, in the future. Defaults to 30 days from now.',
    ).orNull(),
  },
)
export type CreatePricingQuoteInput = TypeOf<typeof CreatePricingQuoteInput>
