import { Decimal } from 'decimal.js'
import { creditKindOf } from '../../_kernel/domain/credit-class.ts'
import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { feeAmount, feeFromJson, type FeeInJson } from '../../_kernel/domain/fee.ts'
import { formatAmount, type Money } from '../../_kernel/domain/money.ts'
import { missingReference, Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import { addMonths, calendarOf } from './calendar.ts'
import type { UpfrontFee } from './facility.ts'
import { instalmentsOf, type NewFacility } from './opening.ts'
import { fault } from './refusals.ts'

/** A version of a product as its owner publishes it; members of older publications may be absent. */
export interface LendingProductVersion {
  version: string
  status: string
  productClass?: string
  currencies?: readonly string[]
  parameters: readonly {
    name: string
    minimum?: string | null
    maximum?: string | null
  }[]
  fees?: readonly FeeInJson[]
}

export interface LendingProduct {
  productId: string
  versions: readonly LendingProductVersion[]
}

/**
 * The version a facility is opened under: the one named, else the active one. Credit that was agreed
 * before (an accepted application, a loan that is taken over) keeps a version that has been replaced.
 * Rejects with PRODUCT_NOT_FOUND, PRODUCT_NOT_ACTIVE.
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
  const isDraft = found.status === 'draft' || found.status === 'withdrawn'
  if (found.status === 'active' || (isAgreed && !isDraft)) return found
  const code = 'PRODUCT_NOT_ACTIVE'
  const detail = `Version ${found.version} of ${productId} is ${found.status}.`
  throw new Problem(code, { detail, errors: [fault('/productId', code, detail)] })
}

/**
 * Checks a facility against the bounds of its product: class, currency, amount, rate and term.
 * Rejects with the code of the first fault and all faults: PRODUCT_NOT_LENDABLE, CURRENCY_NOT_OFFERED,
 * AMOUNT_OUT_OF_RANGE, RATE_OUT_OF_RANGE, TERM_OUT_OF_RANGE.
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

function classFaults({ productClass }: LendingProductVersion, { kind }: NewFacility): Fault[] {
  if (productClass === undefined || creditKindOf(productClass) === kind) return []
  return [
    fault('/kind', 'PRODUCT_NOT_LENDABLE', `A ${kind} is not a product of class ${productClass}.`),
  ]
}

function currencyFaults({ currencies }: LendingProductVersion, { currency }: Money): Fault[] {
  if (!currencies || currencies.includes(currency)) return []
  const detail = `The product is offered in ${currencies.join(', ')}, not in ${currency}.`
  return [fault('/limit/currency', 'CURRENCY_NOT_OFFERED', detail)]
}

function amountFaults(version: LendingProductVersion, { amountMinor, currency }: Money): Fault[] {
  const amount = formatAmount(amountMinor, currency)
  if (isWithin(version, 'amount', amount)) return []
  const detail = `The limit is ${amount}; the product allows ${rangeOf(version, 'amount')}.`
  return [fault('/limit/amount', 'AMOUNT_OUT_OF_RANGE', detail)]
}

function rateFaults(version: LendingProductVersion, ratePct: string): Fault[] {
  if (isWithin(version, 'ratePct', ratePct)) return []
  const detail = `The rate is ${ratePct} %; the product allows ${rangeOf(version, 'ratePct')}.`
  return [fault('/ratePct', 'RATE_OUT_OF_RANGE', detail)]
}

/** A term is measured by its last due date, so that weeks and days compare with months. */
function termFaults(
  version: LendingProductVersion,
  request: NewFacility,
  openedOn: LocalDate,
): Fault[] {
  const { minimum, maximum } = boundsOf(version, 'termMonths')
  if (request.kind !== 'revolving' && !request.instalments) return []
  const instalments = instalmentsOf(request, openedOn)
  const { frequency, everyDays } = request
  const end = calendarOf(openedOn, frequency, everyDays ?? null).dueDay(instalments)
  const isShort = minimum !== null && end < addMonths(openedOn, Math.ceil(Number(minimum)))
  const isLong = maximum !== null && end > addMonths(openedOn, Math.floor(Number(maximum)))
  if (!isShort && !isLong) return []
  const detail =
    `${instalments} installments (${frequency}) are ${isShort ? 'too short' : 'too long'}; ` +
    `the product allows ${rangeOf(version, 'termMonths')} months.`
  return [fault('/instalments', 'TERM_OUT_OF_RANGE', detail)]
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

/** The upfront fees of a version for a limit, as the price of the product states them. */
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
