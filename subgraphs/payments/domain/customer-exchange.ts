import { Decimal } from 'decimal.js'
import { addMs, minuteMs } from '../../../kernel/domain/dates.ts'
import { formatAmount, minorDigits, parseAmount, type Money } from '../../../kernel/domain/money.ts'
import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import type { ExchangeRate } from '../model/exchange-rate.ts'
import { missingRate, requireWithinTolerance } from './exchange-rate.ts'

/** The maximum age of a rate for a customer's exchange. It covers a long weekend. */
export const maxRateAgeMs = 96 * 60 * minuteMs

/** The rate at which an exchange was made. */
export interface UsedRate {
  exchangeRateId: string
  baseCurrency: string
  quoteCurrency: string
  /** Units of the quote currency for one unit of the base currency. */
  rate: string
  source: string
  asOf: string
}

/** The amounts sold and bought in an exchange, and the rate. */
export interface Quote {
  sold: Money
  bought: Money
  exchange: UsedRate
}

/** The request for an exchange. The customer fixes the amount in the currency of one account. */
export interface ExchangeRequest {
  amount: { amount: string; currency: string }
  /** The ID of the quoted rate. If it is null or absent, the rate in force applies. */
  exchangeRateId?: string | null
}

const Exact = Decimal.clone({ precision: 40 })

/**
 * Computes an exchange at the rate in force. The customer fixes one amount. The other amount is
 * rounded to minor units in favor of the bank. The bank takes no margin. Throws:
 * - CURRENCY_MISMATCH if the amount is in neither currency,
 * - INVALID_AMOUNT if the amount is not positive or rounds to zero in the other currency,
 * - FX_RATE_MISSING if `rate` is null,
 * - FX_RATE_STALE if the rate is older than `maxRateAgeMs`,
 * - FX_QUOTE_OUTDATED if the quoted rate is no longer in force.
 */
export function quoteExchange(
  request: ExchangeRequest,
  currencies: { sold: string; bought: string },
  rate: ExchangeRate | null,
  now: Date,
): Quote {
  const { amount, currency } = request.amount
  if (currency !== currencies.sold && currency !== currencies.bought) {
    const detail = `The accounts are in ${currencies.sold} and ${currencies.bought}, not in ${currency}.`
    throw problemAt('CURRENCY_MISMATCH', '/amount/currency', detail)
  }
  const fixedMoney = { amountMinor: parseAmount(amount, currency, '/amount/amount'), currency }
  if (fixedMoney.amountMinor <= 0n) {
    throw problemAt('INVALID_AMOUNT', '/amount/amount', 'The amount must be greater than zero.')
  }
  const zeroExchange = {
    sold: { amountMinor: 0n, currency: currencies.sold },
    bought: { amountMinor: 0n, currency: currencies.bought },
  }
  if (!rate) throw missingRate(zeroExchange, '/amount/currency')
  requireFresh(rate, now)
  requireQuoteInForce(rate, request.exchangeRateId ?? null)
  const isSoldFixed = currency === currencies.sold
  // Whoever exchanges cannot gain by the rounding, as often as they do.
  const otherMoney = isSoldFixed
    ? convert(fixedMoney, currencies.bought, rate, Decimal.ROUND_DOWN)
    : convert(fixedMoney, currencies.sold, rate, Decimal.ROUND_UP)
  if (otherMoney.amountMinor <= 0n) {
    const detail =
      `${amount} ${currency} is less than the smallest unit of ${otherMoney.currency}. ` +
      'Send a larger amount.'
    throw problemAt('INVALID_AMOUNT', '/amount/amount', detail)
  }
  const quote = isSoldFixed
    ? { sold: fixedMoney, bought: otherMoney }
    : { sold: otherMoney, bought: fixedMoney }
  // Every posting between two currencies must pass this check.
  requireWithinTolerance(quote, rate, true, '/amount/amount')
  const { exchangeRateId, baseCurrency, quoteCurrency, source, asOf } = rate
  const usedRate = { exchangeRateId, baseCurrency, quoteCurrency, rate: rate.rate, source }
  return { ...quote, exchange: { ...usedRate, asOf: asOf.toISOString() } }
}

function convert(
  money: Money,
  toCurrency: string,
  rate: ExchangeRate,
  rounding: Decimal.Rounding,
): Money {
  const amount = new Exact(formatAmount(money.amountMinor, money.currency))
  const isBase = rate.baseCurrency === money.currency
  const converted = isBase ? amount.mul(rate.rate) : amount.div(rate.rate)
  const digits = minorDigits(toCurrency)
  const minor = converted.mul(new Exact(10).pow(digits)).toFixed(0, rounding)
  return { amountMinor: BigInt(minor), currency: toCurrency }
}

function requireFresh({ asOf, source }: ExchangeRate, now: Date): void {
  if (asOf >= addMs(now, -maxRateAgeMs)) return
  const hours = maxRateAgeMs / (60 * minuteMs)
  const detail =
    `The latest rate (${source}) is as of ${asOf.toISOString()}; a customer's exchange requires ` +
    `a rate that is at most ${hours} hours old. Load a newer rate.`
  throw problemAt('FX_RATE_STALE', '/amount/currency', detail)
}

function requireQuoteInForce({ exchangeRateId }: ExchangeRate, quotedId: string | null): void {
  if (quotedId === null || quotedId === exchangeRateId) return
  const detail = `The rate ${quotedId} was replaced by ${exchangeRateId}. Request a new quote.`
  throw problemAt('FX_QUOTE_OUTDATED', '/exchangeRateId', detail)
}

/** Creates the problem for an exchange that the bank does not offer. */
export function notOffered(pointer: string, detail: string): Problem {
  return problemAt('FX_NOT_OFFERED', pointer, detail)
}

function problemAt(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
