import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { parseAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { invalid } from './refusals.ts'

export const valuationMethods = [
  'appraisal',
  'index',
  'purchase-price',
  'market-price',
  'self-declared',
] as const
export type ValuationMethod = (typeof valuationMethods)[number]

/** A valuation of a collateral as of a date. */
export interface Valuation {
  /** Starts at 1, in the order of recording. */
  number: number
  currency: string
  marketValueMinor: bigint
  /** The value expected in a forced sale. */
  forcedSaleValueMinor: bigint | null
  valuationDate: LocalDate
  method: ValuationMethod
  valuer: string | null
  source: string | null
  nextRevaluationDue: LocalDate | null
  recordedAt: Date
  recordedBy: string
}

export interface AskedMoney {
  amount: string
  currency: string
}

export interface ValuationAsked {
  marketValue: AskedMoney
  forcedSaleValue?: AskedMoney | null
  /** Defaults to today. */
  valuationDate?: LocalDate | null
  method: ValuationMethod
  valuer?: string | null
  source?: string | null
  nextRevaluationDue?: LocalDate | null
}

/**
 * Creates a valuation. `currency` is the collateral's, if known. `at` is the JSON pointer of the
 * valuation in the request.
 * Throws VALUATION_DATE_IN_FUTURE, INVALID_DATE_RANGE (the next valuation is due before this one),
 * CURRENCY_MISMATCH, VALIDATION_FAILED (negative amounts, a forced sale value above market value).
 */
export function newValuation(
  asked: ValuationAsked,
  made: Pick<Valuation, 'number' | 'recordedAt' | 'recordedBy'>,
  today: LocalDate,
  currency: string | null,
  at = '/valuation',
): Valuation {
  const { marketValue, forcedSaleValue } = asked
  const valuationDate = asked.valuationDate ?? today
  const nextRevaluationDue = asked.nextRevaluationDue ?? null
  if (valuationDate > today) {
    const detail = `${valuationDate} is in the future; today is ${today}.`
    throw refusal('VALUATION_DATE_IN_FUTURE', `${at}/valuationDate`, detail)
  }
  if (nextRevaluationDue !== null && nextRevaluationDue <= valuationDate) {
    const detail = `The next valuation must be due after ${valuationDate}, the valuation date.`
    throw refusal('INVALID_DATE_RANGE', `${at}/nextRevaluationDue`, detail)
  }
  const marketValueMinor = amountIn(marketValue, currency, `${at}/marketValue`)
  const forcedSaleValueMinor = forcedSaleValue
    ? amountIn(forcedSaleValue, marketValue.currency, `${at}/forcedSaleValue`)
    : null
  if (forcedSaleValueMinor !== null && forcedSaleValueMinor > marketValueMinor) {
    const detail = 'The forced sale value must not exceed the market value.'
    throw invalid(`${at}/forcedSaleValue/amount`, 'INVALID_AMOUNT', detail)
  }
  return {
    ...made,
    currency: marketValue.currency,
    marketValueMinor,
    forcedSaleValueMinor,
    valuationDate,
    method: asked.method,
    valuer: asked.valuer ?? null,
    source: asked.source ?? null,
    nextRevaluationDue,
  }
}

/** Sums of amounts up to this maximum fit into a PostgreSQL bigint. */
const mostMinor = 10n ** 17n

/** Parses a non-negative amount to minor units. Throws CURRENCY_MISMATCH, VALIDATION_FAILED. */
export function amountIn(money: AskedMoney, currency: string | null, pointer: string): bigint {
  if (currency !== null && money.currency !== currency) {
    const detail = `The amount is in ${money.currency}, but the collateral is in ${currency}.`
    throw refusal('CURRENCY_MISMATCH', `${pointer}/currency`, detail)
  }
  const minor = parseAmount(money.amount, money.currency, `${pointer}/amount`)
  if (minor >= 0n && minor <= mostMinor) return minor
  const detail =
    minor < 0n
      ? 'The amount must not be negative.'
      : `The amount must not exceed ${mostMinor} minor units.`
  throw invalid(`${pointer}/amount`, 'INVALID_AMOUNT', detail)
}

function refusal(
  code: 'VALUATION_DATE_IN_FUTURE' | 'INVALID_DATE_RANGE' | 'CURRENCY_MISMATCH',
  pointer: string,
  detail: string,
): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
