import type { Holiday } from '../../model/schedules/schedule.ts'
import { calendarOf, type Calendar } from './calendar.ts'
import { toDay, type Day } from '../../../../kernel/domain/day-count.ts'
import { yearFraction } from './day-count.ts'
import { maxInstallments, type ExtraPayment, type Loan, type LoanTerms } from './loan.ts'
import { validationError, validationFailed } from './refusals.ts'
import { roundToMultiple, smallest } from './rational.ts'
import { times, type Rational } from '../../../../kernel/domain/rational.ts'

/** The scale of fixed-point numbers: unrounded values have 36 decimals. */
export const scale = 10n ** 36n

/**
 * How the installments that follow an event are recomputed. `replan` spreads the principal over
 * them. `reprice` does the same, but only for equal installments (annuity, balloon). `lower` does
 * the same as `replan`, but never raises the installment. `shorten` keeps the installment amount, so
 * that the loan ends earlier. `keep` also keeps the installment amount, but the loan can become
 * longer, too.
 */
export type Recomputation = 'replan' | 'reprice' | 'lower' | 'shorten' | 'keep'

/** The amounts of the remaining installments. */
export interface Plan {
  /**
   * For annuity and balloon loans, the total of each installment, without the balloon payment. For
   * equal-principal and flat loans, the principal of each installment. For interest-only loans, 0.
   */
  levelMinor: bigint
  /** The interest of each installment of a flat loan; 0 for other methods. */
  interestShareMinor: bigint
  /** The total interest of the remaining installments of a flat loan; 0 for other methods. */
  interestLeftMinor: bigint
}

/** An event of the loan. Its day can be a due date or between two due dates. */
export interface TimelineEvent {
  day: Day
  kind: 'rate-change' | 'term-extension' | 'disbursement' | 'extra-payment'
  /** The index of the event in the loan's list that it comes from, such as `disbursements`. */
  place: number
  apply(run: Run): void
}

/** The state of a loan while its periods are computed. It is discarded after the computation. */
export interface Run {
  readonly loan: Loan
  readonly terms: LoanTerms
  readonly calendar: Calendar
  readonly timelineEvents: readonly TimelineEvent[]
  /**
   * The fractions of a year that the full periods last, by installment number. They are computed on
   * demand.
   */
  readonly fullPeriodYears: Rational[]
  /** The index of the next event in `timelineEvents`. */
  nextEventIndex: number
  annualRate: Rational
  /** The number of the last installment. */
  lastNumber: number
  plan: Plan | null
  /** The recomputations that events have required since `plan` was computed. */
  recomputations: Recomputation[]
  balanceMinor: bigint
  /** The principal on which the interest of a flat loan is computed. */
  flatBaseMinor: bigint
  /**
   * Interest of earlier periods that the next installment collects in addition to its regular
   * amount.
   */
  deferredMinor: bigint
  /**
   * Interest that is unpaid because installments were prepaid, reduced or in the interest grace
   * period. Later installments pay it; equal installments pay it within their regular amount.
   */
  carriedMinor: bigint
  /** The prepaid amount that has not been deducted from installments yet. */
  creditMinor: bigint
  extraPaidMinor: bigint
  holiday: Holiday | null
  /** The number of the current installment; 0 before the first period. */
  number: number
  /** The day up to which interest has accrued. */
  accruedTo: Day
  /** The interest accrued in the current period. */
  accruedMinor: bigint
  /** The same interest before rounding, multiplied by `scale`. */
  accruedExact: bigint
  /** The part of the interest of the current period that has been paid. */
  settledMinor: bigint
  /** Null until a payment ends the loan before its maturity. */
  closing: Closing | null
}

/** The payment that ended a loan before its maturity. */
export interface Closing {
  day: Day
  paymentMinor: bigint
  principalMinor: bigint
}

/**
 * Creates the initial state. Events on the same day are applied in this order: rate changes, term
 * extensions, disbursements, extra payments.
 */
export function beginRun(
  loan: Loan,
  pay: (run: Run, payment: ExtraPayment, place: number) => void,
): Run {
  const { terms } = loan
  const calendar = calendarOf(terms.start, terms.frequency, terms.everyDays)
  const timelineEvents = [
    ...rateChangeEvents(loan, calendar),
    ...extensionEvents(loan),
    ...loan.disbursements.map(({ on, amountMinor }, place): TimelineEvent => ({
      day: toDay(on),
      kind: 'disbursement',
      place,
      apply: (run) => disburse(run, amountMinor),
    })),
    ...loan.extraPayments.flatMap((payment, place): TimelineEvent[] => {
      // A payment of zero is left out: it would split the period and round its interest twice.
      if (payment.amountMinor === 0n && payment.strategy !== 'payoff') return []
      const apply = (run: Run) => pay(run, payment, place)
      return [{ day: toDay(payment.on), kind: 'extra-payment', place, apply }]
    }),
  ].sort((one, other) => one.day - other.day)
  return {
    loan,
    terms,
    calendar,
    timelineEvents,
    fullPeriodYears: [],
    nextEventIndex: 0,
    annualRate: terms.annualRate,
    lastNumber: terms.installments,
    plan: null,
    recomputations: ['replan'],
    balanceMinor: 0n,
    flatBaseMinor: 0n,
    deferredMinor: 0n,
    carriedMinor: 0n,
    creditMinor: 0n,
    extraPaidMinor: 0n,
    holiday: null,
    number: 0,
    accruedTo: calendar.dueDay(0),
    accruedMinor: 0n,
    accruedExact: 0n,
    settledMinor: 0n,
    closing: null,
  }
}

function rateChangeEvents({ rateChanges }: Loan, calendar: Calendar): TimelineEvent[] {
  return rateChanges.map(({ from, annualRate }, place) => {
    const day = toDay(from)
    return {
      day: calendar.isDueDay(day) ? day : day - 1,
      kind: 'rate-change',
      place,
      apply: (run) => {
        run.annualRate = annualRate
        run.recomputations.push('reprice')
      },
    }
  })
}

function extensionEvents({ extensions = [] }: Loan): TimelineEvent[] {
  return extensions.map(({ on, installments }, place) => ({
    day: toDay(on),
    kind: 'term-extension',
    place,
    apply: (run) => {
      run.lastNumber += installments
      if (run.lastNumber > maxInstallments) {
        const detail = `A schedule can have at most ${maxInstallments} installments.`
        const pointer = `/extensions/${place}/installments`
        throw validationFailed(validationError(pointer, 'TOO_MANY_INSTALMENTS', detail))
      }
      run.recomputations.push('replan')
    },
  }))
}

function disburse(run: Run, amountMinor: bigint): void {
  run.balanceMinor += amountMinor
  run.flatBaseMinor += amountMinor
  run.recomputations.push('replan')
}

/** Returns the amount on which interest accrues. */
export function interestBase(run: Run): bigint {
  return run.terms.method === 'flat' ? run.flatBaseMinor : run.balanceMinor
}

/** Returns the interest on one minor unit between two days of the current period. */
function factorBetween(run: Run, from: Day, to: Day): Rational {
  const { number, calendar, terms } = run
  if (from === calendar.dueDay(number - 1) && to === calendar.dueDay(number)) {
    return factorFor(run, number)
  }
  const termination = terminationOf(run)
  return times(
    run.annualRate,
    yearFraction(terms.dayCount, calendar, number, from, to, termination),
  )
}

/**
 * Returns the interest on one minor unit for the full period of an installment, at the current
 * rate.
 */
export function factorFor(run: Run, number: number): Rational {
  const { terms, calendar, fullPeriodYears } = run
  const termination = terminationOf(run)
  if (termination !== null) {
    // The result is not cached, because the maturity date can still change.
    const [from, to] = [calendar.dueDay(number - 1), calendar.dueDay(number)]
    const years = yearFraction(terms.dayCount, calendar, number, from, to, termination)
    return times(run.annualRate, years)
  }
  fullPeriodYears[number] ??= yearFraction(
    terms.dayCount,
    calendar,
    number,
    calendar.dueDay(number - 1),
    calendar.dueDay(number),
  )
  return times(run.annualRate, fullPeriodYears[number])
}

/**
 * Returns the maturity date for the convention 30E/360 (ISDA), which depends on it; null for other
 * conventions.
 */
function terminationOf({ terms, calendar, lastNumber: last }: Run): Day | null {
  return terms.dayCount === 'thirty-e-360-isda' ? calendar.dueDay(last) : null
}

/** Returns the rounded interest on an amount. */
export function interestOn(run: Run, amountMinor: bigint, factor: Rational): bigint {
  return roundToMultiple(amountMinor * factor.num, factor.den, run.terms.multipleMinor)
}

/**
 * Accrues interest up to a day of the current period. The interest of each interval between two
 * events is rounded separately.
 */
export function accrueTo(run: Run, day: Day): void {
  if (day <= run.accruedTo) return
  const isWaived = run.holiday?.interest === 'waive'
  if (!isWaived) {
    const factor = factorBetween(run, run.accruedTo, day)
    const base = interestBase(run)
    run.accruedMinor += interestOn(run, base, factor)
    run.accruedExact += (base * factor.num * scale) / factor.den
  }
  run.accruedTo = day
}

/** Returns the interest of the current period that has not been paid. */
export function unsettledInterest(run: Run): bigint {
  return run.accruedMinor - run.settledMinor
}

/** Returns the total amount that is currently owed. */
export function amountOwed(run: Run): bigint {
  return run.balanceMinor + unsettledInterest(run) + run.deferredMinor + run.carriedMinor
}

/** Pays interest, oldest first. Returns the rest of the payment. */
export function settleInterest(run: Run, amountMinor: bigint): bigint {
  let restMinor = amountMinor
  const take = (owedMinor: bigint) => {
    const paid = smallest(restMinor, owedMinor)
    restMinor -= paid
    return paid
  }
  run.deferredMinor -= take(run.deferredMinor)
  run.carriedMinor -= take(run.carriedMinor)
  run.settledMinor += take(unsettledInterest(run))
  return restMinor
}
