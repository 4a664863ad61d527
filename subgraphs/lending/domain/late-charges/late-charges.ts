import { feeAmount } from '../../../../kernel/domain/fee.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { ofPercent, roundHalfEven } from '../../../../kernel/domain/rational.ts'
import type { Allocation } from '../repayments/allocation.ts'
import {
  overdueMinor,
  owedOf,
  partOf,
  type DueInstallment,
  type LateCharges,
} from '../repayments/due-installment.ts'
import { chargedDaysBetween, type LateChargePause } from './pause.ts'
import type { LateChargeTerms } from './terms.ts'

const daysInYear = 365n

/** The terms of a facility that determine the charges of its installments. */
export interface ChargedFacility {
  lateCharges: LateChargeTerms | null
  lateChargePauses: readonly LateChargePause[]
  currency: string
}

/**
 * Charges installments for late payment through the end of a day. From the due date on, default
 * interest accrues daily on the overdue amount: amount × rate × days ÷ 365, rounded half to even on
 * the total of the installment, and not on late charges. It is charged, together with the fee, once
 * the installment is more than `graceDays` past due. Days in a pause do not count. Days that were
 * charged before change nothing.
 */
export function chargeThrough(
  dues: readonly DueInstallment[],
  facility: ChargedFacility,
  day: LocalDate,
): readonly DueInstallment[] {
  const terms = facility.lateCharges
  if (!terms) return dues
  return dues.map((due) => {
    const since = chargedThrough(due)
    if (day <= since || overdueMinor(due) === 0n) return due
    const minorDays = baseMinor(due, terms) * BigInt(daysBetween(facility, since, day))
    const overdueMinorDays = due.charges.overdueMinorDays + minorDays
    const charges = { ...due.charges, overdueMinorDays, chargedThrough: day }
    return withCharges({ ...due, charges }, facility, terms)
  })
}

/**
 * Returns the installments with their charges as of the end of a day, for a payment with that date.
 * Amounts that were paid or waived by now stay charged.
 */
export function chargesAsOf(
  dues: readonly DueInstallment[],
  facility: ChargedFacility,
  day: LocalDate,
): readonly DueInstallment[] {
  const terms = facility.lateCharges
  if (!terms) return dues
  return dues.map((due) => {
    const from = latest(day, due.dueDate)
    const through = chargedThrough(due)
    if (through <= from) return due
    const minorDays = baseMinor(due, terms) * BigInt(daysBetween(facility, from, through))
    const overdueMinorDays = due.charges.overdueMinorDays - minorDays
    const charges = { ...due.charges, overdueMinorDays, chargedThrough: from }
    return withCharges({ ...due, charges }, facility, terms)
  })
}

/**
 * Corrects the charges of installments to which a payment was allocated for the days since its
 * date. With the `sign` -1, the payment is reversed: the amount was overdue all the time.
 */
export function correctCharges(
  dues: readonly DueInstallment[],
  facility: ChargedFacility,
  allocations: readonly Allocation[],
  paymentDate: LocalDate,
  sign: 1n | -1n = 1n,
): readonly DueInstallment[] {
  const terms = facility.lateCharges
  if (!terms) return dues
  return dues.map((due) => {
    const parts = allocations.filter(({ number }) => number === due.number)
    if (parts.length === 0) return due
    const principalMinor = partOf(parts, 'principal')
    const paidMinor = principalMinor + partOf(parts, 'interest')
    const paidBaseMinor = terms.defaultInterestBase === 'principal' ? principalMinor : paidMinor
    const from = latest(paymentDate, due.dueDate)
    const through = chargedThrough(due)
    const days = through > from ? daysBetween(facility, from, through) : 0
    const isInGrace = daysBetween(facility, due.dueDate, paymentDate) <= terms.graceDays
    const { overdueMinorDays, paidInGraceMinor } = due.charges
    const charges = {
      ...due.charges,
      overdueMinorDays: overdueMinorDays - sign * paidBaseMinor * BigInt(days),
      paidInGraceMinor: isInGrace ? paidInGraceMinor + sign * paidMinor : paidInGraceMinor,
    }
    return withCharges({ ...due, charges }, facility, terms)
  })
}

/** Returns the unpaid late fees and the unpaid default interest of installments. */
export function lateChargesDue(dues: readonly DueInstallment[]) {
  let [feesMinor, penaltiesMinor] = [0n, 0n]
  for (const due of dues) {
    const { fees, penalties } = owedOf(due).owedMinor
    feesMinor += fees
    penaltiesMinor += penalties
  }
  return { feesMinor, penaltiesMinor }
}

const chargedThrough = ({ dueDate, charges }: DueInstallment): LocalDate =>
  charges.chargedThrough ?? dueDate

const daysBetween = (
  { lateChargePauses }: ChargedFacility,
  from: LocalDate,
  to: LocalDate,
): number => chargedDaysBetween(from, to, lateChargePauses)

const latest = (one: LocalDate, other: LocalDate): LocalDate => (one > other ? one : other)

/** Returns the unpaid amount that bears default interest. */
function baseMinor(due: DueInstallment, { defaultInterestBase }: LateChargeTerms): bigint {
  return defaultInterestBase === 'principal' ? owedOf(due).owedMinor.principal : overdueMinor(due)
}

/** Returns an installment with the amounts that follow from its overdue days. */
function withCharges(
  due: DueInstallment,
  facility: ChargedFacility,
  terms: LateChargeTerms,
): DueInstallment {
  const { charges, dueDate } = due
  const isPastGrace =
    daysBetween(facility, dueDate, chargedThrough(due)) > terms.graceDays &&
    charges.paidInGraceMinor < due.interestMinor + due.principalMinor
  const capMinor = capOf(due, terms)
  const feesMinor = isPastGrace ? atMost(feeOf(due, terms, facility.currency), capMinor) : 0n
  const penaltiesMinor = isPastGrace
    ? atMost(defaultInterestOf(charges, terms), capMinor === null ? null : capMinor - feesMinor)
    : 0n
  const { feesPaidMinor, feesWaivedMinor, penaltiesPaidMinor, penaltiesWaivedMinor } = charges
  return {
    ...due,
    charges: {
      ...charges,
      feesMinor: atLeast(feesMinor, feesPaidMinor + feesWaivedMinor),
      penaltiesMinor: atLeast(penaltiesMinor, penaltiesPaidMinor + penaltiesWaivedMinor),
    },
  }
}

function feeOf(
  { interestMinor, principalMinor }: DueInstallment,
  { fee }: LateChargeTerms,
  currency: string,
): bigint {
  const basisMinor = interestMinor + principalMinor
  return (fee && feeAmount(fee, { basisMinor, events: 1, currency })) ?? 0n
}

function defaultInterestOf(
  { overdueMinorDays }: LateCharges,
  { defaultInterestPct }: LateChargeTerms,
): bigint {
  const { num, den } = ofPercent(defaultInterestPct)
  return roundHalfEven(overdueMinorDays * num, den * daysInYear)
}

/** Returns the highest late charges of an installment that were agreed, rounded down. */
function capOf(
  { interestMinor, principalMinor }: DueInstallment,
  { maximumPct }: LateChargeTerms,
): bigint | null {
  if (!maximumPct) return null
  const { num, den } = ofPercent(maximumPct)
  return ((interestMinor + principalMinor) * num) / den
}

const atMost = (amountMinor: bigint, maxMinor: bigint | null): bigint =>
  maxMinor !== null && amountMinor > maxMinor ? maxMinor : amountMinor

const atLeast = (amountMinor: bigint, leastMinor: bigint): bigint =>
  amountMinor > leastMinor ? amountMinor : leastMinor
