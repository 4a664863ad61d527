import type { Arrangement } from '../model/arrangement.ts'
import type { ArrangementState } from '../model/enumerations.ts'
import { addMs, dateOf, dayMs, minuteMs, type LocalDate } from '../../../kernel/domain/dates.ts'
import { formatAmount, type Money } from '../../../kernel/domain/money.ts'
import type { OverdraftTermsInJson } from '../../../kernel/domain/overdraft.ts'
import { isOnSale } from '../../../kernel/domain/product-sale.ts'
import { missingReference, type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import { initialState } from '../../../kernel/domain/states.ts'
import { chooseParameters, isWithin, type OfferedParameter } from './parameters.ts'

export const backdatingDays = 30
/** The tolerated difference between the clock of a client and the clock of the bank. */
export const clockToleranceMs = minuteMs

/** The published fact of a customer. */
export interface CustomerFact {
  customerId: string
  partyId: string
  status: string
  kycState: string
  kycExpiresOn: LocalDate | null
}

/** The published fact of a product: all its versions, newest last. */
export interface ProductFact {
  productId: string
  versions: {
    version: string
    productClass: string
    status: string
    isOpenable: boolean
    currencies: string[]
    effectiveFrom: LocalDate | null
    effectiveTo: LocalDate | null
    maxPerCustomer: number | null
    parameters: OfferedParameter[]
    depositInterest?: object
    overdraft?: OverdraftTermsInJson
  }[]
}
type VersionFact = ProductFact['versions'][number]

export interface NewArrangement {
  customerId: string
  productId: string
  productVersion?: string | null
  state?: string | null
  openedAt?: Date | null
  currency?: string | null
  nickname?: string | null
  overdraftLimit?: Money | null
  parameters?: Record<string, unknown> | null
}

export interface Opening {
  arrangementId: string
  accountNumber: string
  contentHash: string
  now: Date
  mayBackdate: boolean
}

/** Returns the requested initial state; by default `active`. Throws INVALID_INITIAL_STATUS. */
export function openingState({ state }: NewArrangement): ArrangementState {
  return initialState<ArrangementState>(state, ['pending', 'active'], 'active', 'state')
}

/**
 * Checks that the customer is active and has valid KYC today. Throws CUSTOMER_NOT_ACTIVE,
 * KYC_INCOMPLETE.
 */
export function requireEligibleCustomer(customer: CustomerFact, today: LocalDate): void {
  const { customerId: resourceId, status, kycState, kycExpiresOn } = customer
  if (status !== 'active') {
    throw problemAt('CUSTOMER_NOT_ACTIVE', '/customerId', `The customer is ${status}.`, {
      resourceId,
    })
  }
  if (kycState === 'passed' && (kycExpiresOn === null || today <= kycExpiresOn)) return
  const detail = `The KYC identification of the customer ${kycState === 'passed' ? `expired on ${kycExpiresOn}` : `is ${kycState}`}.`
  throw problemAt('KYC_INCOMPLETE', '/customerId', detail, { resourceId })
}

/**
 * Returns the product version of a new account: the requested one, by default the active one.
 * `labelPointer` is the member of the request that names the version.
 * Throws PRODUCT_NOT_FOUND, PRODUCT_NOT_ACTIVE, PRODUCT_CLASS_NOT_OPENABLE.
 */
export function requireOpenable(
  product: ProductFact,
  label: string | null | undefined,
  today: LocalDate,
  labelPointer = '/productVersion',
): VersionFact {
  const { productId: resourceId, versions } = product
  const version = label
    ? versions.find((candidate) => candidate.version === label)
    : (versions.find(({ status }) => status === 'active') ?? versions.at(-1))
  if (!version) throw missingReference('PRODUCT_NOT_FOUND', resourceId, labelPointer)
  const pointer = label ? labelPointer : '/productId'
  const { status, effectiveFrom, effectiveTo } = version
  if (status !== 'active') {
    const detail = `Version ${version.version} of ${resourceId} is ${status}.`
    throw problemAt('PRODUCT_NOT_ACTIVE', pointer, detail, { resourceId })
  }
  if (!isOnSale(version, today)) {
    const detail = `The product is offered ${effectiveFrom ? `from ${effectiveFrom} ` : ''}${effectiveTo ? `to ${effectiveTo}` : ''}`
    throw problemAt('PRODUCT_NOT_ACTIVE', pointer, `${detail.trim()}.`, { resourceId })
  }
  if (version.isOpenable) return version
  const detail = `Accounts cannot be opened for products of the class ${version.productClass}.`
  throw problemAt('PRODUCT_CLASS_NOT_OPENABLE', pointer, detail, { resourceId })
}

/**
 * Checks that the customer can have another account of the product. `max` is null if there is no
 * limit. Throws ARRANGEMENT_LIMIT_REACHED.
 */
export function requireCapacity(max: number | null, openCount: number): void {
  if (max === null || openCount < max) return
  const detail = `A customer can have at most ${max} accounts of this product.`
  throw problemAt('ARRANGEMENT_LIMIT_REACHED', '/productId', detail)
}

/**
 * Creates the account of an eligible customer under an openable version. Throws
 * INVALID_INITIAL_STATUS, OPENED_AT_IN_FUTURE, BACKDATE_NOT_ALLOWED, CURRENCY_NOT_OFFERED,
 * CURRENCY_MISMATCH, PARAMETER_OUT_OF_RANGE.
 */
export function openArrangement(
  request: NewArrangement,
  customer: CustomerFact,
  product: { productId: string; version: VersionFact },
  opening: Opening,
): Arrangement {
  const { version } = product
  const { arrangementId, accountNumber, contentHash, now } = opening
  const currency = request.currency ?? version.currencies[0]!
  if (!version.currencies.includes(currency)) {
    const detail = `The currency is ${currency}; the product is offered in ${version.currencies.join(', ')}.`
    throw problemAt('CURRENCY_NOT_OFFERED', '/currency', detail)
  }
  return {
    arrangementId,
    customerId: customer.customerId,
    partyId: customer.partyId,
    productId: product.productId,
    productVersion: version.version,
    state: openingState(request),
    stateReason: null,
    blockedFor: null,
    openedAt: openingTime(request.openedAt ?? null, opening),
    closedAt: null,
    currency,
    accountNumber,
    nickname: request.nickname ?? null,
    overdraftLimitMinor: overdraftMinorOf(request.overdraftLimit ?? null, currency, version),
    parameters: chooseParameters(version.parameters, request.parameters ?? {}),
    contentHash,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

function openingTime(requestedTime: Date | null, { now, mayBackdate }: Opening): Date {
  if (requestedTime === null) return now
  if (requestedTime > addMs(now, clockToleranceMs)) {
    throw problemAt(
      'OPENED_AT_IN_FUTURE',
      '/openedAt',
      'The opening time must not be in the future.',
    )
  }
  const isNow = requestedTime >= addMs(now, -clockToleranceMs)
  const isInWindow = requestedTime >= addMs(now, -backdatingDays * dayMs)
  if (isNow || (mayBackdate && isInWindow)) return requestedTime
  const detail = isInWindow
    ? 'The token lacks the scope accounts:backdate.'
    : `The opening time must not be before ${dateOf(addMs(now, -backdatingDays * dayMs))}.`
  throw problemAt('BACKDATE_NOT_ALLOWED', '/openedAt', detail)
}

function overdraftMinorOf(
  requestedLimit: Money | null,
  currency: string,
  { parameters }: VersionFact,
): bigint {
  if (requestedLimit === null) return 0n
  if (requestedLimit.currency !== currency) {
    const detail = `The overdraft limit must be in ${currency}, the currency of the account.`
    throw problemAt('CURRENCY_MISMATCH', '/overdraftLimit/currency', detail)
  }
  const bounds = parameters.find(({ name }) => name === 'overdraftLimit')
  const isInRange = !bounds || isWithin(bounds, formatAmount(requestedLimit.amountMinor, currency))
  if (requestedLimit.amountMinor >= 0n && isInRange) return requestedLimit.amountMinor
  const detail = `The overdraft limit must be at least ${bounds?.minimum ?? 0}${bounds?.maximum ? ` and at most ${bounds.maximum}` : ''}.`
  throw problemAt('PARAMETER_OUT_OF_RANGE', '/overdraftLimit/amount', detail)
}

function problemAt(code: ProblemCode, pointer: string, detail: string, members = {}): Problem {
  return new Problem(code, { detail, ...members, errors: [{ pointer, code, detail }] })
}
