import { OfferStatus } from '../model/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { filterDescription, filterValue } from '../../../kernel/domain/filter-value.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { LabelScalar } from '../../../kernel/graph/scalars.ts'
import { type ProductOffer as DomainOffer } from '../domain/offer.ts'
import {
  acceptProductOffer,
  createOffer,
  publishProductOffer,
  withdrawProductOffer,
} from '../commands/offer.ts'
import { listOffers, loadOffer } from '../store/offer.ts'
import { loadProduct } from '../store/product.ts'
import { loadQuote } from '../store/quote.ts'
import {
  CreateProductOfferInput,
  OfferHeadline,
  ProductOffer,
  ProductOfferConnection,
} from '../model/offer.ts'
import { PricingQuote } from '../model/pricing-quote.ts'
import { Product } from '../model/product.ts'
import { CustomerStub } from '../model/references.ts'

/**
 * The maximum page size of `productOffers`. It is larger than usual, because the REST operation
 * returns all offers in one array.
 */
const maxOffers = 1000

@Resolver(() => ProductOffer)
export class ProductOfferResolver {
  @Requires('offers:read')
  @Query(() => ProductOffer, { nullable: true, description: 'Returns one offer.' })
  async productOffer(
    @Arg('offerId', () => ID, { description: 'The ID of the offer.' }) offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    const offer = await loadOffer(context, offerId)
    if (offer) return offer
    throw new Problem('OFFER_NOT_FOUND', { resourceId: offerId })
  }

  @Requires('offers:read')
  @Query(() => ProductOfferConnection, {
    description: 'Returns offers in order of creation. All filters must match.',
  })
  productOffers(
    @Arg('productId', () => ID, {
      nullable: true,
      description: 'Returns only offers of this product.',
    })
    productId: string | null,
    @Arg('customerId', () => ID, {
      nullable: true,
      description: 'Returns only offers made to this customer.',
    })
    customerId: string | null,
    @Arg('status', () => String, {
      nullable: true,
      description: filterDescription('Returns only offers in this state', OfferStatus.values),
    })
    status: string | null,
    @Arg('channel', () => LabelScalar, {
      nullable: true,
      description: 'Returns only offers in this sales channel.',
    })
    channel: string | null,
    @FirstArg(maxOffers)
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainOffer>> {
    const filter = {
      productId: productId ?? null,
      customerId: customerId ?? null,
      status: filterValue(status, OfferStatus.values, '/status'),
      channel: channel ?? null,
    }
    return readPage(
      context,
      'productOffers',
      filter,
      { first, after },
      (afterKey, take) => listOffers(context, filter, afterKey, take),
      (offer) => [offer.createdAt.toISOString(), offer.offerId],
      maxOffers,
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
      'Publishes a draft offer. Rejected if the quote has expired or the product version is not ' +
      'active.',
  })
  publishProductOffer(
    @Arg('offerId', () => ID, { description: 'The ID of the draft offer.' })
    offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return publishProductOffer(context, offerId)
  }

  @Requires('accounts:write')
  @Mutation(() => ProductOffer, {
    description:
      'Accepts a published offer on behalf of the customer to whom it was made. Rejected if the ' +
      'offer was made to everyone, or if it is outside its validity period.',
  })
  acceptProductOffer(
    @Arg('offerId', () => ID, { description: 'The ID of the published offer.' })
    offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return acceptProductOffer(context, offerId)
  }

  @Requires('products:write')
  @Mutation(() => ProductOffer, { description: 'Withdraws a published offer.' })
  withdrawProductOffer(
    @Arg('offerId', () => ID, { description: 'The ID of the published offer.' })
    offerId: string,
    @Ctx() context: Context,
  ): Promise<DomainOffer> {
    return withdrawProductOffer(context, offerId)
  }

  @FieldResolver(() => OfferHeadline, {
    description: 'The key figures of the offer, such as the interest rate.',
  })
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
    description: 'The offered product version; null if it is not visible to the caller.',
  })
  product(@Root() offer: DomainOffer, @Ctx() context: Context) {
    return loadProduct(context, { productId: offer.productId, version: offer.productVersion })
  }

  @FieldResolver(() => PricingQuote, {
    nullable: true,
    description:
      'The quote that sets the price of the offer; null if it is not visible to the caller.',
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
