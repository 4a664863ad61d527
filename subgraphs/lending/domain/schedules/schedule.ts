import { toDate, toDay, type Day } from '../../../../kernel/domain/day-count.ts'
import { payExtra } from './extra-payment.ts'
import { endHoliday, startHoliday, treatmentOf } from './holiday.ts'
import type { ExtraPayment, Installment, Loan, Schedule } from './loan.ts'
import { interestPartOf, hasEqualInstallments, replanInstallments, principalOf } from './plan.ts'
import { smallest } from './rational.ts'
import { capitalizeUnpaid, limitPayment, endReduction } from './reduction.ts'
import { validationError, validationFailed } from './refusals.ts'
import { accrueTo, beginRun, amountOwed, unsettledInterest, type Run } from './run.ts'

const lastDay = toDay('9999-12-31')

/**
 * Computes the schedule of a loan: one entry per installment, numbered from 1. The last installment
 * pays the rest, so that the principal of all installments and extra payments equals the amount
 * disbursed. Throws VALIDATION_FAILED for payments that exceed the amount owed, events after the
 * end of the loan, payment holidays that leave no installment, installment amounts that would never
 * repay the loan, too many installments, and due dates after the year 9999.
 */
export function scheduleOf(loan: Loan, currency: string): Schedule {
  const run = beginSchedule(loan, currency)
  const installments: Installment[] = []
  for (let number = 1; number <= run.lastNumber && !run.closing; number++) {
    installments.push(runPeriod(run, number))
  }
  rejectEventsAfterEnd(run, installments.at(-1)!)
  let totalInterestMinor = 0n
  let totalPaymentMinor = run.extraPaidMinor
  for (const { interestMinor, paymentMinor } of installments) {
    totalInterestMinor += interestMinor
    totalPaymentMinor += paymentMinor
  }
  return { installments, isPaidOff: run.closing !== null, totalInterestMinor, totalPaymentMinor }
}

/** Creates the initial state of a loan with its events. */
export function beginSchedule(loan: Loan, currency: string): Run {
  return beginRun(loan, (run: Run, payment: ExtraPayment, place: number) =>
    payExtra(run, payment, place, currency),
  )
}

/**
 * Computes the period of an installment up to its due date and collects the installment. If a
 * payment ends the loan in the period, returns that payment instead. Periods must be computed in
 * order.
 */
export function runPeriod(run: Run, number: number): Installment {
  const dueDay = run.calendar.dueDay(number)
  if (dueDay > lastDay) {
    throw validationFailed(
      validationError('/installments', 'DATE_TOO_FAR', 'The last due date is after the year 9999.'),
    )
  }
  startPeriod(run, number)
  for (;;) {
    const timelineEvent = run.timelineEvents[run.nextEventIndex]
    if (!timelineEvent || !isInPeriod(run, dueDay)) break
    accrueTo(run, timelineEvent.day)
    run.nextEventIndex++
    timelineEvent.apply(run)
    if (run.closing) return closingEntry(run)
  }
  accrueTo(run, dueDay)
  return collect(run, dueDay)
}

function startPeriod(run: Run, number: number): void {
  run.number = number
  run.accruedMinor = run.accruedExact = run.settledMinor = 0n
  startHoliday(run)
}

/** Computes the period of an installment up to the end of a day before its due date. */
export function runPeriodUpTo(run: Run, number: number, until: Day): void {
  startPeriod(run, number)
  let nextEvent = run.timelineEvents[run.nextEventIndex]
  while (nextEvent && nextEvent.day <= until && !run.closing) {
    accrueTo(run, nextEvent.day)
    run.nextEventIndex++
    nextEvent.apply(run)
    nextEvent = run.timelineEvents[run.nextEventIndex]
  }
  if (!run.closing) accrueTo(run, until)
}

/**
 * Whether the next event belongs to the current period. An event on a due date belongs to the next
 * period, with one exception: a payoff is combined with the installment unless other kinds of
 * events occur on that day.
 */
function isInPeriod(run: Run, dueDay: Day): boolean {
  const { day, kind, place } = run.timelineEvents[run.nextEventIndex]!
  if (day !== dueDay || kind !== 'extra-payment') return day < dueDay
  const isPayoff = run.loan.extraPayments[place]!.strategy === 'payoff'
  if (!isPayoff) return false
  return !run.timelineEvents.some((other) => other.day === dueDay && other.kind !== kind)
}

function collect(run: Run, dueDay: Day): Installment {
  const treatment = treatmentOf(run)
  const { holiday } = run
  const isHolidayStart = holiday?.fromInstallment === run.number
  if (isHolidayStart && holiday?.term === 'keep-instalment' && !run.plan) requirePlan(run)
  if (treatment === 'normal' && run.recomputations.length > 0) requirePlan(run)
  const interestMinor = takeInterest(run)
  let paid: { paymentMinor: bigint; principalMinor: bigint }
  if (run.number === run.lastNumber) {
    paid = { paymentMinor: amountOwed(run), principalMinor: run.balanceMinor }
    run.deferredMinor = run.carriedMinor = run.creditMinor = 0n
  } else if (treatment === 'capitalizes') {
    paid = { paymentMinor: 0n, principalMinor: -unsettledInterest(run) }
    run.flatBaseMinor += unsettledInterest(run)
  } else paid = payInstallment(run, treatment === 'normal')
  run.balanceMinor -= paid.principalMinor
  endHoliday(run)
  endReduction(run)
  return {
    number: run.number,
    dueDate: toDate(dueDay),
    interestMinor,
    ...paid,
    balanceMinor: run.balanceMinor,
  }
}

function requirePlan(run: Run): void {
  if (replanInstallments(run)) return
  const place = run.loan.holidays.findLastIndex(
    ({ fromInstallment, term }) => term === 'keep-instalment' && fromInstallment <= run.number,
  )
  const detail = 'With KEEP_INSTALLMENT, the installment amount would never repay the loan.'
  throw validationFailed(validationError(`/holidays/${place}/term`, 'NEVER_REPAID', detail))
}

/**
 * Returns the interest of the current period. A flat loan takes an equal share out of the interest
 * left in its plan, regardless of the number of days.
 */
function takeInterest(run: Run): bigint {
  if (run.terms.method === 'flat' && run.plan && treatmentOf(run) === 'normal') {
    const { interestShareMinor, interestLeftMinor } = run.plan
    const isLast = run.number === run.lastNumber
    const share = isLast ? interestLeftMinor : smallest(interestShareMinor, interestLeftMinor)
    run.plan = { ...run.plan, interestLeftMinor: interestLeftMinor - share }
    run.accruedMinor = share + run.settledMinor
  }
  return run.accruedMinor
}

/**
 * Pays an installment: interest first, then principal. A prepaid amount is deducted from the
 * installment. Interest that the deduction leaves unpaid is paid within the next installments. If
 * installments are equal, the same applies to interest deferred by interest grace. Interest that a
 * payment holiday defers, or that interest grace defers with other methods, is collected in
 * addition to the first installment after the payment holiday or grace period.
 */
function payInstallment(run: Run, paysPrincipal: boolean) {
  const isInGrace = run.number <= run.terms.interestGrace
  const isInterestDeferred = isInGrace || run.holiday?.type === 'full'
  const unpaidMinor = unsettledInterest(run) + run.carriedMinor
  const level = paysPrincipal && hasEqualInstallments(run) ? run.plan!.levelMinor : null
  const interestPart =
    level === null ? unpaidMinor : interestPartOf(run, run.number, level, unpaidMinor)
  const interestDue = isInterestDeferred ? 0n : interestPart + run.deferredMinor
  const principalDue = paysPrincipal ? plannedPrincipal(run, interestPart) : 0n
  const dueMinor = interestDue + principalDue
  const credit = smallest(run.creditMinor, dueMinor)
  const paymentMinor = limitPayment(run, dueMinor - credit)
  run.creditMinor -= credit
  const interestPaid = smallest(paymentMinor, interestDue)
  if (!isInterestDeferred) {
    run.carriedMinor = unpaidMinor + run.deferredMinor - interestPaid
    run.deferredMinor = 0n
  } else if (isInGrace && hasEqualInstallments(run)) run.carriedMinor = unpaidMinor
  else run.deferredMinor += unsettledInterest(run)
  const capitalizedMinor = isInGrace ? 0n : capitalizeUnpaid(run)
  return { paymentMinor, principalMinor: paymentMinor - interestPaid - capitalizedMinor }
}

function plannedPrincipal(run: Run, interestMinor: bigint): bigint {
  const level = run.plan!.levelMinor
  if (hasEqualInstallments(run)) return principalOf(level, interestMinor, run.balanceMinor)
  return smallest(level, run.balanceMinor)
}

function closingEntry(run: Run): Installment {
  const { day, paymentMinor, principalMinor } = run.closing!
  return {
    number: run.number,
    dueDate: toDate(day),
    paymentMinor,
    interestMinor: run.accruedMinor,
    principalMinor,
    balanceMinor: 0n,
  }
}

const listNames = {
  disbursement: 'disbursements',
  'extra-payment': 'extraPayments',
  'term-extension': 'extensions',
} as const

/**
 * Rejects events after the end of the loan, except rate changes. A reduction must end before the
 * last installment. If a payment ended the loan early, later payment holidays, reductions and term
 * extensions are ignored.
 */
function rejectEventsAfterEnd(run: Run, last: Installment): void {
  const detail = `The loan ends on ${last.dueDate}, with installment ${last.number}.`
  const eventFaults = run.timelineEvents
    .slice(run.nextEventIndex)
    .flatMap(({ kind, place }) =>
      kind === 'rate-change' || (run.closing && kind === 'term-extension')
        ? []
        : [validationError(`/${listNames[kind]}/${place}/on`, 'AFTER_THE_END', detail)],
    )
  const holidayFaults = run.loan.holidays.flatMap(({ fromInstallment }, place) =>
    fromInstallment <= last.number || run.closing
      ? []
      : [validationError(`/holidays/${place}/fromInstallment`, 'AFTER_THE_END', detail)],
  )
  const { reductions = [] } = run.loan
  const reductionFaults = reductions.flatMap(({ fromInstallment, installments }, place) =>
    fromInstallment + installments - 1 < last.number || run.closing
      ? []
      : [validationError(`/reductions/${place}/installments`, 'AFTER_THE_END', detail)],
  )
  const faults = [...eventFaults, ...holidayFaults, ...reductionFaults]
  if (faults.length > 0) throw validationFailed(...faults)
}
