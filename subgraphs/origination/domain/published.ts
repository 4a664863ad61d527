import { Decimal } from 'decimal.js'
import { creditKindOf, type CreditKind } from '../../_kernel/domain/credit-class.ts'
import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { missingReference } from '../../_kernel/domain/problem.ts'
import { refuse } from './refusals.ts'

/** What the owner of customers publishes of one. */
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

/** What the owner of products publishes of one version. */
export interface VersionFact {
  version: string
  productClass: string
  status: string
  currencies: string[]
  effectiveFrom: LocalDate | null
  effectiveTo: LocalDate | null
  parameters: OfferedParameter[]
  /** Absent of versions that were published before it was told. */
  interest?: { basePct: string; marginPct: string } | null
}

/** What the owner of products publishes of one: all its versions, newest last. */
export interface ProductFact {
  productId: string
  versions: VersionFact[]
}

/** What the owner of prices publishes of one. Instants are ISO 8601. */
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

/** A version with the product it is of. */
export interface Product extends VersionFact {
  productId: string
}

/** The version with this label, else the active one, else the newest. Refuses with PRODUCT_NOT_FOUND. */
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

/** What a product says of itself under a name; null when it says nothing. */
export function settingOf({ parameters }: Product, name: string): string | null {
  return parameters.find((parameter) => parameter.name === name)?.default ?? null
}

/** Whether a value is within the bounds a product gives a name; one without bounds allows anything above 0. */
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

/** The lower bound of a parameter; null when it has none. */
export function minimumOf({ parameters }: Product, name: string): string | null {
  return parameters.find((parameter) => parameter.name === name)?.minimum ?? null
}

/** The bounds in words. */
export function boundsOf({ parameters }: Product, name: string): string {
  const { minimum = null, maximum = null } =
    parameters.find((parameter) => parameter.name === name) ?? {}
  return `From ${minimum ?? 'more than 0'}${maximum === null ? '' : ` to ${maximum}`}.`
}

/** The yearly rate a version is offered at, in percent; 0 when it bears no interest. */
export function ratePctOf({ interest }: Product): string {
  return interest ? Decimal.add(interest.basePct, interest.marginPct).toFixed() : '0'
}

/** Promises that new business is done in the version today. Refuses with PRODUCT_NOT_ACTIVE. */
export function requireOnOffer(product: Product, today: LocalDate): void {
  const { productId: resourceId, version, status, effectiveFrom, effectiveTo } = product
  const isToday =
    (effectiveFrom === null || today >= effectiveFrom) &&
    (effectiveTo === null || today <= effectiveTo)
  if (status === 'active' && isToday) return
  const detail = `${resourceId} ${version} is ${status === 'active' ? 'not on offer today' : status}.`
  throw refuse('PRODUCT_NOT_ACTIVE', '/productId', detail, { resourceId })
}

/**
 * Promises that business may be done with the customer today.
 * Refuses with CUSTOMER_NOT_ACTIVE, KYC_INCOMPLETE.
 */
export function requireGoodCustomer(customer: CustomerFact, today: LocalDate): void {
  const { customerId: resourceId, status, kycState, kycExpiresOn } = customer
  if (status !== 'active') {
    throw refuse('CUSTOMER_NOT_ACTIVE', '/customerId', `The customer is ${status}.`, { resourceId })
  }
  if (kycState === 'passed' && (kycExpiresOn === null || today <= kycExpiresOn)) return
  const detail = `The check is ${kycState === 'passed' ? `good until ${kycExpiresOn}` : kycState}.`
  throw refuse('KYC_INCOMPLETE', '/customerId', detail, { resourceId })
}

/** Promises that the price is for this product and customer. Refuses with QUOTE_MISMATCH. */
export function requireForThem(
  quote: QuoteFact,
  { productId, customerId }: { productId: string | null; customerId: string },
): void {
  const isForThem = quote.customerId === null || quote.customerId === customerId
  if (isForThem && (productId === null || quote.productId === productId)) return
  const resourceId = quote.pricingQuoteId
  const detail = `${resourceId} is a price of ${quote.productId}, not for this.`
  throw refuse('QUOTE_MISMATCH', '/quoteId', detail, { resourceId })
}

/** Promises that the price is still good. Refuses with QUOTE_EXPIRED. */
export function requireGoodQuote(quote: QuoteFact, now: Date, pointer = '/quoteId'): void {
  if (now.toISOString() < quote.expiresAt) return
  const resourceId = quote.pricingQuoteId
  throw refuse('QUOTE_EXPIRED', pointer, `It was good until ${quote.expiresAt}.`, { resourceId })
}

const kindNames = {
  'consumer-loan': 'CONSUMER_LOAN',
  mortgage: 'MORTGAGE',
  'sme-facility': 'SME_FACILITY',
  revolving: 'REVOLVING',
} as const satisfies Record<CreditKind, string>
export type FacilityKind = (typeof kindNames)[CreditKind]

/** What is lent under a class: a loan, or a limit to draw on. Refuses with PRODUCT_NOT_LENDABLE. */
export function facilityKindOf(productClass: string): FacilityKind {
  const kind = creditKindOf(productClass)
  if (kind) return kindNames[kind]
  throw refuse('PRODUCT_NOT_LENDABLE', '/productId', `${productClass} is no class of credit.`)
}

/** Whether it is repaid in a number of instalments; a revolving limit is not. */
export function hasTerm(productClass: string): boolean {
  return facilityKindOf(productClass) !== 'REVOLVING'
}
