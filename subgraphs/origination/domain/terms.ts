import { Decimal } from 'decimal.js'
import { formatAmount, type Money } from '../../../kernel/domain/money.ts'
import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import {
  boundsOf,
  hasTerm,
  isWithin,
  minimumOf,
  ratePctOf,
  requireValidQuote,
  type Product,
  type QuoteFact,
} from './published.ts'
import { fieldProblem } from './refusals.ts'

/** The terms of a loan or a facility: the amount in minor units, the rate in percent per year. */
export interface Terms {
  amountMinor: bigint
  currency: string
  termMonths: number | null
  ratePct: string
  productId: string
  productVersion: string
  /** The quote that the rate was taken from; null if the rate has another source. */
  quoteId: string | null
}

export const maxTermMonths = 600
/** Amounts must be below this limit, which leaves room for sums in a bigint column. */
const maxMinor = 10n ** 18n
const maxRatePct = 100

/** Returns whether the amount is within the bounds of the product, in one of its currencies. */
export function isAmountOffered(product: Product, { amountMinor, currency }: Money): boolean {
  if (amountMinor >= maxMinor || !product.currencies.includes(currency)) return false
  return isWithin(product, 'amount', formatAmount(amountMinor, currency))
}

/** Returns whether the term is within the bounds of the product. */
export function isTermOffered(product: Product, termMonths: number): boolean {
  return termMonths <= maxTermMonths && isWithin(product, 'termMonths', termMonths)
}

/**
 * Checks that the product is offered for this amount and term.
 * Throws CURRENCY_NOT_OFFERED, AMOUNT_OUT_OF_RANGE, TERM_OUT_OF_RANGE.
 */
export function requireOffered(product: Product, amount: Money, termMonths: number | null): void {
  if (!product.currencies.includes(amount.currency)) {
    const detail = `The currency must be one of ${product.currencies.join(', ')}.`
    throw fieldProblem('CURRENCY_NOT_OFFERED', '/requestedAmount/currency', detail)
  }
  if (!isAmountOffered(product, amount)) {
    const detail = boundsOf(product, 'amount')
    throw fieldProblem('AMOUNT_OUT_OF_RANGE', '/requestedAmount', detail)
  }
  if (termMonths === null || isTermOffered(product, termMonths)) return
  throw fieldProblem('TERM_OUT_OF_RANGE', '/termMonths', boundsOf(product, 'termMonths'))
}

/**
 * The terms that a decision may set. An omitted amount or term is that of the application. An
 * omitted rate is that of the quote, or else that of the product.
 */
export interface TermsRequest {
  amount?: Money | null
  termMonths?: number | null
  ratePct?: string | null
}

/**
 * Returns the terms of an approval: those of the decision, with those of the application as
 * defaults.
 * The rate is that of the decision, or else that of the quote, or else that of the product.
 * Throws PRODUCT_NOT_LENDABLE, QUOTE_EXPIRED, and TERMS_OUT_OF_POLICY for terms outside the bounds
 * of the product.
 */
export function approvedTerms(
  applicationTerms: { amount: Money; termMonths: number | null },
  decidedTerms: TermsRequest,
  product: Product,
  quote: QuoteFact | null,
  now: Date,
): Terms {
  const amount = decidedTerms.amount ?? applicationTerms.amount
  const termMonths = decidedTerms.termMonths ?? applicationTerms.termMonths
  const needsTerm = hasTerm(product.productClass)
  const pricingQuote = decidedTerms.ratePct ? null : quote
  if (pricingQuote) requireValidQuote(pricingQuote, now, '/approvedTerms/quoteId')
  const ratePct = decidedTerms.ratePct ?? pricingQuote?.ratePct ?? ratePctOf(product)
  if (!isAmountOffered(product, amount)) {
    const bounds = boundsOf(product, 'amount')
    throw policyProblem(
      'amount',
      `${bounds} The currency must be one of ${product.currencies.join(', ')}.`,
    )
  }
  const isTermMissing = termMonths === null && needsTerm
  if (isTermMissing || (termMonths !== null && !isTermOffered(product, termMonths))) {
    throw policyProblem('termMonths', boundsOf(product, 'termMonths'))
  }
  const rate = new Decimal(ratePct)
  // An interest-free loan is allowed unless the product sets a minimum rate above zero.
  const isInterestFree = rate.isZero() && !(Number(minimumOf(product, 'ratePct') ?? 0) > 0)
  const isRateOffered = isInterestFree || isWithin(product, 'ratePct', ratePct)
  if (!isRateOffered || rate.gt(maxRatePct)) {
    throw policyProblem(
      'ratePct',
      `The rate must be from 0 to ${maxRatePct} and within the bounds of the product.`,
    )
  }
  return {
    ...amount,
    termMonths,
    ratePct: rate.toFixed(),
    productId: product.productId,
    productVersion: product.version,
    quoteId: pricingQuote?.pricingQuoteId ?? null,
  }
}

function policyProblem(member: string, detail: string) {
  const code: ProblemCode = 'TERMS_OUT_OF_POLICY'
  return fieldProblem(code, `/approvedTerms/${member}`, detail)
}
