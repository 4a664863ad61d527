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
  PricingQuote,
  ProductOffer,
  ProductOfferConnection,
} from './offer.types.ts'
import { Product } from './product.types.ts'
import { CustomerStub } from './stubs.types.ts'

/** Who lists everything at once gets this many. */
const mostOffers = 1000

@Resolver(() => ProductOffer)
export class ProductOfferResolver {
  @Requires('offers:read')
  @Query(() => ProductOffer, { nullable: true, description: 'One offer.' })
  async productOffer(
    @Arg('offerId', () => ID) offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    const offer = await loadOffer(context, offerId)
    if (offer) return offer
    throw new Problem('OFFER_NOT_FOUND', { resourceId: offerId })
  }

  @Requires('offers:read')
  @Query(() => ProductOfferConnection, {
    description: 'Offers in the order they were drafted, at most 1,000 at a time.',
  })
  productOffers(
    @Arg('productId', () => ID, { nullable: true }) productId: string | null,
    @Arg('customerId', () => ID, { nullable: true }) customerId: string | null,
    @Arg('status', () => String, {
      nullable: true,
      description: filterDescription('Only offers in this status', offerStatuses),
    })
    status: string | null,
    @Arg('channel', () => LabelScalar, { nullable: true }) channel: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
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
  @Mutation(() => ProductOffer, { description: 'Drafts an offer at a quoted price.' })
  createProductOffer(
    @Arg('input', () => CreateProductOfferInput) input: CreateProductOfferInput,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return createOffer(context, input)
  }

  @Requires('products:write')
  @Mutation(() => ProductOffer, { description: 'Opens an offer to whom it is made.' })
  publishProductOffer(
    @Arg('offerId', () => ID) offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return publishProductOffer(context, offerId)
  }

  @Requires('accounts:write')
  @Mutation(() => ProductOffer, { description: 'Records that the customer takes an offer.' })
  acceptProductOffer(
    @Arg('offerId', () => ID) offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return acceptProductOffer(context, offerId)
  }

  @Requires('products:write')
  @Mutation(() => ProductOffer, { description: 'Takes an offer back.' })
  withdrawProductOffer(
    @Arg('offerId', () => ID) offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return withdrawProductOffer(context, offerId)
  }

  @FieldResolver(() => OfferHeadline)
  headline(@Root() { headline }: DomainOffer): OfferHeadline {
    const { minAmount, maxAmount } = headline
    return {
      ...headline,
      minAmount: minAmount && moneyOut(minAmount),
      maxAmount: maxAmount && moneyOut(maxAmount),
    }
  }

  @Requires('products:read')
  @FieldResolver(() => Product, { nullable: true })
  product(@Root() offer: DomainOffer, @Ctx() context: Context) {
    return loadProduct(context, { productId: offer.productId, version: offer.productVersion })
  }

  @FieldResolver(() => PricingQuote, { nullable: true })
  quote(@Root() { pricingQuoteId }: DomainOffer, @Ctx() context: Context) {
    return loadQuote(context, pricingQuoteId)
  }

  @FieldResolver(() => CustomerStub, { nullable: true })
  customer(@Root() { customerId }: DomainOffer): CustomerStub | null {
    return customerId === null ? null : { customerId }
  }
}
