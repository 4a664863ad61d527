import { Decimal } from 'decimal.js'
import { addMs, minuteMs } from '../../_kernel/domain/dates.ts'
import { formatAmount, minorDigits, parseAmount, type Money } from '../../_kernel/domain/money.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { missingRate, requireRate, type ExchangeRate } from './exchange-rate.ts'

/** How old the rate of a customer's exchange may be: what a long weekend needs. */
export const maxRateAgeMs = 96 * 60 * minuteMs

/** The rate that an exchange was made at. */
export interface UsedRate {
  exchangeRateId: string
  baseCurrency: string
  quoteCurrency: string
  /** Units of the quote currency for one unit of the base currency. */
  rate: string
  source: string
  asOf: string
}

/** Both sides of an exchange, and its rate. */
export interface Quote {
  sold: Money
  bought: Money
  exchange: UsedRate
}

/** What the customer fixes: an amount in the currency of either account. */
export interface ExchangeAsked {
  amount: { amount: string; currency: string }
  /** The rate that was quoted. */
  exchangeRateId?: string | null
}

const Exact = Decimal.clone({ precision: 40 })

/**
 * What a customer gets, or gives, at the rate in force, each rounded half to even to minor units. The bank
 * takes no margin. Rejects with CURRENCY_MISMATCH an amount in a third currency, INVALID_AMOUNT one that is
 * not positive or comes to nothing on the other side, FX_RATE_MISSING, FX_RATE_STALE, and
 * FX_QUOTE_OUTDATED when another rate than the quoted one is in force.
 */
export function quoteExchange(
  asked: ExchangeAsked,
  currencies: { sold: string; bought: string },
  rate: ExchangeRate | null,
  now: Date,
): Quote {
  const { amount, currency } = asked.amount
  if (currency !== currencies.sold && currency !== currencies.bought) {
    const detail = `The accounts are in ${currencies.sold} and ${currencies.bought}, not in ${currency}.`
    throw refuse('CURRENCY_MISMATCH', '/amount/currency', detail)
  }
  const fixed = { amountMinor: parseAmount(amount, currency, '/amount/amount'), currency }
  if (fixed.amountMinor <= 0n) {
    throw refuse('INVALID_AMOUNT', '/amount/amount', 'The amount must be greater than zero.')
  }
  const pair = {
    sold: { amountMinor: 0n, currency: currencies.sold },
    bought: { amountMinor: 0n, currency: currencies.bought },
  }
  if (!rate) throw missingRate(pair, '/amount/currency')
  requireFresh(rate, now)
  requireQuoted(rate, asked.exchangeRateId ?? null)
  const isSoldFixed = currency === currencies.sold
  const other = converted(fixed, isSoldFixed ? currencies.bought : currencies.sold, rate)
  if (other.amountMinor <= 0n) {
    const detail = `${amount} ${currency} comes to nothing in ${other.currency}.`
    throw refuse('INVALID_AMOUNT', '/amount/amount', detail)
  }
  const quote = isSoldFixed ? { sold: fixed, bought: other } : { sold: other, bought: fixed }
  // The same rule that every posting between two currencies is held to.
  requireRate(quote, rate, true, '/amount/amount')
  const { exchangeRateId, baseCurrency, quoteCurrency, source, asOf } = rate
  const used = { exchangeRateId, baseCurrency, quoteCurrency, rate: rate.rate, source }
  return { ...quote, exchange: { ...used, asOf: asOf.toISOString() } }
}

function converted(money: Money, to: string, rate: ExchangeRate): Money {
  const amount = new Exact(formatAmount(money.amountMinor, money.currency))
  const other = rate.baseCurrency === money.currency ? amount.mul(rate.rate) : amount.div(rate.rate)
  const digits = minorDigits(to)
  const minor = other.mul(new Exact(10).pow(digits)).toFixed(0, Decimal.ROUND_HALF_EVEN)
  return { amountMinor: BigInt(minor), currency: to }
}

function requireFresh({ asOf, source }: ExchangeRate, now: Date): void {
  if (asOf >= addMs(now, -maxRateAgeMs)) return
  const hours = maxRateAgeMs / (60 * minuteMs)
  const detail =
    `The latest rate (${source}) is of ${asOf.toISOString()}; customers exchange at rates that are at most ` +
    `${hours} hours old. Load a newer one.`
  throw refuse('FX_RATE_STALE', '/amount/currency', detail)
}

function requireQuoted({ exchangeRateId }: ExchangeRate, quotedId: string | null): void {
  if (quotedId === null || quotedId === exchangeRateId) return
  const detail = `The rate ${quotedId} was replaced by ${exchangeRateId}. Ask for a new quote.`
  throw refuse('FX_QUOTE_OUTDATED', '/exchangeRateId', detail)
}

/** Rejection of an exchange that is not offered. */
export function notOffered(pointer: string, detail: string): Problem {
  return refuse('FX_NOT_OFFERED', pointer, detail)
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
