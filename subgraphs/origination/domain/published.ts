import { Decimal } from 'decimal.js'
import { creditKindOf, type CreditKind } from '../../../kernel/domain/credit-class.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { isOnSale } from '../../../kernel/domain/product-sale.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { fieldProblem } from './refusals.ts'

/** The published fact of a customer, as far as this area reads it. */
export interface CustomerFact {
  customerId: string
  partyId: string
  status: string
  kycState: string
  kycExpiresOn: LocalDate | null
}

interface OfferedParameter {
  name: string
  minimum: string | null
  maximum: string | null
  default: string | null
}

/** One product version in the published fact of its product. */
export interface VersionFact {
  version: string
  productClass: string
  status: string
  currencies: string[]
  effectiveFrom: LocalDate | null
  effectiveTo: LocalDate | null
  parameters: OfferedParameter[]
  /** Absent in facts published before this field was added. */
  interest?: { basePct: string; marginPct: string } | null
}

/** The published fact of a product: all its versions, newest last. */
export interface ProductFact {
  productId: string
  versions: VersionFact[]
}

/** The published fact of a quote. Times are ISO 8601. */
export interface QuoteFact {
  pricingQuoteId: string
  productId: string
  productVersion: string
  customerId: string | null
  currency: string
  amountMinor: string | null
  termMonths: number | null
  ratePct: string | null
  expiresAt: string
}

/** A product version with the ID of its product. */
export interface Product extends VersionFact {
  productId: string
}

/**
 * Returns the version with the label. Without a label, returns the active version, or else the
 * newest one. Throws PRODUCT_NOT_FOUND.
 */
export function chooseVersion(
  { productId, versions }: ProductFact,
  label: string | null,
  pointer: string,
): Product {
  const version = label
    ? versions.find((candidate) => candidate.version === label)
    : (versions.find(({ status }) => status === 'active') ?? versions.at(-1))
  if (!version) throw missingReference('PRODUCT_NOT_FOUND', productId, pointer)
  return { ...version, productId }
}

/** Returns the default value of a product parameter; null if there is none. */
export function settingOf({ parameters }: Product, name: string): string | null {
  return parameters.find((parameter) => parameter.name === name)?.default ?? null
}

/** Returns whether a value is greater than 0 and within the bounds of a product parameter. */
export function isWithin({ parameters }: Product, name: string, value: string | number): boolean {
  const { minimum = null, maximum = null } =
    parameters.find((parameter) => parameter.name === name) ?? {}
  const number = new Decimal(value)
  return (
    number.gt(0) &&
    (minimum === null || number.gte(minimum)) &&
    (maximum === null || number.lte(maximum))
  )
}

/** Returns the lower bound of a product parameter; null if there is none. */
export function minimumOf({ parameters }: Product, name: string): string | null {
  return parameters.find((parameter) => parameter.name === name)?.minimum ?? null
}

/** Returns the bounds of a product parameter as a sentence. */
export function boundsOf({ parameters }: Product, name: string): string {
  const { minimum = null, maximum = null } =
    parameters.find((parameter) => parameter.name === name) ?? {}
  const lowerBound = minimum === null ? 'greater than 0' : `at least ${minimum}`
  return `The value must be ${lowerBound}${maximum === null ? '' : ` and at most ${maximum}`}.`
}

/**
 * Returns the interest rate of a version, in percent per year; 0 if the version bears no interest.
 */
export function ratePctOf({ interest }: Product): string {
  return interest ? Decimal.add(interest.basePct, interest.marginPct).toFixed() : '0'
}

/** Checks that the version is on offer today. Throws PRODUCT_NOT_ACTIVE. */
export function requireOnOffer(product: Product, today: LocalDate): void {
  const { productId: resourceId, version, status } = product
  if (isOnSale(product, today)) return
  const detail = `${resourceId} ${version} is ${status === 'active' ? 'not on offer today' : status}.`
  throw fieldProblem('PRODUCT_NOT_ACTIVE', '/productId', detail, { resourceId })
}

/**
 * Checks that the bank may do new business with the customer today. Throws CUSTOMER_NOT_ACTIVE,
 * KYC_INCOMPLETE.
 */
export function requireEligibleCustomer(customer: CustomerFact, today: LocalDate): void {
  const { customerId: resourceId, status, kycState, kycExpiresOn } = customer
  if (status !== 'active') {
    throw fieldProblem('CUSTOMER_NOT_ACTIVE', '/customerId', `The customer is ${status}.`, {
      resourceId,
    })
  }
  if (kycState === 'passed' && (kycExpiresOn === null || today <= kycExpiresOn)) return
  const detail = `The identity check ${kycState === 'passed' ? `expired after ${kycExpiresOn}` : `is ${kycState}`}.`
  throw fieldProblem('KYC_INCOMPLETE', '/customerId', detail, { resourceId })
}

/**
 * Checks that the quote is for this product, and for this customer or for everyone. If `productId`
 * is null, a quote for any product is accepted. Throws QUOTE_MISMATCH.
 */
export function requireQuoteFor(
  quote: QuoteFact,
  { productId, customerId }: { productId: string | null; customerId: string },
): void {
  const isForCustomer = quote.customerId === null || quote.customerId === customerId
  if (isForCustomer && (productId === null || quote.productId === productId)) return
  const resourceId = quote.pricingQuoteId
  const detail = `${resourceId} is a quote for ${quote.productId}, not for this application.`
  throw fieldProblem('QUOTE_MISMATCH', '/quoteId', detail, { resourceId })
}

/** Checks that the quote has not expired. Throws QUOTE_EXPIRED. */
export function requireValidQuote(quote: QuoteFact, now: Date, pointer = '/quoteId'): void {
  if (now.toISOString() < quote.expiresAt) return
  const resourceId = quote.pricingQuoteId
  throw fieldProblem('QUOTE_EXPIRED', pointer, `${resourceId} expired at ${quote.expiresAt}.`, {
    resourceId,
  })
}

const kindNames = {
  'consumer-loan': 'CONSUMER_LOAN',
  mortgage: 'MORTGAGE',
  'sme-facility': 'SME_FACILITY',
  revolving: 'REVOLVING',
} as const satisfies Record<CreditKind, string>
export type FacilityKind = (typeof kindNames)[CreditKind]

/** Returns the kind of facility for a product class. Throws PRODUCT_NOT_LENDABLE. */
export function facilityKindOf(productClass: string): FacilityKind {
  const kind = creditKindOf(productClass)
  if (kind) return kindNames[kind]
  throw fieldProblem(
    'PRODUCT_NOT_LENDABLE',
    '/productId',
    `Products of class ${productClass} are not credit products.`,
  )
}

/**
 * Returns whether facilities of a product class have a term. Revolving limits have none. Throws
 * PRODUCT_NOT_LENDABLE.
 */
export function hasTerm(productClass: string): boolean {
  return facilityKindOf(productClass) !== 'REVOLVING'
}
