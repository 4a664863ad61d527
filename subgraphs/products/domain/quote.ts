import type { PriceComponent, PricingQuote, StoredFee } from '../model/pricing-quote.ts'
import type { Product } from '../model/product.ts'
import { Decimal } from 'decimal.js'
import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import { feeAmount, type Fee, type FeeFrequency } from '../../../kernel/domain/fee.ts'
import { formatAmount, type Money } from '../../../kernel/domain/money.ts'
import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import { aprcOf, installmentOf, installmentPlan } from './annuity.ts'
import { isInstallmentLoan } from './product-class.ts'

/** The version of the pricing rules. Change it whenever a change to the rules affects results. */
export const ruleVersion = 'pricing-2026.1'
export const quoteLifetimeDays = 30
export const maxTermMonths = 600

export interface PriceRequest {
  currency?: string | null
  amount?: Money | null
  termMonths?: number | null
  marginPct?: string | null
  discountPct?: string | null
  discountReason?: string | null
  expiresAt?: Date | null
}

export interface QuoteContext {
  pricingQuoteId: string
  customer: { customerId: string; partyId: string } | null
  contentHash: string
  now: Date
}

/**
 * Prices a product version: the rate (base + margin − discount) and the fees, and for a loan the
 * installment, the total and the annual percentage rate of charge. A quote is valid for 30 days by
 * default.
 * Throws PRODUCT_NOT_ACTIVE, CURRENCY_MISMATCH, CURRENCY_NOT_OFFERED, AMOUNT_OUT_OF_RANGE,
 * TERM_OUT_OF_RANGE, INVALID_DATE_RANGE, and VALIDATION_FAILED for a loan without amount or term,
 * or for an invalid margin or discount.
 */
export function priceProduct(
  product: Product,
  request: PriceRequest,
  stamp: QuoteContext,
): PricingQuote {
  if (product.status !== 'active' && product.status !== 'draft') {
    throw fieldProblem(
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      `${product.productId} ${product.version} is ${product.status}; only draft and active versions can be priced.`,
    )
  }
  const { amount = null, termMonths = null } = request
  const { pricingQuoteId, customer, contentHash, now } = stamp
  const expiresAt = request.expiresAt ?? addMs(now, quoteLifetimeDays * dayMs)
  if (expiresAt <= now) {
    throw fieldProblem('INVALID_DATE_RANGE', '/expiresAt', 'The expiry must be in the future.')
  }
  const currency = amount?.currency ?? request.currency ?? product.currencies[0]!
  requireOffered(product, currency, request)
  requireWithin(product, 'amount', amount, 'AMOUNT_OUT_OF_RANGE')
  requireWithin(product, 'termMonths', termMonths, 'TERM_OUT_OF_RANGE')
  const components = componentsOf(product, request)
  const ratePct = components.length > 0 ? sumOf(components) : null
  const fees = product.fees.flatMap((fee) => pricedFees(fee, amount, currency))
  const cost = loanCost(product, amount, termMonths, ratePct ?? '0', fees)
  requireStorable(amount?.amountMinor ?? 0n, cost)
  return {
    pricingQuoteId,
    productId: product.productId,
    productVersion: product.version,
    customerId: customer?.customerId ?? null,
    partyId: customer?.partyId ?? null,
    currency,
    amountMinor: amount?.amountMinor ?? null,
    termMonths,
    ruleVersion,
    components,
    ratePct,
    fees,
    ...cost,
    expiresAt,
    contentHash,
    createdAt: now,
  }
}

/** Returns whether the quote has not expired. */
export function isUnexpired({ expiresAt }: PricingQuote, now: Date): boolean {
  return now < expiresAt
}

function requireOffered(product: Product, currency: string, request: PriceRequest): void {
  const { amount } = request
  if (request.currency && amount && amount.currency !== request.currency) {
    throw fieldProblem(
      'CURRENCY_MISMATCH',
      '/amount/currency',
      `The amount is in ${amount.currency} and the price in ${request.currency}; both must be in one currency.`,
    )
  }
  if (product.currencies.includes(currency)) return
  const pointer = amount ? '/amount/currency' : '/currency'
  throw fieldProblem(
    'CURRENCY_NOT_OFFERED',
    pointer,
    `The currency must be one of ${product.currencies.join(', ')}.`,
  )
}

/**
 * Checks a value against the bounds of the product parameter `name`. Amounts are compared in major
 * units. A term is also limited to 600 months.
 */
function requireWithin(
  product: Product,
  name: 'amount' | 'termMonths',
  value: Money | number | null,
  code: ProblemCode,
): void {
  if (value === null) return
  const parameter = product.parameters.find((candidate) => candidate.name === name)
  const number = typeof value === 'number' ? new Decimal(value) : majorOf(value)
  const hardLimit = name === 'termMonths' ? maxTermMonths : null
  const { minimum = null, maximum = null } = parameter ?? {}
  const isWithin =
    number.gt(0) &&
    (minimum === null || number.gte(minimum)) &&
    (maximum === null || number.lte(maximum)) &&
    (hardLimit === null || number.lte(hardLimit))
  if (isWithin) return
  const atLeast = minimum === null ? 'greater than 0' : `at least ${minimum}`
  const atMost = (maximum ?? hardLimit) ? ` and at most ${maximum ?? hardLimit}` : ''
  throw fieldProblem(code, `/${name}`, `The value must be ${atLeast}${atMost}.`)
}

function componentsOf({ interest }: Product, request: PriceRequest): PriceComponent[] {
  if (!interest) {
    if (request.marginPct || request.discountPct) {
      throw fieldProblem(
        'VALIDATION_FAILED',
        '/discountPct',
        'The product bears no interest, so neither a margin nor a discount can be given.',
      )
    }
    return []
  }
  const discount = new Decimal(request.discountPct ?? 0)
  if (discount.lt(0))
    throw fieldProblem('VALIDATION_FAILED', '/discountPct', 'The discount must be 0 or more.')
  const components: PriceComponent[] = [
    { kind: 'base', ratePct: interest.basePct, source: interest.referenceRate },
    { kind: 'margin', ratePct: request.marginPct ?? interest.marginPct, source: null },
  ]
  if (discount.gt(0)) {
    const source = request.discountReason ?? null
    components.push({ kind: 'discount', ratePct: discount.neg().toFixed(), source })
  }
  const rate = new Decimal(sumOf(components))
  if (rate.lt(0)) {
    throw fieldProblem(
      'VALIDATION_FAILED',
      '/discountPct',
      'The discount exceeds the base rate and the margin; the rate would be negative.',
    )
  }
  if (rate.gte(pctLimit))
    throw fieldProblem(
      'VALIDATION_FAILED',
      '/marginPct',
      'The rate has more than 15 digits before the decimal point.',
    )
  return components
}

function sumOf(components: readonly PriceComponent[]): string {
  return Decimal.sum(...components.map(({ ratePct }) => ratePct)).toFixed()
}

/**
 * Returns the fee with its price. The list is empty if the fee is in another currency, or if it
 * depends on the amount and the request has none. Waivers apply only to accounts, not to quotes.
 */
function pricedFees(fee: Fee, amount: Money | null, currency: string): StoredFee[] {
  const { code, frequency } = fee
  const basisMinor = amount?.amountMinor ?? null
  const amountMinor = feeAmount(fee, { basisMinor, events: 1, currency })
  return amountMinor === null ? [] : [{ code, frequency, amountMinor }]
}

/** The limits of the database columns: 15 integer digits for percentages, 8 bytes for amounts. */
const pctLimit = 1e15
const maxMinor = 2n ** 63n - 1n

function requireStorable(amountMinor: bigint, { totalPayableMinor, aprcPct }: LoanCost): void {
  const amountsMinor = [amountMinor, totalPayableMinor ?? 0n]
  const isStorable = amountsMinor.every((minor) => minor <= maxMinor)
  if (isStorable && new Decimal(aprcPct ?? 0).lt(pctLimit)) return
  throw fieldProblem(
    'AMOUNT_OUT_OF_RANGE',
    '/amount',
    'The amount, or its total cost, exceeds the largest amount that can be stored.',
  )
}

type LoanCost = Pick<PricingQuote, 'installmentMinor' | 'totalPayableMinor' | 'aprcPct'>

function loanCost(
  product: Product,
  amount: Money | null,
  termMonths: number | null,
  ratePct: string,
  fees: readonly StoredFee[],
): LoanCost {
  if (!isInstallmentLoan(product.productClass)) {
    return { installmentMinor: null, totalPayableMinor: null, aprcPct: null }
  }
  if (!amount || termMonths === null) {
    const pointer = amount ? '/termMonths' : '/amount'
    throw fieldProblem(
      'VALIDATION_FAILED',
      pointer,
      'A loan repaid in installments can be priced only with an amount and a term.',
    )
  }
  const { amountMinor } = amount
  const feesPer = (frequency: FeeFrequency) =>
    fees.reduce((sum, fee) => (fee.frequency === frequency ? sum + fee.amountMinor : sum), 0n)
  const [upfront, monthly] = [feesPer('upfront'), feesPer('monthly')]
  const [quarterly, yearly] = [feesPer('quarterly'), feesPer('yearly')]
  const payments = installmentPlan(amountMinor, ratePct, termMonths).map((installment, index) => {
    const month = index + 1
    const otherFees = (month % 3 === 0 ? quarterly : 0n) + (month % 12 === 0 ? yearly : 0n)
    return installment + monthly + otherFees
  })
  const aprcPct = aprcOf(amountMinor - upfront, payments)
  if (aprcPct === null) {
    throw fieldProblem(
      'AMOUNT_OUT_OF_RANGE',
      '/amount',
      'The upfront fees must be less than the amount of the loan.',
    )
  }
  return {
    installmentMinor: installmentOf(amountMinor, ratePct, termMonths),
    totalPayableMinor: payments.reduce((sum, payment) => sum + payment, upfront),
    aprcPct,
  }
}

function majorOf({ amountMinor, currency }: Money): Decimal {
  return new Decimal(formatAmount(amountMinor, currency))
}

function fieldProblem(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
