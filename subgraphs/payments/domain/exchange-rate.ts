import { Decimal } from 'decimal.js'
import { formatAmount, minorDigits, type Money } from '../../_kernel/domain/money.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import type { Leg } from '../../_ledger/domain/balance.ts'
import type { Instruction } from '../../_ledger/domain/instruction.ts'

/** Units of the quote currency for one unit of the base currency, from a source as of an instant. */
export interface ExchangeRate extends Versioned {
  exchangeRateId: string
  baseCurrency: string
  quoteCurrency: string
  rate: string
  source: string
  asOf: Date
  /** The instant from which the rate is not used any more; null while no newer one replaces it. */
  validUntil: Date | null
  tolerancePct: string
  loadedBy: string
}

export type NewExchangeRate = Pick<
  ExchangeRate,
  'baseCurrency' | 'quoteCurrency' | 'rate' | 'source' | 'asOf' | 'validUntil' | 'tolerancePct'
>

const maxTolerancePct = 10
const Exact = Decimal.clone({ precision: 40 })

/**
 * A rate as it is loaded. Rejects with VALIDATION_FAILED one currency on both sides, a rate that is not
 * greater than zero, a tolerance that is not from 0 to 10 %, and instants in the future or the wrong order.
 */
export function newExchangeRate(
  asked: NewExchangeRate,
  made: Versioned & Pick<ExchangeRate, 'exchangeRateId' | 'loadedBy'>,
  at: string,
): ExchangeRate {
  const { baseCurrency, quoteCurrency, rate, tolerancePct, asOf, validUntil } = asked
  if (baseCurrency === quoteCurrency) {
    throw invalid(`${at}/quoteCurrency`, `A rate is between two currencies, not ${baseCurrency}.`)
  }
  if (!(Number(rate) > 0)) throw invalid(`${at}/rate`, `${rate} is not greater than zero.`)
  if (!(Number(tolerancePct) >= 0 && Number(tolerancePct) <= maxTolerancePct)) {
    throw invalid(`${at}/tolerancePct`, `${tolerancePct} is not from 0 to ${maxTolerancePct}.`)
  }
  if (asOf > made.createdAt) {
    throw invalid(`${at}/asOf`, `${asOf.toISOString()} is in the future.`)
  }
  if (validUntil !== null && validUntil <= asOf) {
    throw invalid(`${at}/validUntil`, `${validUntil.toISOString()} is not after asOf.`)
  }
  return { ...asked, ...made }
}

/** Money that leaves one currency and arrives in another. */
export interface Exchange {
  sold: Money
  bought: Money
}

/**
 * The exchange an instruction makes through the positions of the bank; null when there is none. Rejects
 * with FX_POSITION_UNBALANCED a custom posting whose positions are not one sale and one purchase.
 */
export function exchangeOf(instruction: Instruction, at: string): Exchange | null {
  if (instruction.type === 'transfer') {
    const { money, creditorMoney } = instruction
    if (!creditorMoney || creditorMoney.currency === money.currency) return null
    return { sold: money, bought: creditorMoney }
  }
  return instruction.type === 'custom' ? exchangeIn(instruction.legs, at) : null
}

function exchangeIn(legs: readonly Leg[], at: string): Exchange | null {
  const positions = new Map<string, bigint>()
  for (const { accountId, currency, side, amountMinor } of legs) {
    if (!accountId.startsWith('fx-position/')) continue
    const credit = side === 'credit' ? amountMinor : -amountMinor
    positions.set(currency, (positions.get(currency) ?? 0n) + credit)
  }
  const moved = [...positions].filter(([, minor]) => minor !== 0n)
  if (moved.length === 0) return null
  // A position is an asset: a credit takes a currency in from a customer, a debit gives one out.
  const [sold, bought] = [
    moved.find(([, minor]) => minor > 0n),
    moved.find(([, minor]) => minor < 0n),
  ]
  if (moved.length !== 2 || !sold || !bought) {
    const detail = 'A posting on fx-position accounts credits one currency and debits another.'
    throw refuse('FX_POSITION_UNBALANCED', `${at}/entries`, detail)
  }
  return {
    sold: { currency: sold[0], amountMinor: sold[1] },
    bought: { currency: bought[0], amountMinor: -bought[1] },
  }
}

type UsedRate = Pick<ExchangeRate, 'baseCurrency' | 'quoteCurrency' | 'rate' | 'tolerancePct'>

/**
 * Checks an exchange against a rate. The bank may deviate by the tolerance of the rate; a customer may not
 * deviate in their own favor. Rounding to minor units of both currencies is allowed.
 * Rejects with FX_RATE_OUT_OF_TOLERANCE.
 */
export function requireRate(
  { sold, bought }: Exchange,
  rate: UsedRate,
  isCustomer: boolean,
  pointer: string,
): void {
  const direct = rate.baseCurrency === sold.currency
  const factor = direct ? new Exact(rate.rate) : new Exact(1).div(rate.rate)
  const expected = factor.mul(formatAmount(sold.amountMinor, sold.currency))
  const actual = new Exact(formatAmount(bought.amountMinor, bought.currency))
  const rounding = unitOf(bought).add(factor.mul(unitOf(sold)).div(2))
  const tolerance = expected.mul(rate.tolerancePct).div(100).add(rounding)
  const over = actual.minus(expected)
  if (over.abs().lte(tolerance) && (!isCustomer || over.lte(rounding))) return
  const digits = minorDigits(bought.currency)
  const detail =
    `${formatAmount(sold.amountMinor, sold.currency)} ${sold.currency} is ` +
    `${expected.toFixed(digits)} ${bought.currency} at ${rate.baseCurrency}/${rate.quoteCurrency} ` +
    `${rate.rate} (tolerance ${rate.tolerancePct} %); the posting has ${actual.toFixed(digits)}.`
  throw refuse('FX_RATE_OUT_OF_TOLERANCE', pointer, detail)
}

function unitOf({ currency }: Money): Decimal {
  return new Exact(10).pow(-minorDigits(currency))
}

export function missingRate({ sold, bought }: Exchange, pointer: string): Problem {
  const detail = `There is no exchange rate in force for ${sold.currency}/${bought.currency}. Load one.`
  return refuse('FX_RATE_MISSING', pointer, detail)
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

function invalid(pointer: string, detail: string): Problem {
  const errors = [{ pointer, code: 'OUT_OF_RANGE', detail }]
  return new Problem('VALIDATION_FAILED', { detail, errors })
}
