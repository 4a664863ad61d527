import { addMonths } from '../../../../kernel/domain/day-count.ts'
import { Decimal } from 'decimal.js'
import { creditKindOf } from '../../../../kernel/domain/credit-class.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { feeAmount, feeFromJson, type FeeInJson } from '../../../../kernel/domain/fee.ts'
import { formatAmount, type Money } from '../../../../kernel/domain/money.ts'
import { missingReference, type ProblemCode } from '../../../../kernel/domain/problem.ts'
import { Problem } from '../problems.ts'
import type { ValidationError } from '../../../../kernel/domain/problem-members.ts'
import { readBuckets } from '../servicing/delinquency-bucket.ts'
import { calendarOf } from '../schedules/calendar.ts'
import type { UpfrontFee } from './facility.ts'
import type { ProductInterest } from '../rate-resets/terms.ts'
import { installmentsOf, type NewFacility } from './opening.ts'
import { validationError, inputProblem } from '../schedules/refusals.ts'

/** The published fields of a product version. Older publications can lack some of them. */
export interface LendingProductVersion {
  version: string
  status: string
  productClass?: string
  currencies?: readonly string[]
  parameters: readonly {
    name: string
    default?: string | null
    minimum?: string | null
    maximum?: string | null
  }[]
  fees?: readonly FeeInJson[]
  interest?: ProductInterest | null
}

export interface LendingProduct {
  productId: string
  versions: readonly LendingProductVersion[]
}

/**
 * Returns the version under which a facility is opened: the requested version; otherwise the active
 * one, or the last one if none is active. Only an active version can be used, with one exception:
 * credit that was agreed earlier (an accepted application or a loan that is taken over) can use a
 * replaced version. Throws PRODUCT_NOT_FOUND and PRODUCT_NOT_ACTIVE.
 */
export function versionToOpen(
  { productId, versions }: LendingProduct,
  request: NewFacility,
  today: LocalDate,
): LendingProductVersion {
  const label = request.productVersion
  const found = label
    ? versions.find(({ version }) => version === label)
    : (versions.find(({ status }) => status === 'active') ?? versions.at(-1))
  if (!found) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productVersion')
  const isAgreed = Boolean(request.applicationId) || (request.openedOn ?? today) < today
  const wasNeverActive = found.status === 'draft' || found.status === 'withdrawn'
  if (found.status === 'active' || (isAgreed && !wasNeverActive)) return found
  const detail = `Version ${found.version} of ${productId} is ${found.status}.`
  throw inputProblem('PRODUCT_NOT_ACTIVE', '/productId', detail)
}

/**
 * Checks a facility against the bounds of its product: class, currency, amount, rate and term.
 * Throws a problem with all validation errors and the code of the first one: PRODUCT_NOT_LENDABLE,
 * CURRENCY_NOT_OFFERED, AMOUNT_OUT_OF_RANGE, RATE_OUT_OF_RANGE or TERM_OUT_OF_RANGE.
 */
export function requireWithinProduct(
  version: LendingProductVersion,
  request: NewFacility,
  openedOn: LocalDate,
): void {
  const faults = [
    ...classFaults(version, request),
    ...currencyFaults(version, request.limit),
    ...amountFaults(version, request.limit),
    ...rateFaults(version, request.ratePct),
    ...termFaults(version, request, openedOn),
  ]
  const [first] = faults
  if (!first) return
  throw new Problem(first.code as ProblemCode, { detail: first.detail, errors: faults })
}

function classFaults(
  { productClass }: LendingProductVersion,
  { kind }: NewFacility,
): ValidationError[] {
  if (productClass === undefined || creditKindOf(productClass) === kind) return []
  return [
    validationError(
      '/kind',
      'PRODUCT_NOT_LENDABLE',
      `A ${kind} is not a product of class ${productClass}.`,
    ),
  ]
}

function currencyFaults(
  { currencies }: LendingProductVersion,
  { currency }: Money,
): ValidationError[] {
  if (!currencies || currencies.includes(currency)) return []
  const detail = `The product is offered in ${currencies.join(', ')}, not in ${currency}.`
  return [validationError('/limit/currency', 'CURRENCY_NOT_OFFERED', detail)]
}

function amountFaults(
  version: LendingProductVersion,
  { amountMinor, currency }: Money,
): ValidationError[] {
  const amount = formatAmount(amountMinor, currency)
  if (isWithin(version, 'amount', amount)) return []
  const detail = `The limit is ${amount}; the product allows ${rangeOf(version, 'amount')}.`
  return [validationError('/limit/amount', 'AMOUNT_OUT_OF_RANGE', detail)]
}

function rateFaults(version: LendingProductVersion, ratePct: string): ValidationError[] {
  if (isWithin(version, 'ratePct', ratePct)) return []
  const detail = `The rate is ${ratePct} %; the product allows ${rangeOf(version, 'ratePct')}.`
  return [validationError('/ratePct', 'RATE_OUT_OF_RANGE', detail)]
}

/**
 * Compares the last due date with the bounds, so that terms in weeks or days can be compared with
 * months.
 */
function termFaults(
  version: LendingProductVersion,
  request: NewFacility,
  openedOn: LocalDate,
): ValidationError[] {
  const { minimum, maximum } = boundsOf(version, 'termMonths')
  if (request.kind !== 'revolving' && !request.installments) return []
  const installments = installmentsOf(request, openedOn)
  const { frequency, everyDays } = request
  const end = calendarOf(openedOn, frequency, everyDays ?? null).dueDay(installments)
  const isShort = minimum !== null && end < addMonths(openedOn, Math.ceil(Number(minimum)))
  const isLong = maximum !== null && end > addMonths(openedOn, Math.floor(Number(maximum)))
  if (!isShort && !isLong) return []
  const detail =
    `${installments} installments (${frequency}) are ${isShort ? 'too short' : 'too long'}; ` +
    `the product allows ${rangeOf(version, 'termMonths')} months.`
  return [validationError('/installments', 'TERM_OUT_OF_RANGE', detail)]
}

function boundsOf({ parameters }: LendingProductVersion, name: string) {
  const parameter = parameters.find((candidate) => candidate.name === name)
  return { minimum: parameter?.minimum ?? null, maximum: parameter?.maximum ?? null }
}

function isWithin(version: LendingProductVersion, name: string, value: string): boolean {
  const { minimum, maximum } = boundsOf(version, name)
  const number = new Decimal(value)
  return (minimum === null || number.gte(minimum)) && (maximum === null || number.lte(maximum))
}

function rangeOf(version: LendingProductVersion, name: string): string {
  const { minimum, maximum } = boundsOf(version, name)
  if (minimum === null) return `at most ${maximum}`
  return maximum === null ? `at least ${minimum}` : `${minimum} to ${maximum}`
}

/** Returns the delinquency buckets of a version; empty if it has none. */
export function delinquencyBucketsOf({ parameters }: LendingProductVersion): string {
  return readBuckets(parameters.find(({ name }) => name === 'delinquencyBuckets')?.default)
}

/**
 * Returns the upfront fees of a version for a limit. Percentage fees are computed on the limit.
 * Fees of zero or in another currency are left out.
 */
export function upfrontFeesOf(version: LendingProductVersion, limit: Money): UpfrontFee[] {
  return (version.fees ?? [])
    .map(feeFromJson)
    .filter(({ frequency }) => frequency === 'upfront')
    .flatMap((fee) => {
      const { amountMinor: basisMinor, currency } = limit
      const amountMinor = feeAmount(fee, { basisMinor, events: 1, currency })
      return amountMinor ? [{ code: fee.code, amountMinor }] : []
    })
}
