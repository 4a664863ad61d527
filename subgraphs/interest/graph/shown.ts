import { formatAmount, minorDigits } from '../../../kernel/domain/money.ts'
import { unitsPerMinor } from '../../../kernel/domain/deposit-interest.ts'
import { roundHalfEven } from '../../../kernel/domain/rational.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import type { AccruedDay } from '../domain/accrued-day.ts'
import type { BookedAdjustment, BookedCapitalization } from '../domain/booked.ts'
import type { RatesInForce } from '../domain/overdraft-rates.ts'
import { outstandingOf, type InterestPosition } from '../domain/position.ts'
import type {
  AccountInterest,
  InterestAccrual,
  InterestAdjustment,
  InterestCapitalization,
} from '../model/interest.ts'
import type {
  OverdraftInterest,
  OverdraftInterestAccrual,
  OverdraftInterestCharge,
  OverdraftRates,
} from '../model/overdraft-interest.ts'

/** Converts the position of an account to its GraphQL type. */
export function interestOut(position: InterestPosition): AccountInterest {
  const { accruedThrough, currency } = position
  const accrued = moneyOut({ amountMinor: outstandingOf(position), currency })
  return { accruedThrough, accrued, position }
}

const exactDigits = 10

/** Formats exact interest in the currency with 10 decimals. */
export function exactAmountOf(units: bigint, currency: string): string {
  const scale = 10n ** BigInt(exactDigits - minorDigits(currency))
  const scaled = roundHalfEven(units * scale, unitsPerMinor)
  const sign = scaled < 0n ? '-' : ''
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(exactDigits + 1, '0')
  return `${sign}${digits.slice(0, -exactDigits)}.${digits.slice(-exactDigits)}`
}

export function accrualOut(
  { accruedOn, balanceMinor, units }: AccruedDay,
  currency: string,
): InterestAccrual {
  const balance = moneyOut({ amountMinor: balanceMinor, currency })
  return { accruedOn, balance, exactAmount: exactAmountOf(units, currency) }
}

export function adjustmentOut(adjustment: BookedAdjustment): InterestAdjustment {
  const { adjustmentId, firstDay, lastDay, causedBy, amountMinor, currency, createdAt } = adjustment
  const amount = { amount: formatAmount(amountMinor, currency), currency }
  return { adjustmentId, firstDay, lastDay, causedBy, amount, createdAt }
}

export function capitalizationOut(payment: BookedCapitalization): InterestCapitalization {
  const { grossMinor, taxMinor, currency } = payment
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    capitalizationId: payment.capitalizationId,
    reason: payment.reason,
    periodStart: payment.periodStart,
    periodEnd: payment.periodEnd,
    effectiveOn: payment.effectiveOn,
    gross: money(grossMinor),
    taxWithheld: money(taxMinor),
    net: money(grossMinor - taxMinor),
    createdAt: payment.createdAt,
    paidToArrangementId: payment.paidToArrangementId,
    postingInstructionId: payment.postingInstructionId,
  }
}

/** Converts the position of an overdraft to its GraphQL type. */
export function overdraftInterestOut(position: InterestPosition): OverdraftInterest {
  return { ...interestOut(position), daysBeyondLimit: position.daysBeyondLimit }
}

export function overdraftAccrualOut(
  day: AccruedDay,
  position: InterestPosition,
): OverdraftInterestAccrual {
  const { currency } = position
  const { accruedOn, balanceMinor, units, rateId, daysBeyondLimit } = day
  return {
    accruedOn,
    overdrawn: moneyOut({ amountMinor: balanceMinor, currency }),
    exactAmount: exactAmountOf(units, currency),
    daysBeyondLimit,
    isSuspended: day.isSuspended,
    overdraftId: rateId,
    position,
  }
}

/** Converts the rates of an overdraft to their GraphQL type. */
export function overdraftRatesOut(rates: RatesInForce): OverdraftRates {
  const { annualRatePct, unarrangedRatePct, reset } = rates
  return {
    annualRatePct,
    unarrangedRatePct,
    resetOn: reset?.resetOn ?? null,
    fixedOn: reset?.fixing?.fixedOn ?? null,
    fixingPct: reset?.fixing?.ratePct ?? null,
    isOverdue: reset?.isOverdue ?? false,
  }
}

export function chargeOut(charge: BookedCapitalization): OverdraftInterestCharge {
  const { capitalizationId: chargeId, grossMinor, currency } = charge
  return {
    chargeId,
    reason: charge.reason,
    periodStart: charge.periodStart,
    periodEnd: charge.periodEnd,
    effectiveOn: charge.effectiveOn,
    amount: moneyOut({ amountMinor: grossMinor, currency }),
    createdAt: charge.createdAt,
    postingInstructionId: charge.postingInstructionId,
  }
}
