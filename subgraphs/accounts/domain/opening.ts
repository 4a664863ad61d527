import { addMs, dateOf, dayMs, minuteMs, type LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount, type Money } from '../../_kernel/domain/money.ts'
import { missingReference, Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { initialState } from '../../_kernel/domain/states.ts'
import type { Arrangement, ArrangementState } from './arrangement.ts'
import { chooseParameters, isWithin, type OfferedParameter } from './parameters.ts'

export const backdatingDays = 30
/** How far the clocks of a caller and the bank may differ. */
export const clockToleranceMs = minuteMs

/** What the owner of customers publishes of one. */
export interface CustomerFact {
  customerId: string
  partyId: string
  status: string
  kycState: string
  kycExpiresOn: LocalDate | null
}

/** What the owner of products publishes of one: all its versions, newest last. */
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

/** The state an arrangement is asked to start in. Refuses with INVALID_INITIAL_STATUS. */
export function openingState({ state }: NewArrangement): ArrangementState {
  return initialState<ArrangementState>(state, ['pending', 'active'], 'active', 'state')
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

/**
 * The version an arrangement is opened under: the one asked for, else the active one.
 * Refuses with PRODUCT_NOT_FOUND, PRODUCT_NOT_ACTIVE, PRODUCT_CLASS_NOT_OPENABLE.
 */
export function requireOpenable(
  product: ProductFact,
  label: string | null | undefined,
  today: LocalDate,
): VersionFact {
  const { productId: resourceId, versions } = product
  const version = label
    ? versions.find((candidate) => candidate.version === label)
    : (versions.find(({ status }) => status === 'active') ?? versions.at(-1))
  if (!version) throw missingReference('PRODUCT_NOT_FOUND', resourceId, '/productVersion')
  const pointer = label ? '/productVersion' : '/productId'
  const { status, effectiveFrom, effectiveTo } = version
  if (status !== 'active') {
    const detail = `${resourceId} ${version.version} is ${status}.`
    throw refuse('PRODUCT_NOT_ACTIVE', pointer, detail, { resourceId })
  }
  if ((effectiveFrom && today < effectiveFrom) || (effectiveTo && today > effectiveTo)) {
    const detail = `On offer ${effectiveFrom ? `from ${effectiveFrom} ` : ''}${effectiveTo ? `to ${effectiveTo}` : ''}`
    throw refuse('PRODUCT_NOT_ACTIVE', pointer, `${detail.trim()}.`, { resourceId })
  }
  if (version.isOpenable) return version
  const detail = `No account is opened of the class ${version.productClass}.`
  throw refuse('PRODUCT_CLASS_NOT_OPENABLE', pointer, detail, { resourceId })
}

/** Promises room for one more. Refuses with ARRANGEMENT_LIMIT_REACHED. */
export function requireRoom(most: number | null, open: number): void {
  if (most === null || open < most) return
  const detail = `A customer has at most ${most} of this product.`
  throw refuse('ARRANGEMENT_LIMIT_REACHED', '/productId', detail)
}

/**
 * Opens an account of a good customer under an openable version.
 * Refuses with INVALID_INITIAL_STATUS, OPENED_AT_IN_FUTURE, BACKDATE_NOT_ALLOWED,
 * CURRENCY_NOT_OFFERED, CURRENCY_MISMATCH, PARAMETER_OUT_OF_RANGE.
 */
export function openArrangement(
  asked: NewArrangement,
  customer: CustomerFact,
  product: { productId: string; version: VersionFact },
  made: Opening,
): Arrangement {
  const { version } = product
  const { arrangementId, accountNumber, contentHash, now } = made
  const currency = asked.currency ?? version.currencies[0]!
  if (!version.currencies.includes(currency)) {
    const detail = `One of ${version.currencies.join(', ')}.`
    throw refuse('CURRENCY_NOT_OFFERED', '/currency', detail)
  }
  return {
    arrangementId,
    customerId: customer.customerId,
    partyId: customer.partyId,
    productId: product.productId,
    productVersion: version.version,
    state: openingState(asked),
    stateReason: null,
    blockedFor: null,
    openedAt: openingTime(asked.openedAt ?? null, made),
    closedAt: null,
    currency,
    accountNumber,
    nickname: asked.nickname ?? null,
    overdraftLimitMinor: overdraftLimit(asked.overdraftLimit ?? null, currency, version),
    parameters: chooseParameters(version.parameters, asked.parameters ?? {}),
    contentHash,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

function openingTime(asked: Date | null, { now, mayBackdate }: Opening): Date {
  if (asked === null) return now
  if (asked > addMs(now, clockToleranceMs)) {
    throw refuse('OPENED_AT_IN_FUTURE', '/openedAt', 'Not after now.')
  }
  const isNow = asked >= addMs(now, -clockToleranceMs)
  const isInWindow = asked >= addMs(now, -backdatingDays * dayMs)
  if (isNow || (mayBackdate && isInWindow)) return asked
  const detail = isInWindow
    ? 'The token lacks the scope accounts:backdate.'
    : `Not before ${dateOf(addMs(now, -backdatingDays * dayMs))}.`
  throw refuse('BACKDATE_NOT_ALLOWED', '/openedAt', detail)
}

function overdraftLimit(
  asked: Money | null,
  currency: string,
  { parameters }: VersionFact,
): bigint {
  if (asked === null) return 0n
  if (asked.currency !== currency) {
    const detail = `The account is in ${currency}.`
    throw refuse('CURRENCY_MISMATCH', '/overdraftLimit/currency', detail)
  }
  const bounds = parameters.find(({ name }) => name === 'overdraftLimit')
  const isGood = !bounds || isWithin(bounds, formatAmount(asked.amountMinor, currency))
  if (asked.amountMinor >= 0n && isGood) return asked.amountMinor
  const detail = `From ${bounds?.minimum ?? 0}${bounds?.maximum ? ` to ${bounds.maximum}` : ''}.`
  throw refuse('PARAMETER_OUT_OF_RANGE', '/overdraftLimit/amount', detail)
}

function refuse(code: ProblemCode, pointer: string, detail: string, members = {}): Problem {
  return new Problem(code, { detail, ...members, errors: [{ pointer, code, detail }] })
}
