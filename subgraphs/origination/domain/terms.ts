import { Decimal } from 'decimal.js'
import { formatAmount, type Money } from '../../_kernel/domain/money.ts'
import type { ProblemCode } from '../../_kernel/domain/problem.ts'
import {
  boundsOf,
  hasTerm,
  isWithin,
  minimumOf,
  ratePctOf,
  requireGoodQuote,
  type Product,
  type QuoteFact,
} from './published.ts'
import { refuse } from './refusals.ts'

/** The terms of a loan or a facility: the amount in minor units, the rate in percent per year. */
export interface Terms {
  amountMinor: bigint
  currency: string
  termMonths: number | null
  ratePct: string
  productId: string
  productVersion: string
  /** The quote from which the rate was taken; null when it was set otherwise. */
  quoteId: string | null
}

export const mostTermMonths = 600
/** Fits into a bigint column, with room for sums. */
const mostMinor = 10n ** 18n
const mostRatePct = 100

/** Whether the amount is within the bounds and currencies of the product. */
export function isAmountOffered(product: Product, { amountMinor, currency }: Money): boolean {
  if (amountMinor >= mostMinor || !product.currencies.includes(currency)) return false
  return isWithin(product, 'amount', formatAmount(amountMinor, currency))
}

/** Whether the term is within the bounds of the product. */
export function isTermOffered(product: Product, termMonths: number): boolean {
  return termMonths <= mostTermMonths && isWithin(product, 'termMonths', termMonths)
}

/**
 * Checks that the product is offered for this amount and term.
 * Rejects with CURRENCY_NOT_OFFERED, AMOUNT_OUT_OF_RANGE, TERM_OUT_OF_RANGE.
 */
export function requireOffered(product: Product, amount: Money, termMonths: number | null): void {
  if (!product.currencies.includes(amount.currency)) {
    const detail = `The currency must be one of ${product.currencies.join(', ')}.`
    throw refuse('CURRENCY_NOT_OFFERED', '/requestedAmount/currency', detail)
  }
  if (!isAmountOffered(product, amount)) {
    const detail = boundsOf(product, 'amount')
    throw refuse('AMOUNT_OUT_OF_RANGE', '/requestedAmount', detail)
  }
  if (termMonths === null || isTermOffered(product, termMonths)) return
  throw refuse('TERM_OUT_OF_RANGE', '/termMonths', boundsOf(product, 'termMonths'))
}

/** The terms that a decision may set; the others are as requested. */
export interface TermsAsked {
  amount?: Money | null
  termMonths?: number | null
  ratePct?: string | null
}

/**
 * The terms of an approval: those of the decision, with the requested terms as defaults. The rate
 * is that of the decision, otherwise that of the quote, otherwise that of the product.
 * Rejects with TERMS_OUT_OF_POLICY terms outside the bounds of the product, PRODUCT_NOT_LENDABLE,
 * and QUOTE_EXPIRED.
 */
export function approvedTerms(
  requested: { amount: Money; termMonths: number | null },
  asked: TermsAsked,
  product: Product,
  quote: QuoteFact | null,
  now: Date,
): Terms {
  const amount = asked.amount ?? requested.amount
  const termMonths = asked.termMonths ?? requested.termMonths
  const needsTerm = hasTerm(product.productClass)
  const price = asked.ratePct ? null : quote
  if (price) requireGoodQuote(price, now, '/approvedTerms/quoteId')
  const ratePct = asked.ratePct ?? price?.ratePct ?? ratePctOf(product)
  if (!isAmountOffered(product, amount)) {
    const bounds = boundsOf(product, 'amount')
    throw outOfPolicy(
      'amount',
      `${bounds} The currency must be one of ${product.currencies.join(', ')}.`,
    )
  }
  const isTermLeft = termMonths === null && needsTerm
  if (isTermLeft || (termMonths !== null && !isTermOffered(product, termMonths))) {
    throw outOfPolicy('termMonths', boundsOf(product, 'termMonths'))
  }
  const rate = new Decimal(ratePct)
  // A rate of zero is allowed unless the product sets a minimum above zero.
  const isFree = rate.isZero() && !(Number(minimumOf(product, 'ratePct') ?? 0) > 0)
  const isRateOffered = isFree || isWithin(product, 'ratePct', ratePct)
  if (!isRateOffered || rate.gt(mostRatePct)) {
    throw outOfPolicy(
      'ratePct',
      `The rate must be from 0 to ${mostRatePct} and within the bounds of the product.`,
    )
  }
  return {
    ...amount,
    termMonths,
    ratePct: rate.toFixed(),
    productId: product.productId,
    productVersion: product.version,
    quoteId: price?.pricingQuoteId ?? null,
  }
}

function outOfPolicy(member: string, detail: string) {
  const code: ProblemCode = 'TERMS_OUT_OF_POLICY'
  return refuse(code, `/approvedTerms/${member}`, detail)
}
