import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { filterDescription, filterValue } from '../../_kernel/domain/filter-value.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { moneyOut } from '../../_kernel/graph/money.types.ts'
import { LabelScalar } from '../../_kernel/scalars.ts'
import { offerStatuses, type ProductOffer as DomainOffer } from '../domain/offer.ts'
import {
  acceptProductOffer,
  createOffer,
  publishProductOffer,
  withdrawProductOffer,
} from '../offers.ts'
import { listOffers, loadOffer } from '../store/offer.ts'
import { loadProduct } from '../store/product.ts'
import { loadQuote } from '../store/quote.ts'
import {
  CreateProductOfferInput,
  OfferHeadline,
  ProductOffer,
  ProductOfferConnection,
} from './offer.types.ts'
import { PricingQuote } from './pricing-quote.types.ts'
import { Product } from './product.types.ts'
import { CustomerStub } from './stubs.types.ts'

/**
 * The maximum page size of `productOffers`, larger than usual because the REST operation returns
 * one array.
 */
const mostOffers = 1000

@Resolver(() => ProductOffer)
export class ProductOfferResolver {
  @Requires('offers:read')
  @Query(() => ProductOffer, { nullable: true, description: 'Returns one offer.' })
  async productOffer(
    @Arg('offerId', () => ID, { description: 'The identifier of the offer.' }) offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    const offer = await loadOffer(context, offerId)
    if (offer) return offer
    throw new Problem('OFFER_NOT_FOUND', { resourceId: offerId })
  }

  @Requires('offers:read')
  @Query(() => ProductOfferConnection, {
    description: 'Returns offers in the order of their creation. All filters must match.',
  })
  productOffers(
    @Arg('productId', () => ID, { nullable: true, description: 'Only offers of this product.' })
    productId: string | null,
    @Arg('customerId', () => ID, {
      nullable: true,
      description: 'Only offers made to this customer.',
    })
    customerId: string | null,
    @Arg('status', () => String, {
      nullable: true,
      description: filterDescription('Only offers in this state', offerStatuses),
    })
    status: string | null,
    @Arg('channel', () => LabelScalar, {
      nullable: true,
      description: 'Only offers of this sales channel.',
    })
    channel: string | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The maximum number of records on the page, from 1 to 1,000; 50 when omitted.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        "The cursor after which the page starts: the `endCursor` or an edge's `cursor` of an " +
        'earlier page; the first page when omitted.',
    })
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainOffer>> {
    const filter = {
      productId: productId ?? null,
      customerId: customerId ?? null,
      status: filterValue(status, offerStatuses, '/status'),
      channel: channel ?? null,
    }
    return readPage(
      context,
      'productOffers',
      filter,
      { first, after },
      (from, take) => listOffers(context, filter, from, take),
      (offer) => [offer.createdAt.toISOString(), offer.offerId],
      mostOffers,
    )
  }

  @Requires('products:write')
  @Mutation(() => ProductOffer, { description: 'Creates a draft offer at a quoted price.' })
  createProductOffer(
    @Arg('input', () => CreateProductOfferInput, { description: 'The offer to create.' })
    input: CreateProductOfferInput,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return createOffer(context, input)
  }

  @Requires('products:write')
  @Mutation(() => ProductOffer, {
    description:
      'Publishes a draft offer. Rejected when the quote has expired or the product version ' +
      'is not active.',
  })
  publishProductOffer(
    @Arg('offerId', () => ID, { description: 'The identifier of the draft offer.' })
    offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return publishProductOffer(context, offerId)
  }

  @Requires('accounts:write')
  @Mutation(() => ProductOffer, {
    description:
      'Accepts a published offer on behalf of the customer to whom it was made. Rejected ' +
      'for an offer to everyone and outside its validity.',
  })
  acceptProductOffer(
    @Arg('offerId', () => ID, { description: 'The identifier of the published offer.' })
    offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return acceptProductOffer(context, offerId)
  }

  @Requires('products:write')
  @Mutation(() => ProductOffer, { description: 'Withdraws a published offer.' })
  withdrawProductOffer(
    @Arg('offerId', () => ID, { description: 'The identifier of the published offer.' })
    offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return withdrawProductOffer(context, offerId)
  }

  @FieldResolver(() => OfferHeadline, { description: 'The key figures of the offer.' })
  headline(@Root() { headline }: DomainOffer): OfferHeadline {
    const { minAmount, maxAmount } = headline
    return {
      ...headline,
      minAmount: minAmount && moneyOut(minAmount),
      maxAmount: maxAmount && moneyOut(maxAmount),
    }
  }

  @Requires('products:read')
  @FieldResolver(() => Product, {
    nullable: true,
    description: 'The offered product version; null when the caller may not read it.',
  })
  product(@Root() offer: DomainOffer, @Ctx() context: Context) {
    return loadProduct(context, { productId: offer.productId, version: offer.productVersion })
  }

  @FieldResolver(() => PricingQuote, {
    nullable: true,
    description:
      'The quote that sets the price of the offer; null when the caller may not read it.',
  })
  quote(@Root() { pricingQuoteId }: DomainOffer, @Ctx() context: Context) {
    return loadQuote(context, pricingQuoteId)
  }

  @FieldResolver(() => CustomerStub, {
    nullable: true,
    description: 'The customer to whom the offer is made; null for an offer to everyone.',
  })
  customer(@Root() { customerId }: DomainOffer): CustomerStub | null {
    return customerId === null ? null : { customerId }
  }
}
