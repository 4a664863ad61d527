import { calendarOf, toDay, type Calendar, type Day } from './calendar.ts'
import { yearFraction } from './day-count.ts'
import {
  maxInstallments,
  type ExtraPayment,
  type Holiday,
  type Loan,
  type LoanTerms,
} from './loan.ts'
import { validationError, validationFailed } from './refusals.ts'
import { roundToMultiple, smallest, times, type Rational } from './rational.ts'

/** The scale of fixed-point numbers: unrounded values have 36 decimals. */
export const scale = 10n ** 36n

/**
 * The reasons for recomputing the remaining installments, starting with the one after the event.
 * `replan` spreads the principal over them. `reprice` does the same if interest is part of the
 * installment. `lower` does the same and never raises the installment. `shorten` keeps the
 * installment amount, so that the loan ends earlier. `keep` keeps the installment amount, and the
 * loan ends when everything is repaid.
 */
export type Cause = 'replan' | 'reprice' | 'lower' | 'shorten' | 'keep'

/** The amounts of the remaining installments. */
export interface Plan {
  /** The total of each installment (annuity, balloon), or its principal (equal principal, flat). */
  levelMinor: bigint
  /** For flat loans, the interest of each installment and the total interest left; otherwise 0. */
  interestShareMinor: bigint
  interestLeftMinor: bigint
}

/** An event of the loan. Its day can be a due date or between two due dates. */
export interface TimelineEvent {
  day: Day
  kind: 'rate-change' | 'term-extension' | 'disbursement' | 'extra-payment'
  /** The index in the list of the loan from which the event was created. */
  place: number
  recordTimelineEvent(run: Run): void
}

/** The state of a loan while its periods are computed. It is discarded after the computation. */
export interface Run {
  readonly loan: Loan
  readonly terms: LoanTerms
  readonly calendar: Calendar
  readonly timelineEvents: readonly TimelineEvent[]
  /**
   * The fractions of a year of full periods, by installment number. They are computed on demand.
   */
  readonly completePeriods: Rational[]
  /** The index of the next event in `timelineEvents`. */
  next: number
  annualRate: Rational
  /** The number of the last installment. */
  last: number
  plan: Plan | null
  causes: Cause[]
  balanceMinor: bigint
  /** The principal on which the interest of a flat loan is computed. */
  flatBaseMinor: bigint
  /**
   * Interest of earlier periods that the next installment collects in addition to its regular
   * amount.
   */
  deferredMinor: bigint
  /**
   * Interest of prepaid periods and of interest grace that later installments pay within their
   * regular amount.
   */
  carriedMinor: bigint
  /** The prepaid amount that has not been deducted from installments. */
  creditMinor: bigint
  extraPaidMinor: bigint
  holiday: Holiday | null
  /**
   * The current installment. The next four fields are about its period: the day up to which
   * interest has accrued, the accrued interest (rounded and exact), and the part of it already
   * paid.
   */
  number: number
  accruedTo: Day
  accruedMinor: bigint
  accruedExact: bigint
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
export function begin(
  loan: Loan,
  pay: (run: Run, payment: ExtraPayment, place: number) => void,
): Run {
  const { terms } = loan
  const calendar = calendarOf(terms.start, terms.frequency, terms.everyDays)
  const timelineEvents = [
    ...rateChanges(loan, calendar),
    ...extensions(loan),
    ...loan.disbursements.map(({ on, amountMinor }, place): TimelineEvent => ({
      day: toDay(on),
      kind: 'disbursement',
      place,
      recordTimelineEvent: (run) => disburse(run, amountMinor),
    })),
    ...loan.extraPayments.flatMap((payment, place): TimelineEvent[] => {
      // A payment of zero is left out: it would split the period and round its interest twice.
      if (payment.amountMinor === 0n && payment.strategy !== 'payoff') return []
      const recordTimelineEvent = (run: Run) => pay(run, payment, place)
      return [{ day: toDay(payment.on), kind: 'extra-payment', place, recordTimelineEvent }]
    }),
  ].sort((one, other) => one.day - other.day)
  return {
    loan,
    terms,
    calendar,
    timelineEvents,
    completePeriods: [],
    next: 0,
    annualRate: terms.annualRate,
    last: terms.installments,
    plan: null,
    causes: ['replan'],
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

function rateChanges({ rateChanges }: Loan, calendar: Calendar): TimelineEvent[] {
  return rateChanges.map(({ from, annualRate }, place) => {
    const day = toDay(from)
    return {
      day: calendar.isDueDay(day) ? day : day - 1,
      kind: 'rate-change',
      place,
      recordTimelineEvent: (run) => {
        run.annualRate = annualRate
        run.causes.push('reprice')
      },
    }
  })
}

function extensions({ extensions = [] }: Loan): TimelineEvent[] {
  return extensions.map(({ on, installments }, place) => ({
    day: toDay(on),
    kind: 'term-extension',
    place,
    recordTimelineEvent: (run) => {
      run.last += installments
      if (run.last > maxInstallments) {
        const detail = `A schedule can have at most ${maxInstallments} installments.`
        const pointer = `/extensions/${place}/installments`
        throw validationFailed(validationError(pointer, 'TOO_MANY_INSTALMENTS', detail))
      }
      run.causes.push('replan')
    },
  }))
}

function disburse(run: Run, amountMinor: bigint): void {
  run.balanceMinor += amountMinor
  run.flatBaseMinor += amountMinor
  run.causes.push('replan')
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
  const { terms, calendar, completePeriods } = run
  const termination = terminationOf(run)
  if (termination !== null) {
    // Not cached: the maturity can still change.
    const [from, to] = [calendar.dueDay(number - 1), calendar.dueDay(number)]
    const years = yearFraction(terms.dayCount, calendar, number, from, to, termination)
    return times(run.annualRate, years)
  }
  completePeriods[number] ??= yearFraction(
    terms.dayCount,
    calendar,
    number,
    calendar.dueDay(number - 1),
    calendar.dueDay(number),
  )
  return times(run.annualRate, completePeriods[number])
}

/**
 * Returns the maturity date for the convention 30E/360 (ISDA), which depends on it; null for other
 * conventions.
 */
function terminationOf({ terms, calendar, last }: Run): Day | null {
  return terms.dayCount === 'thirty-e-360-isda' ? calendar.dueDay(last) : null
}

/** Computes the interest on an amount and rounds it. */
export function interestOn(run: Run, amountMinor: bigint, factor: Rational): bigint {
  return roundToMultiple(amountMinor * factor.num, factor.den, run.terms.multipleMinor)
}

/**
 * Accrues interest up to a day of the current period. The interest between two events is rounded
 * separately.
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
export function unsettled(run: Run): bigint {
  return run.accruedMinor - run.settledMinor
}

/** Returns the total amount that is currently owed. */
export function amountOwed(run: Run): bigint {
  return run.balanceMinor + unsettled(run) + run.deferredMinor + run.carriedMinor
}

/** Pays interest, oldest first. Returns the rest of the payment. */
export function settleInterest(run: Run, amountMinor: bigint): bigint {
  let left = amountMinor
  const take = (owedMinor: bigint) => {
    const paid = smallest(left, owedMinor)
    left -= paid
    return paid
  }
  run.deferredMinor -= take(run.deferredMinor)
  run.carriedMinor -= take(run.carriedMinor)
  run.settledMinor += take(unsettled(run))
  return left
}
