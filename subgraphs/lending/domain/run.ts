import { calendarOf, toDay, type Calendar, type Day } from './calendar.ts'
import { yearFraction } from './day-count.ts'
import {
  mostInstalments,
  type ExtraPayment,
  type Holiday,
  type Loan,
  type LoanTerms,
} from './loan.ts'
import { fault, invalid } from './refusals.ts'
import { roundToMultiple, smallest, times, type Rational } from './rational.ts'

/** Fixed-point numbers have this many decimals: what is not rounded yet is kept to 10⁻³⁶. */
export const scale = 10n ** 36n

/**
 * Why the instalments ahead have to be worked out again, from the instalment after it happened:
 * `replan` spreads what is owed over the instalments left; `reprice` does too where the interest is
 * a part of the instalment; `lower` does too and never raises it; `shorten` keeps the instalment and
 * ends earlier; `keep` keeps it and ends when all is repaid.
 */
export type Cause = 'replan' | 'reprice' | 'lower' | 'shorten' | 'keep'

/** What the instalments ahead are. */
export interface Plan {
  /** The whole instalment (annuity, balloon), or its principal (equal principal, flat). */
  levelMinor: bigint
  /** Flat loans: interest of each instalment, and what is left of it altogether. */
  interestShareMinor: bigint
  interestLeftMinor: bigint
}

/** Something that happens on a day, between or on due dates. */
export interface Happening {
  day: Day
  kind: 'rate-change' | 'term-extension' | 'disbursement' | 'extra-payment'
  /** Its place in the request's list. */
  place: number
  happen(run: Run): void
}

/** A loan on its way through its periods. Lives as long as one computation. */
export interface Run {
  readonly loan: Loan
  readonly terms: LoanTerms
  readonly calendar: Calendar
  readonly happenings: readonly Happening[]
  /** Parts of a year that whole periods are, by their number, as far as they were asked for. */
  readonly wholePeriods: Rational[]
  next: number
  annualRate: Rational
  /** The number of the last instalment. */
  last: number
  plan: Plan | null
  causes: Cause[]
  balanceMinor: bigint
  /** What a flat loan's interest is computed on. */
  flatBaseMinor: bigint
  /** Interest of earlier periods that the next instalment collects on top. */
  deferredMinor: bigint
  /** Interest of prepaid periods and of interest grace that the next instalments collect within their amount. */
  carriedMinor: bigint
  /** What was prepaid and not yet taken off instalments. */
  creditMinor: bigint
  extraPaidMinor: bigint
  holiday: Holiday | null
  /** The period that is running: its instalment, since when, and the interest in it. */
  number: number
  accruedTo: Day
  accruedMinor: bigint
  accruedExact: bigint
  settledMinor: bigint
  closing: Closing | null
}

/** How a loan ended before its maturity. */
export interface Closing {
  day: Day
  paymentMinor: bigint
  principalMinor: bigint
}

/** Sets a loan at its start. What happens on one day: the rate, the term, then disbursements, then payments. */
export function begin(
  loan: Loan,
  pay: (run: Run, payment: ExtraPayment, place: number) => void,
): Run {
  const { terms } = loan
  const calendar = calendarOf(terms.start, terms.frequency, terms.everyDays)
  const happenings = [
    ...rateChanges(loan, calendar),
    ...extensions(loan),
    ...loan.disbursements.map(({ on, amountMinor }, place): Happening => ({
      day: toDay(on),
      kind: 'disbursement',
      place,
      happen: (run) => disburse(run, amountMinor),
    })),
    ...loan.extraPayments.flatMap((payment, place): Happening[] => {
      // Paying nothing is no event: it would round the interest before and after it apart.
      if (payment.amountMinor === 0n && payment.strategy !== 'payoff') return []
      const happen = (run: Run) => pay(run, payment, place)
      return [{ day: toDay(payment.on), kind: 'extra-payment', place, happen }]
    }),
  ].sort((one, other) => one.day - other.day)
  return {
    loan,
    terms,
    calendar,
    happenings,
    wholePeriods: [],
    next: 0,
    annualRate: terms.annualRate,
    last: terms.instalments,
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

function rateChanges({ rateChanges }: Loan, calendar: Calendar): Happening[] {
  return rateChanges.map(({ from, annualRate }, place) => {
    const day = toDay(from)
    return {
      day: calendar.isDueDay(day) ? day : day - 1,
      kind: 'rate-change',
      place,
      happen: (run) => {
        run.annualRate = annualRate
        run.causes.push('reprice')
      },
    }
  })
}

function extensions({ extensions = [] }: Loan): Happening[] {
  return extensions.map(({ on, instalments }, place) => ({
    day: toDay(on),
    kind: 'term-extension',
    place,
    happen: (run) => {
      run.last += instalments
      if (run.last > mostInstalments) {
        const detail = `A schedule has at most ${mostInstalments} instalments.`
        const pointer = `/extensions/${place}/instalments`
        throw invalid(fault(pointer, 'TOO_MANY_INSTALMENTS', detail))
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

/** What interest accrues on. */
export function interestBase(run: Run): bigint {
  return run.terms.method === 'flat' ? run.flatBaseMinor : run.balanceMinor
}

/** The interest on one minor unit from one day to another in the running period. */
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

/** The interest on one minor unit in the whole period of an instalment, at the rate that holds. */
export function factorFor(run: Run, number: number): Rational {
  const { terms, calendar, wholePeriods } = run
  const termination = terminationOf(run)
  if (termination !== null) {
    // Not remembered: the maturity may still move.
    const [from, to] = [calendar.dueDay(number - 1), calendar.dueDay(number)]
    const years = yearFraction(terms.dayCount, calendar, number, from, to, termination)
    return times(run.annualRate, years)
  }
  wholePeriods[number] ??= yearFraction(
    terms.dayCount,
    calendar,
    number,
    calendar.dueDay(number - 1),
    calendar.dueDay(number),
  )
  return times(run.annualRate, wholePeriods[number])
}

/** The maturity, for the one convention that depends on it. */
function terminationOf({ terms, calendar, last }: Run): Day | null {
  return terms.dayCount === 'thirty-e-360-isda' ? calendar.dueDay(last) : null
}

/** The interest on an amount, rounded once. */
export function interestOn(run: Run, amountMinor: bigint, factor: Rational): bigint {
  return roundToMultiple(amountMinor * factor.num, factor.den, run.terms.multipleMinor)
}

/** Lets interest accrue up to a day of the running period; each stretch is rounded on its own. */
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

/** Interest of the running period that is not paid yet. */
export function unsettled(run: Run): bigint {
  return run.accruedMinor - run.settledMinor
}

/** Everything that is owed now. */
export function owed(run: Run): bigint {
  return run.balanceMinor + unsettled(run) + run.deferredMinor + run.carriedMinor
}

/** Pays interest that is owed, the oldest first; answers what is left of the money. */
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
