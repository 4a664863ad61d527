import { requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import { id, label, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { changeOffer, createOffer, offeredVersion } from '../commands/offer.ts'
import { requireAcceptable, requirePublishable } from '../domain/offer.ts'
import { OfferStatus } from '../model/enumerations.ts'
import {
  CreateProductOfferInput,
  OfferHeadline,
  offerStates,
  ProductOffer,
} from '../model/offer.ts'
import { PricingQuote } from '../model/pricing-quote.ts'
import { Product } from '../model/product.ts'
import { CustomerStub } from '../model/references.ts'
import { listOffers, loadOffer, offerTable } from '../store/offer.ts'
import { loadProduct } from '../store/product.ts'
import { findQuote, loadQuote } from '../store/quote.ts'
import { textFilter, withTextFilter } from '../../../kernel/graph/text-filter.ts'

/**
 * The maximum page size of `productOffers`. It is larger than usual, because the REST operation
 * returns all offers in one array.
 */
const maxOffers = 1000

const productOffers = listing(ProductOffer, {
  description: 'Returns offers in order of creation. All filters must match.',
  scope: 'offers:read',
  filters: {
    productId: id('Returns only offers of this product.').orNull(),
    customerId: id('Returns only offers made to this customer.').orNull(),
    status: textFilter('Returns only offers in this state', OfferStatus),
    channel: label('Returns only offers in this sales channel.').orNull(),
  },
  maxPageSize: maxOffers,
  list: listOffers,
  sortKey: offerTable.sortKey,
})

export const ProductOfferOperations = resolverOf({
  queries: {
    productOffer: lookup(ProductOffer, {
      description: 'Returns one offer.',
      scope: 'offers:read',
      find: async (context, offerId) =>
        requireFound(await loadOffer(context, offerId), 'OFFER_NOT_FOUND', offerId),
    }),
    productOffers: withTextFilter(productOffers, 'status', OfferStatus),
  },
  mutations: {
    createProductOffer: operation({
      description: 'Creates a draft offer at a quoted price.',
      scope: 'products:write',
      returns: ProductOffer,
      args: { input: object(CreateProductOfferInput, 'The offer to create.') },
      resolve: (context, { input }) => createOffer(context, input),
    }),
    ...transitionsOf(offerStates, changeOffer, {
      async publishProductOffer(published, { context, before, now }) {
        const [quote, product] = await Promise.all([
          findQuote(context, before.pricingQuoteId),
          offeredVersion(context, before),
        ])
        requirePublishable(before, quote!, product, now)
        return published
      },
      async acceptProductOffer(accepted, { context, before, now }) {
        requireAcceptable(before, await offeredVersion(context, before), now)
        return accepted
      },
    }),
  },
})

@Resolver(() => ProductOffer)
export class ProductOfferResolver {
  @FieldResolver(() => OfferHeadline, {
    description: 'The key figures of the offer, such as the interest rate.',
  })
  headline(@Root() { headline }: ProductOffer): OfferHeadline {
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
  product(@Root() offer: ProductOffer, @Ctx() context: Context) {
    return loadProduct(context, { productId: offer.productId, version: offer.productVersion })
  }

  @FieldResolver(() => PricingQuote, {
    nullable: true,
    description:
      'The quote that sets the price of the offer; null if it is not visible to the caller.',
  })
  quote(@Root() { pricingQuoteId }: ProductOffer, @Ctx() context: Context) {
    return loadQuote(context, pricingQuoteId)
  }

  @FieldResolver(() => CustomerStub, {
    nullable: true,
    description: 'The customer to whom the offer is made; null for an offer to everyone.',
  })
  customer(@Root() { customerId }: ProductOffer): CustomerStub | null {
    return customerId === null ? null : { customerId }
  }
}
