import type { ValuationRequest } from '../model/collateral-inputs.ts'
import type { ValuationMethod } from '../model/enumerations.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'
import { invalid } from './refusals.ts'

/** A valuation of collateral as of a date. */
export interface Valuation {
  /** The number of the valuation, starting at 1, in the order of recording. */
  number: number
  currency: string
  marketValueMinor: bigint
  /** The expected value in a forced sale; null if unknown. */
  forcedSaleValueMinor: bigint | null
  valuationDate: LocalDate
  method: ValuationMethod
  valuer: string | null
  source: string | null
  nextRevaluationDue: LocalDate | null
  recordedAt: Date
  recordedBy: string
}

export interface MoneyRequest {
  amount: string
  currency: string
}

/**
 * Creates a valuation. `currency` is the currency of the collateral; null if it has none yet.
 * `pointer` is the JSON pointer of the valuation in the request.
 * Throws VALUATION_DATE_IN_FUTURE, CURRENCY_MISMATCH, INVALID_DATE_RANGE if the next valuation is
 * not due after the valuation date, and VALIDATION_FAILED for an invalid amount or a forced sale
 * value above the market value.
 */
export function newValuation(
  request: ValuationRequest,
  recording: Pick<Valuation, 'number' | 'recordedAt' | 'recordedBy'>,
  today: LocalDate,
  currency: string | null,
  pointer = '/valuation',
): Valuation {
  const { marketValue, forcedSaleValue } = request
  const valuationDate = request.valuationDate ?? today
  const nextRevaluationDue = request.nextRevaluationDue ?? null
  if (valuationDate > today) {
    const detail = `${valuationDate} is in the future; today is ${today}.`
    throw problemAt('VALUATION_DATE_IN_FUTURE', `${pointer}/valuationDate`, detail)
  }
  if (nextRevaluationDue !== null && nextRevaluationDue <= valuationDate) {
    const detail = `The next valuation must be due after ${valuationDate}, the valuation date.`
    throw problemAt('INVALID_DATE_RANGE', `${pointer}/nextRevaluationDue`, detail)
  }
  const marketValueMinor = amountIn(marketValue, currency, `${pointer}/marketValue`)
  const forcedSaleValueMinor = forcedSaleValue
    ? amountIn(forcedSaleValue, marketValue.currency, `${pointer}/forcedSaleValue`)
    : null
  if (forcedSaleValueMinor !== null && forcedSaleValueMinor > marketValueMinor) {
    const detail = 'The forced sale value must not exceed the market value.'
    throw invalid(`${pointer}/forcedSaleValue/amount`, 'INVALID_AMOUNT', detail)
  }
  return {
    ...recording,
    currency: marketValue.currency,
    marketValueMinor,
    forcedSaleValueMinor,
    valuationDate,
    method: request.method,
    valuer: request.valuer ?? null,
    source: request.source ?? null,
    nextRevaluationDue,
  }
}

/** The maximum amount in minor units. The sum of 92 such amounts fits into a PostgreSQL bigint. */
const maxMinor = 10n ** 17n

/**
 * Converts a non-negative amount to minor units. If `currency` is null, the amount may be in any
 * currency. Throws VALIDATION_FAILED, and CURRENCY_MISMATCH if the amount is not in `currency`.
 */
export function amountIn(money: MoneyRequest, currency: string | null, pointer: string): bigint {
  if (currency !== null && money.currency !== currency) {
    const detail = `The amount is in ${money.currency}, but the collateral is in ${currency}.`
    throw problemAt('CURRENCY_MISMATCH', `${pointer}/currency`, detail)
  }
  const minor = parseAmount(money.amount, money.currency, `${pointer}/amount`)
  if (minor >= 0n && minor <= maxMinor) return minor
  const detail =
    minor < 0n
      ? 'The amount must not be negative.'
      : `The amount must not exceed ${maxMinor} minor units.`
  throw invalid(`${pointer}/amount`, 'INVALID_AMOUNT', detail)
}

function problemAt(
  code: 'VALUATION_DATE_IN_FUTURE' | 'INVALID_DATE_RANGE' | 'CURRENCY_MISMATCH',
  pointer: string,
  detail: string,
): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
