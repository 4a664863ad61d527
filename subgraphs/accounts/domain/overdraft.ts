import { Decimal } from 'decimal.js'
import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { maxRateDecimals } from '../../../kernel/domain/deposit-interest.ts'
import { formatAmount, type Money } from '../../../kernel/domain/money.ts'
import {
  floatingOverdraftFaults,
  floatingOverdraftRules,
  overdraftOn,
  overdraftTermsFromJson,
  type ApprovedOverdraft,
  type FloatingOverdraftRate,
  type OverdraftTerms,
} from '../../../kernel/domain/overdraft.ts'
import type { Arrangement } from '../model/arrangement.ts'
import type { Overdraft } from '../model/overdraft.ts'
import { lifecycleOf } from './arrangement.ts'
import type { ProductFact } from './opening.ts'
import { isWithin, type OfferedParameter } from './parameters.ts'
import { Problem } from './problems.ts'

/** An overdraft as it is requested. What is null is taken from the product version. */
export interface OverdraftRequest {
  limit: Money
  annualRatePct: string | null
  unarrangedRatePct: string | null
  interestFree: Money | null
  floatingRate: FloatingOverdraftRate | null
  validFrom: LocalDate | null
  validTo: LocalDate | null
}

/** What the product version of an account says about overdrafts. */
export interface OverdraftOffer {
  terms: OverdraftTerms
  parameters: readonly OfferedParameter[]
}

type Content = Pick<
  Overdraft,
  | 'currency'
  | 'limitMinor'
  | 'annualRatePct'
  | 'unarrangedRatePct'
  | 'interestFreeMinor'
  | 'floatingRate'
  | 'validFrom'
  | 'validTo'
>

/**
 * Returns the overdraft terms under which an account was opened. Throws OVERDRAFT_NOT_OFFERED if there
 * are none or the account is not open.
 */
export function requireOffered(account: Arrangement, product: ProductFact | null): OverdraftOffer {
  const { arrangementId: resourceId, productId, productVersion, state } = account
  const version = product?.versions.find((each) => each.version === productVersion)
  const refuse = (detail: string) => new Problem('OVERDRAFT_NOT_OFFERED', { detail, resourceId })
  if (lifecycleOf(account) !== 'open') throw refuse(`${resourceId} is ${state}.`)
  if (version?.overdraft) {
    return { terms: overdraftTermsFromJson(version.overdraft), parameters: version.parameters }
  }
  throw refuse(`Version ${productVersion} of ${productId} has no overdraft terms.`)
}

/**
 * Returns the terms of a requested overdraft. Throws CURRENCY_MISMATCH, PARAMETER_OUT_OF_RANGE,
 * VALIDATION_FAILED, INVALID_DATE_RANGE.
 */
export function overdraftContent(
  request: OverdraftRequest,
  { terms, parameters }: OverdraftOffer,
  currency: string,
  today: LocalDate,
): Content {
  const { limit, interestFree, validTo } = request
  requireAmount(limit, currency, '/limit')
  if (interestFree) requireAmount(interestFree, currency, '/interestFreeAmount')
  const bounds = parameters.find(({ name }) => name === 'overdraftLimit')
  const isWithdrawal = limit.amountMinor === 0n
  if (bounds && !isWithdrawal && !isWithin(bounds, formatAmount(limit.amountMinor, currency))) {
    const range = `at least ${bounds.minimum ?? 0}${bounds.maximum ? ` and at most ${bounds.maximum}` : ''}`
    throw problemAt('PARAMETER_OUT_OF_RANGE', '/limit/amount', `The limit must be ${range}.`)
  }
  const annualRatePct = request.annualRatePct ?? terms.annualRatePct
  const unarrangedRatePct = request.unarrangedRatePct ?? terms.unarrangedRatePct
  const floatingRate = request.floatingRate ?? terms.floatingRate ?? null
  if (request.floatingRate && !terms.floatingRate) requireMargins(request)
  if (floatingRate) requireFloatingRate(floatingRate)
  requireRate(annualRatePct, '/annualRatePct', floatingRate !== null)
  requireRate(unarrangedRatePct, '/unarrangedRatePct', floatingRate !== null)
  const validFrom = request.validFrom ?? today
  requireNotPast(validFrom, today)
  if (validTo !== null && validTo < validFrom) {
    const detail = `validTo, ${validTo}, must not be before ${validFrom}.`
    throw problemAt('INVALID_DATE_RANGE', '/validTo', detail)
  }
  return {
    currency,
    limitMinor: limit.amountMinor,
    annualRatePct,
    unarrangedRatePct,
    floatingRate,
    interestFreeMinor: (interestFree ?? terms.interestFreeAmount)?.amountMinor ?? 0n,
    validFrom,
    validTo,
  }
}

/** Checks that an overdraft begins today or later. Throws INVALID_DATE_RANGE. */
export function requireNotPast(validFrom: LocalDate, today: LocalDate): void {
  if (validFrom >= today) return
  const detail = `validFrom, ${validFrom}, must not be before ${today}.`
  throw problemAt('INVALID_DATE_RANGE', '/validFrom', detail)
}

/**
 * Checks that a limit that is lower than the one it replaces begins after the notice of the product.
 * `approved` has the approved overdrafts of the account in the order of their approval. Throws
 * OVERDRAFT_NOTICE_TOO_SHORT.
 */
export function requireNotice(
  { limitMinor, validFrom, currency }: Pick<Overdraft, 'limitMinor' | 'validFrom' | 'currency'>,
  { noticeDays }: OverdraftTerms,
  approved: readonly Overdraft[],
  today: LocalDate,
): void {
  const replacedMinor = overdraftOn(approved, validFrom)?.limitMinor ?? 0n
  const earliest = addDays(today, noticeDays)
  if (limitMinor >= replacedMinor || validFrom >= earliest) return
  const replaced = `${formatAmount(replacedMinor, currency)} ${currency}`
  const detail = `The limit is lower than ${replaced}, so it can begin on ${earliest} at the earliest.`
  throw problemAt('OVERDRAFT_NOTICE_TOO_SHORT', '/validFrom', detail)
}

/** Returns the limit of an account on a day, in minor units. */
export function limitOn(approved: readonly Overdraft[], day: LocalDate): bigint {
  return overdraftOn(approved, day)?.limitMinor ?? 0n
}

/** Returns the next day, after today, on which an approved overdraft begins or has ended. */
export function nextChangeOf(
  { validFrom, validTo }: Pick<Overdraft, 'validFrom' | 'validTo'>,
  today: LocalDate,
): LocalDate | null {
  if (validFrom > today) return validFrom
  return validTo !== null && validTo >= today ? addDays(validTo, 1) : null
}

/** Returns an approved overdraft as the fact of its account contains it. */
export function approvedOverdraft(overdraft: Overdraft): ApprovedOverdraft {
  return {
    overdraftId: overdraft.overdraftId,
    limitMinor: overdraft.limitMinor.toString(),
    annualRatePct: overdraft.annualRatePct,
    unarrangedRatePct: overdraft.unarrangedRatePct,
    ...(overdraft.floatingRate && { floatingRate: overdraft.floatingRate }),
    interestFreeMinor: overdraft.interestFreeMinor.toString(),
    validFrom: overdraft.validFrom,
    validTo: overdraft.validTo,
  }
}

function requireAmount({ amountMinor, currency }: Money, expected: string, pointer: string): void {
  if (currency !== expected) {
    const detail = `The amount must be in ${expected}, the currency of the account.`
    throw problemAt('CURRENCY_MISMATCH', `${pointer}/currency`, detail)
  }
  if (amountMinor >= 0n) return
  const detail = 'The amount must not be negative.'
  throw problemAt('PARAMETER_OUT_OF_RANGE', `${pointer}/amount`, detail)
}

function requireRate(percent: string, pointer: string, isMargin: boolean): void {
  const rate = new Decimal(percent)
  const minimum = isMargin ? -100 : 0
  if (rate.gte(minimum) && rate.lte(100) && rate.decimalPlaces() <= maxRateDecimals) return
  const name = isMargin ? 'margin' : 'rate'
  const detail = `The ${name} must be from ${minimum} to 100 with at most ${maxRateDecimals} decimals.`
  const errors = [{ pointer, code: 'VALUE_INVALID', detail }]
  throw new Problem('VALIDATION_FAILED', { detail, errors })
}

/** The rates of a product version that follows no reference rate are no margins. */
function requireMargins(request: OverdraftRequest): void {
  const errors = (['annualRatePct', 'unarrangedRatePct'] as const)
    .filter((name) => request[name] === null)
    .map((name) => ({
      pointer: `/${name}`,
      code: 'VALUE_INVALID' as const,
      detail: 'The rates of the product are fixed. Enter what is added to the reference rate.',
    }))
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', { errors })
}

function requireFloatingRate(floatingRate: FloatingOverdraftRate): void {
  const errors = floatingOverdraftFaults(floatingRate).map((member) => ({
    pointer: `/floatingRate/${member}`,
    code: 'VALUE_INVALID' as const,
    detail: floatingOverdraftRules[member],
  }))
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', { errors })
}

type Code =
  | 'CURRENCY_MISMATCH'
  | 'PARAMETER_OUT_OF_RANGE'
  | 'INVALID_DATE_RANGE'
  | 'OVERDRAFT_NOTICE_TOO_SHORT'

function problemAt(code: Code, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
