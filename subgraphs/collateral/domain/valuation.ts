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

/** What somebody found a collateral to be worth on a day. */
export interface Valuation {
  /** Counted from 1, in the order they were recorded. */
  number: number
  currency: string
  marketValueMinor: bigint
  /** What a sale in haste would bring. */
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
  /** Today when absent. */
  valuationDate?: LocalDate | null
  method: ValuationMethod
  valuer?: string | null
  source?: string | null
  nextRevaluationDue?: LocalDate | null
}

/**
 * A valuation as it is kept. `currency` is the collateral's, when it has one. `at` is where it is in
 * the request.
 * Refuses with VALUATION_DATE_IN_FUTURE, INVALID_DATE_RANGE (due again before), CURRENCY_MISMATCH,
 * VALIDATION_FAILED (amounts less than 0, a forced sale above the market).
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
    throw refusal('VALUATION_DATE_IN_FUTURE', `${at}/valuationDate`, `Today is ${today}.`)
  }
  if (nextRevaluationDue !== null && nextRevaluationDue <= valuationDate) {
    const detail = 'The next valuation is due after this one.'
    throw refusal('INVALID_DATE_RANGE', `${at}/nextRevaluationDue`, detail)
  }
  const marketValueMinor = amountIn(marketValue, currency, `${at}/marketValue`)
  const forcedSaleValueMinor = forcedSaleValue
    ? amountIn(forcedSaleValue, marketValue.currency, `${at}/forcedSaleValue`)
    : null
  if (forcedSaleValueMinor !== null && forcedSaleValueMinor > marketValueMinor) {
    const detail = 'A forced sale brings no more than the market.'
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

/** Sums of amounts up to this fit into the database's whole numbers. */
const mostMinor = 10n ** 17n

/** Minor units of an amount that is not negative. Refuses with CURRENCY_MISMATCH, VALIDATION_FAILED. */
export function amountIn(money: AskedMoney, currency: string | null, pointer: string): bigint {
  if (currency !== null && money.currency !== currency) {
    throw refusal('CURRENCY_MISMATCH', `${pointer}/currency`, `The collateral is in ${currency}.`)
  }
  const minor = parseAmount(money.amount, money.currency, `${pointer}/amount`)
  if (minor >= 0n && minor <= mostMinor) return minor
  const detail = minor < 0n ? 'Not less than 0.' : 'Larger than anything that is worth something.'
  throw invalid(`${pointer}/amount`, 'INVALID_AMOUNT', detail)
}

function refusal(
  code: 'VALUATION_DATE_IN_FUTURE' | 'INVALID_DATE_RANGE' | 'CURRENCY_MISMATCH',
  pointer: string,
  detail: string,
): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
