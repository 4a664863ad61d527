import { Decimal } from 'decimal.js'
import { addMs, dayMs } from '../../_kernel/domain/dates.ts'
import { feeAmount, type Fee, type FeeFrequency } from '../../_kernel/domain/fee.ts'
import { formatAmount, type Money } from '../../_kernel/domain/money.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { aprcOf, instalmentOf, instalmentPlan } from './annuity.ts'
import { isInstalmentLoan } from './product-class.ts'
import type { Product } from './product.ts'

/** Identifies the pricing rules below. Any change of their results needs a new version. */
export const ruleVersion = 'pricing-2026.1'
export const quoteLifetimeDays = 30
export const mostTermMonths = 600

export const componentKinds = ['base', 'margin', 'discount'] as const
export type ComponentKind = (typeof componentKinds)[number]

/**
 * A component of the rate, in percent per year. Discounts are negative; the components add up to
 * the rate.
 */
export interface PriceComponent {
  kind: ComponentKind
  ratePct: string
  /** The reference rate of a base rate, or the reason for a discount. */
  source: string | null
}

/** A fee with the amount of each charge. */
export interface PricedFee {
  code: string
  frequency: FeeFrequency
  amountMinor: bigint
}

/** The price of a product version, as computed. It never changes. */
export interface PricingQuote {
  pricingQuoteId: string
  productId: string
  productVersion: string
  customerId: string | null
  partyId: string | null
  currency: string
  amountMinor: bigint | null
  termMonths: number | null
  ruleVersion: string
  components: PriceComponent[]
  ratePct: string | null
  fees: PricedFee[]
  instalmentMinor: bigint | null
  totalPayableMinor: bigint | null
  aprcPct: string | null
  expiresAt: Date
  contentHash: string
  createdAt: Date
}

export interface PriceAsked {
  currency?: string | null
  amount?: Money | null
  termMonths?: number | null
  marginPct?: string | null
  discountPct?: string | null
  discountReason?: string | null
  expiresAt?: Date | null
}

export interface QuoteMade {
  pricingQuoteId: string
  customer: { customerId: string; partyId: string } | null
  contentHash: string
  now: Date
}

/**
 * Prices a version: base + margin − discount, the fees, and for a loan the installment, the total
 * and the annual percentage rate of charge. By default valid for 30 days.
 * Rejects with PRODUCT_NOT_ACTIVE, CURRENCY_NOT_OFFERED, AMOUNT_OUT_OF_RANGE, TERM_OUT_OF_RANGE,
 * INVALID_DATE_RANGE, and with VALIDATION_FAILED a loan without amount or term, or an impossible
 * rate.
 */
export function priceProduct(product: Product, asked: PriceAsked, made: QuoteMade): PricingQuote {
  if (product.status !== 'active' && product.status !== 'draft') {
    throw refuse(
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      `${product.productId} ${product.version} is ${product.status}; only draft and active versions can be priced.`,
    )
  }
  const { amount = null, termMonths = null } = asked
  const { pricingQuoteId, customer, contentHash, now } = made
  const expiresAt = asked.expiresAt ?? addMs(now, quoteLifetimeDays * dayMs)
  if (expiresAt <= now) {
    throw refuse('INVALID_DATE_RANGE', '/expiresAt', 'The expiry must be in the future.')
  }
  const currency = amount?.currency ?? asked.currency ?? product.currencies[0]!
  requireOffered(product, currency, asked)
  requireWithin(product, 'amount', amount, 'AMOUNT_OUT_OF_RANGE')
  requireWithin(product, 'termMonths', termMonths, 'TERM_OUT_OF_RANGE')
  const components = componentsOf(product, asked)
  const ratePct = components.length > 0 ? sumOf(components) : null
  const fees = product.fees.flatMap((fee) => priced(fee, amount, currency))
  const cost = loanCost(product, amount, termMonths, ratePct ?? '0', fees)
  requireWritable(amount?.amountMinor ?? 0n, cost)
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

/** Whether the quote has not expired. */
export function isTimeValid({ expiresAt }: PricingQuote, now: Date): boolean {
  return now < expiresAt
}

function requireOffered(product: Product, currency: string, asked: PriceAsked): void {
  const { amount } = asked
  if (asked.currency && amount && amount.currency !== asked.currency) {
    throw refuse(
      'CURRENCY_MISMATCH',
      '/amount/currency',
      `The amount is in ${amount.currency}, the price in ${asked.currency}; they must be the same.`,
    )
  }
  if (product.currencies.includes(currency)) return
  const pointer = amount ? '/amount/currency' : '/currency'
  throw refuse(
    'CURRENCY_NOT_OFFERED',
    pointer,
    `The currency must be one of ${product.currencies.join(', ')}.`,
  )
}

/** Checks an input against the bounds of the product parameter with that name, in major units. */
function requireWithin(
  product: Product,
  name: 'amount' | 'termMonths',
  value: Money | number | null,
  code: ProblemCode,
): void {
  if (value === null) return
  const parameter = product.parameters.find((candidate) => candidate.name === name)
  const number = typeof value === 'number' ? new Decimal(value) : majorOf(value)
  const most = name === 'termMonths' ? mostTermMonths : null
  const { minimum = null, maximum = null } = parameter ?? {}
  const isWithin =
    number.gt(0) &&
    (minimum === null || number.gte(minimum)) &&
    (maximum === null || number.lte(maximum)) &&
    (most === null || number.lte(most))
  if (isWithin) return
  const from = minimum === null ? 'greater than 0' : `at least ${minimum}`
  const upTo = (maximum ?? most) ? ` and at most ${maximum ?? most}` : ''
  throw refuse(code, `/${name}`, `The value must be ${from}${upTo}.`)
}

function componentsOf({ interest }: Product, asked: PriceAsked): PriceComponent[] {
  if (!interest) {
    if (asked.marginPct || asked.discountPct) {
      throw refuse(
        'VALIDATION_FAILED',
        '/discountPct',
        'The product bears no interest, so neither a margin nor a discount can be given.',
      )
    }
    return []
  }
  const discount = new Decimal(asked.discountPct ?? 0)
  if (discount.lt(0))
    throw refuse('VALIDATION_FAILED', '/discountPct', 'The discount must be 0 or more.')
  const components: PriceComponent[] = [
    { kind: 'base', ratePct: interest.basePct, source: interest.referenceRate },
    { kind: 'margin', ratePct: asked.marginPct ?? interest.marginPct, source: null },
  ]
  if (discount.gt(0)) {
    const source = asked.discountReason ?? null
    components.push({ kind: 'discount', ratePct: discount.neg().toFixed(), source })
  }
  const rate = new Decimal(sumOf(components))
  if (rate.lt(0)) {
    throw refuse(
      'VALIDATION_FAILED',
      '/discountPct',
      'The discount exceeds the base rate and the margin; the rate would be negative.',
    )
  }
  if (rate.gte(tooMuchPct))
    throw refuse(
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
 * Empty for a fee in another currency or a percentage without a basis. Waivers do not apply to
 * quotes, only to accounts.
 */
function priced(fee: Fee, amount: Money | null, currency: string): PricedFee[] {
  const { code, frequency } = fee
  const basisMinor = amount?.amountMinor ?? null
  const amountMinor = feeAmount(fee, { basisMinor, events: 1, currency })
  return amountMinor === null ? [] : [{ code, frequency, amountMinor }]
}

/** The limits of the database columns: 15 integer digits for percentages, 8 bytes for amounts. */
const tooMuchPct = 1e15
const mostMinor = 2n ** 63n - 1n

function requireWritable(amountMinor: bigint, { totalPayableMinor, aprcPct }: LoanCost): void {
  const mostOf = [amountMinor, totalPayableMinor ?? 0n]
  const isWritable = mostOf.every((minor) => minor <= mostMinor)
  if (isWritable && new Decimal(aprcPct ?? 0).lt(tooMuchPct)) return
  throw refuse(
    'AMOUNT_OUT_OF_RANGE',
    '/amount',
    'The amount, or its total cost, exceeds the largest amount that can be stored.',
  )
}

type LoanCost = Pick<PricingQuote, 'instalmentMinor' | 'totalPayableMinor' | 'aprcPct'>

function loanCost(
  product: Product,
  amount: Money | null,
  termMonths: number | null,
  ratePct: string,
  fees: readonly PricedFee[],
): LoanCost {
  if (!isInstalmentLoan(product.productClass)) {
    return { instalmentMinor: null, totalPayableMinor: null, aprcPct: null }
  }
  if (!amount || termMonths === null) {
    const pointer = amount ? '/termMonths' : '/amount'
    throw refuse(
      'VALIDATION_FAILED',
      pointer,
      'A loan repaid in installments can be priced only with an amount and a term.',
    )
  }
  const { amountMinor } = amount
  const per = (frequency: FeeFrequency) =>
    fees.reduce((sum, fee) => (fee.frequency === frequency ? sum + fee.amountMinor : sum), 0n)
  const [upfront, monthly] = [per('upfront'), per('monthly')]
  const [quarterly, yearly] = [per('quarterly'), per('yearly')]
  const payments = instalmentPlan(amountMinor, ratePct, termMonths).map((instalment, before) => {
    const month = before + 1
    const rarer = (month % 3 === 0 ? quarterly : 0n) + (month % 12 === 0 ? yearly : 0n)
    return instalment + monthly + rarer
  })
  const aprcPct = aprcOf(amountMinor - upfront, payments)
  if (aprcPct === null) {
    throw refuse(
      'AMOUNT_OUT_OF_RANGE',
      '/amount',
      'The upfront fees exceed the amount of the loan.',
    )
  }
  return {
    instalmentMinor: instalmentOf(amountMinor, ratePct, termMonths),
    totalPayableMinor: payments.reduce((sum, payment) => sum + payment, upfront),
    aprcPct,
  }
}

function majorOf({ amountMinor, currency }: Money): Decimal {
  return new Decimal(formatAmount(amountMinor, currency))
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
