import { Decimal } from 'decimal.js'
import { formatAmount, minorDigits, type Money } from '../../../kernel/domain/money.ts'
import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import type { ExchangeRate } from '../model/exchange-rate.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import type { Leg } from '../../../ledger/domain/balance.ts'
import type { Instruction } from '../../../ledger/domain/instruction.ts'

export type NewExchangeRate = Pick<
  ExchangeRate,
  'baseCurrency' | 'quoteCurrency' | 'rate' | 'source' | 'asOf' | 'validUntil' | 'tolerancePct'
>

const maxTolerancePct = 10
const Exact = Decimal.clone({ precision: 40 })

/**
 * Creates an exchange rate. Throws VALIDATION_FAILED if both currencies are the same, if the rate
 * is not greater than zero, if the tolerance is not from 0 to 10 percent, if `asOf` is in the
 * future, or if `validUntil` is not after `asOf`.
 */
export function newExchangeRate(
  request: NewExchangeRate,
  identity: Versioned & Pick<ExchangeRate, 'exchangeRateId' | 'loadedBy'>,
  basePointer: string,
): ExchangeRate {
  const { baseCurrency, quoteCurrency, rate, tolerancePct, asOf, validUntil } = request
  if (baseCurrency === quoteCurrency) {
    throw invalid(
      `${basePointer}/quoteCurrency`,
      `Both currencies are ${baseCurrency}; send two different ones.`,
    )
  }
  if (!(Number(rate) > 0))
    throw invalid(`${basePointer}/rate`, `The rate is ${rate}; it must be greater than zero.`)
  if (!(Number(tolerancePct) >= 0 && Number(tolerancePct) <= maxTolerancePct)) {
    throw invalid(
      `${basePointer}/tolerancePct`,
      `The tolerance is ${tolerancePct}; it must be from 0 to ${maxTolerancePct}.`,
    )
  }
  if (asOf > identity.createdAt) {
    throw invalid(`${basePointer}/asOf`, `${asOf.toISOString()} is in the future.`)
  }
  if (validUntil !== null && validUntil <= asOf) {
    throw invalid(`${basePointer}/validUntil`, `${validUntil.toISOString()} is not after asOf.`)
  }
  return { ...request, ...identity }
}

/** The amount sold in one currency and the amount bought in another. */
export interface Exchange {
  sold: Money
  bought: Money
}

/**
 * Returns the exchange that an instruction makes; null if it makes none. Throws
 * FX_POSITION_UNBALANCED if a custom posting changes position accounts other than by one credit in
 * one currency and one debit in another.
 */
export function exchangeOf(instruction: Instruction, basePointer: string): Exchange | null {
  if (instruction.type === 'transfer') {
    const { money, creditorMoney } = instruction
    if (!creditorMoney || creditorMoney.currency === money.currency) return null
    return { sold: money, bought: creditorMoney }
  }
  return instruction.type === 'custom' ? exchangeIn(instruction.legs, basePointer) : null
}

function exchangeIn(legs: readonly Leg[], basePointer: string): Exchange | null {
  const positions = new Map<string, bigint>()
  for (const { accountId, currency, side, amountMinor } of legs) {
    if (!accountId.startsWith('fx-position/')) continue
    const creditMinor = side === 'credit' ? amountMinor : -amountMinor
    positions.set(currency, (positions.get(currency) ?? 0n) + creditMinor)
  }
  const changedPositions = [...positions].filter(([, minor]) => minor !== 0n)
  if (changedPositions.length === 0) return null
  // The customer sells the currency of the credited position account and buys the other currency.
  const [sold, bought] = [
    changedPositions.find(([, minor]) => minor > 0n),
    changedPositions.find(([, minor]) => minor < 0n),
  ]
  if (changedPositions.length !== 2 || !sold || !bought) {
    const detail = 'A posting to fx-position accounts must credit one currency and debit another.'
    throw problemAt('FX_POSITION_UNBALANCED', `${basePointer}/entries`, detail)
  }
  return {
    sold: { currency: sold[0], amountMinor: sold[1] },
    bought: { currency: bought[0], amountMinor: -bought[1] },
  }
}

type RateTerms = Pick<ExchangeRate, 'baseCurrency' | 'quoteCurrency' | 'rate' | 'tolerancePct'>

/**
 * Checks an exchange against a rate. The amounts may deviate from the rate by its tolerance and by
 * rounding to minor units. A customer may not deviate in their own favor by more than rounding.
 * Throws FX_RATE_OUT_OF_TOLERANCE.
 */
export function requireWithinTolerance(
  { sold, bought }: Exchange,
  rate: RateTerms,
  isCustomer: boolean,
  pointer: string,
): void {
  const isBaseSold = rate.baseCurrency === sold.currency
  const factor = isBaseSold ? new Exact(rate.rate) : new Exact(1).div(rate.rate)
  const expected = factor.mul(formatAmount(sold.amountMinor, sold.currency))
  const actual = new Exact(formatAmount(bought.amountMinor, bought.currency))
  const rounding = minorUnitOf(bought).add(factor.mul(minorUnitOf(sold)))
  const tolerance = expected.mul(rate.tolerancePct).div(100).add(rounding)
  const deviation = actual.minus(expected)
  if (deviation.abs().lte(tolerance) && (!isCustomer || deviation.lte(rounding))) return
  const digits = minorDigits(bought.currency)
  const detail =
    `${formatAmount(sold.amountMinor, sold.currency)} ${sold.currency} is ` +
    `${expected.toFixed(digits)} ${bought.currency} at ` +
    `${rate.baseCurrency}/${rate.quoteCurrency} ${rate.rate} ` +
    `(tolerance ${rate.tolerancePct} %); the posting has ${actual.toFixed(digits)}.`
  throw problemAt('FX_RATE_OUT_OF_TOLERANCE', pointer, detail)
}

function minorUnitOf({ currency }: Money): Decimal {
  return new Exact(10).pow(-minorDigits(currency))
}

export function missingRate({ sold, bought }: Exchange, pointer: string): Problem {
  const detail = `There is no exchange rate in force for ${sold.currency}/${bought.currency}. Load a rate first.`
  return problemAt('FX_RATE_MISSING', pointer, detail)
}

function problemAt(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

function invalid(pointer: string, detail: string): Problem {
  const errors = [{ pointer, code: 'OUT_OF_RANGE', detail }]
  return new Problem('VALIDATION_FAILED', { detail, errors })
}
