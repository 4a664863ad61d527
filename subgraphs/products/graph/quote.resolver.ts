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
import { parseAmount } from '../../../kernel/domain/money.ts'
import { Problem } from '../domain/problems.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import type { PricingQuote as DomainQuote } from '../domain/quote.ts'
import { createQuote } from '../commands/pricing-quote.ts'
import { loadProduct } from '../store/product.ts'
import { loadQuote } from '../store/quote.ts'
import { CreatePricingQuoteInput, PricedFee, PricingQuote } from '../model/pricing-quote.ts'
import { Product } from '../model/product.ts'
import { CustomerStub } from '../model/references.ts'

@Resolver(() => PricingQuote)
export class PricingQuoteResolver {
  @Requires('offers:read')
  @Query(() => PricingQuote, { nullable: true, description: 'Returns one pricing quote.' })
  async pricingQuote(
    @Arg('pricingQuoteId', () => ID, { description: 'The ID of the quote.' })
    pricingQuoteId: string,
    @Ctx() context: Context,
  ): Promise<DomainQuote> {
    const quote = await loadQuote(context, pricingQuoteId)
    if (quote) return quote
    throw new Problem('QUOTE_NOT_FOUND', { resourceId: pricingQuoteId })
  }

  @Requires('products:write')
  @Mutation(() => PricingQuote, {
    description:
      'Computes and stores the price of a product version: the interest rate, the fees and, ' +
      'for a loan repaid in installments, its installment, total cost and annual percentage ' +
      'rate of charge.',
  })
  createPricingQuote(
    @Arg('input', () => CreatePricingQuoteInput, { description: 'The product version to price.' })
    input: CreatePricingQuoteInput,
    @Ctx() context: Context,
  ): Promise<DomainQuote> {
    const { amount, ...request } = input
    if (!amount) return createQuote(context, request)
    const { currency } = amount
    const amountMinor = parseAmount(amount.amount, currency, '/amount/amount')
    return createQuote(context, { ...request, amount: { amountMinor, currency } })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The amount that was priced; null if none was given.',
  })
  amount(@Root() quote: DomainQuote): MoneyType | null {
    return money(quote.amountMinor, quote)
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The equal monthly installment of a loan; null for other products.',
  })
  installment(@Root() quote: DomainQuote): MoneyType | null {
    return money(quote.installmentMinor, quote)
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'The sum of all installments and of the upfront and periodic fees of a loan; null for ' +
      'other products.',
  })
  totalPayable(@Root() quote: DomainQuote): MoneyType | null {
    return money(quote.totalPayableMinor, quote)
  }

  @FieldResolver(() => [PricedFee], {
    description:
      'The fees of the product version at the quoted price. Fees that cannot be priced for the ' +
      'amount and currency are omitted.',
  })
  fees(@Root() { fees, currency }: DomainQuote): PricedFee[] {
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
  product(@Root() quote: DomainQuote, @Ctx() context: Context) {
    return loadProduct(context, { productId: quote.productId, version: quote.productVersion })
  }

  @FieldResolver(() => CustomerStub, {
    nullable: true,
    description:
      'The customer for whom the price was computed; null if the price applies to everyone.',
  })
  customer(@Root() { customerId }: DomainQuote): CustomerStub | null {
    return customerId === null ? null : { customerId }
  }
}

function money(amountMinor: bigint | null, { currency }: DomainQuote): MoneyType | null {
  return amountMinor === null ? null : moneyOut({ amountMinor, currency })
}
