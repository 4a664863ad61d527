import { requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import { id, object } from '../../../kernel/domain/model.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { createQuote, previewQuote, type QuoteRequest } from '../commands/pricing-quote.ts'
import { CreatePricingQuoteInput, PricedFee, PricingQuote } from '../model/pricing-quote.ts'
import { Product } from '../model/product.ts'
import { CustomerStub } from '../model/references.ts'
import { loadProduct } from '../store/product.ts'
import { loadQuote } from '../store/quote.ts'

export const PricingQuoteOperations = resolverOf({
  queries: {
    pricingQuote: operation({
      description: 'Returns one pricing quote.',
      scope: 'offers:read',
      returns: PricingQuote,
      args: { pricingQuoteId: id('The ID of the quote.') },
      resolve: async (context, { pricingQuoteId }) =>
        requireFound(await loadQuote(context, pricingQuoteId), 'QUOTE_NOT_FOUND', pricingQuoteId),
    }),
    previewPricingQuote: operation({
      description:
        'Returns the price that `createPricingQuote` would compute now. Nothing is stored.',
      scope: 'offers:read',
      isForBankOnly: true,
      returns: PricingQuote,
      args: { input: object(CreatePricingQuoteInput, 'The product version to price.') },
      resolve: (context, { input }) => previewQuote(context, requestOf(input)),
    }),
  },
  mutations: {
    createPricingQuote: operation({
      description:
        'Computes and stores the price of a product version: the interest rate, the fees and, ' +
        'for a loan repaid in installments, its installment, total cost and annual percentage ' +
        'rate of charge.',
      scope: 'products:write',
      returns: PricingQuote,
      args: { input: object(CreatePricingQuoteInput, 'The product version to price.') },
      resolve: (context, { input }) => createQuote(context, requestOf(input)),
    }),
  },
})

function requestOf({ amount, ...request }: CreatePricingQuoteInput): QuoteRequest {
  if (!amount) return request
  const { currency } = amount
  const amountMinor = parseAmount(amount.amount, currency, '/amount/amount')
  return { ...request, amount: { amountMinor, currency } }
}

@Resolver(() => PricingQuote)
export class PricingQuoteResolver {
  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The amount that was priced; null if none was given.',
  })
  amount(@Root() quote: PricingQuote): MoneyType | null {
    return money(quote.amountMinor, quote)
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The equal monthly installment of a loan; null for other products.',
  })
  installment(@Root() quote: PricingQuote): MoneyType | null {
    return money(quote.installmentMinor, quote)
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'The sum of all installments and of the upfront and periodic fees of a loan; null for ' +
      'other products.',
  })
  totalPayable(@Root() quote: PricingQuote): MoneyType | null {
    return money(quote.totalPayableMinor, quote)
  }

  @FieldResolver(() => [PricedFee], {
    description:
      'The fees of the product version at the quoted price. Fees that cannot be priced for the ' +
      'amount and currency are omitted.',
  })
  fees(@Root() { fees, currency }: PricingQuote): PricedFee[] {
    return fees.map(({ code, frequency, amountMinor }) => ({
      code,
      frequency,
      amount: moneyOut({ amountMinor, currency }),
    }))
  }

  @Requires('products:read')
  @FieldResolver(() => Product, {
    nullable: true,
    description: 'The priced product version; null if it is not visible to the caller.',
  })
  product(@Root() quote: PricingQuote, @Ctx() context: Context) {
    return loadProduct(context, { productId: quote.productId, version: quote.productVersion })
  }

  @FieldResolver(() => CustomerStub, {
    nullable: true,
    description:
      'The customer for whom the price was computed; null if the price applies to everyone.',
  })
  customer(@Root() { customerId }: PricingQuote): CustomerStub | null {
    return customerId === null ? null : { customerId }
  }
}

function money(amountMinor: bigint | null, { currency }: PricingQuote): MoneyType | null {
  return amountMinor === null ? null : moneyOut({ amountMinor, currency })
}
