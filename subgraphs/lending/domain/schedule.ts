import { toDate, toDay, type Day } from './calendar.ts'
import { payExtra } from './extra-payment.ts'
import { endHoliday, startHoliday, treatmentOf } from './holiday.ts'
import type { ExtraPayment, Instalment, Loan, Schedule } from './loan.ts'
import { interestWithin, isEqualInstalment, plan, principalOf } from './plan.ts'
import { smallest } from './rational.ts'
import { capitalised, capped, endReduction } from './reduction.ts'
import { fault, invalid } from './refusals.ts'
import { accrueTo, begin, owed, unsettled, type Run } from './run.ts'

const lastDay = toDay('9999-12-31')

/**
 * The schedule of a loan: one line for each instalment, numbered from 1. The last one pays whatever
 * is left, so the principal of all of them and of the extra payments is what was disbursed.
 * Refuses with VALIDATION_FAILED what cannot be: payments of more than is owed, anything that
 * happens after the end, holidays that leave no instalment, instalments that never repay.
 */
export function scheduleOf(loan: Loan, currency: string): Schedule {
  const run = beginSchedule(loan, currency)
  const instalments: Instalment[] = []
  for (let number = 1; number <= run.last && !run.closing; number++) {
    instalments.push(runPeriod(run, number))
  }
  refuseLeftovers(run, instalments.at(-1)!)
  let totalInterestMinor = 0n
  let totalPaymentMinor = run.extraPaidMinor
  for (const { interestMinor, paymentMinor } of instalments) {
    totalInterestMinor += interestMinor
    totalPaymentMinor += paymentMinor
  }
  return { instalments, isPaidOff: run.closing !== null, totalInterestMinor, totalPaymentMinor }
}

/** A loan at its start, with what happens to it. */
export function beginSchedule(loan: Loan, currency: string): Run {
  return begin(loan, (run: Run, payment: ExtraPayment, place: number) =>
    payExtra(run, payment, place, currency),
  )
}

/** Runs the period of an instalment to its due date and collects it. Periods are run in their order. */
export function runPeriod(run: Run, number: number): Instalment {
  const due = run.calendar.dueDay(number)
  if (due > lastDay) {
    throw invalid(
      fault('/instalments', 'DATE_TOO_FAR', 'The last due date is after the year 9999.'),
    )
  }
  startPeriod(run, number)
  for (;;) {
    const happening = run.happenings[run.next]
    if (!happening || !happensBefore(run, due)) break
    accrueTo(run, happening.day)
    run.next++
    happening.happen(run)
    if (run.closing) return closingLine(run)
  }
  accrueTo(run, due)
  return collect(run, due)
}

function startPeriod(run: Run, number: number): void {
  run.number = number
  run.accruedMinor = run.accruedExact = run.settledMinor = 0n
  startHoliday(run)
}

/** Runs the period of an instalment to the end of a day before its due date. */
export function runUpTo(run: Run, number: number, until: Day): void {
  startPeriod(run, number)
  for (let next = run.happenings[run.next]; next && next.day <= until && !run.closing;) {
    accrueTo(run, next.day)
    run.next++
    next.happen(run)
    next = run.happenings[run.next]
  }
  if (!run.closing) accrueTo(run, until)
}

/** What happens on a due date belongs to the next period, but a payoff goes with the instalment. */
function happensBefore(run: Run, due: Day): boolean {
  const { day, kind, place } = run.happenings[run.next]!
  if (day !== due || kind !== 'extra-payment') return day < due
  const isPayoff = run.loan.extraPayments[place]!.strategy === 'payoff'
  return isPayoff && !run.happenings.some((other) => other.day === due && other.kind !== kind)
}

function collect(run: Run, due: Day): Instalment {
  const treatment = treatmentOf(run)
  const { holiday } = run
  const isFirst = holiday?.fromInstalment === run.number
  if (isFirst && holiday?.term === 'keep-instalment' && !run.plan) requirePlan(run)
  if (treatment === 'normal' && run.causes.length > 0) requirePlan(run)
  const interestMinor = interestOf(run)
  let paid: { paymentMinor: bigint; principalMinor: bigint }
  if (run.number === run.last) {
    paid = { paymentMinor: owed(run), principalMinor: run.balanceMinor }
    run.deferredMinor = run.carriedMinor = run.creditMinor = 0n
  } else if (treatment === 'capitalises') {
    paid = { paymentMinor: 0n, principalMinor: -unsettled(run) }
    run.flatBaseMinor += unsettled(run)
  } else paid = payInstalment(run, treatment === 'normal')
  run.balanceMinor -= paid.principalMinor
  endHoliday(run)
  endReduction(run)
  return {
    number: run.number,
    dueDate: toDate(due),
    interestMinor,
    ...paid,
    balanceMinor: run.balanceMinor,
  }
}

function requirePlan(run: Run): void {
  if (plan(run)) return
  const place = run.loan.holidays.findLastIndex(
    ({ fromInstalment, term }) => term === 'keep-instalment' && fromInstalment <= run.number,
  )
  const detail = 'The instalment that is to be kept never repays the loan.'
  throw invalid(fault(`/holidays/${place}/term`, 'NEVER_REPAID', detail))
}

/** The interest of the running period. A flat loan's is its share, whatever the days. */
function interestOf(run: Run): bigint {
  if (run.terms.method === 'flat' && run.plan && treatmentOf(run) === 'normal') {
    const { interestShareMinor, interestLeftMinor } = run.plan
    const isLast = run.number === run.last
    const share = isLast ? interestLeftMinor : smallest(interestShareMinor, interestLeftMinor)
    run.plan = { ...run.plan, interestLeftMinor: interestLeftMinor - share }
    run.accruedMinor = share + run.settledMinor
  }
  return run.accruedMinor
}

/**
 * An instalment as it is paid: interest first, then principal. What was prepaid is taken off it,
 * and interest that this leaves open is paid within the next instalments. So is the interest that
 * interest grace defers where installments are equal; other methods and payment holidays collect
 * deferred interest on top of the first installment after.
 */
function payInstalment(run: Run, paysPrincipal: boolean) {
  const isInGrace = run.number <= run.terms.interestGrace
  const isDeferred = isInGrace || run.holiday?.type === 'full'
  const openMinor = unsettled(run) + run.carriedMinor
  const level = paysPrincipal && isEqualInstalment(run) ? run.plan!.levelMinor : null
  const withinMinor = level === null ? openMinor : interestWithin(run, run.number, level, openMinor)
  const interestDue = isDeferred ? 0n : withinMinor + run.deferredMinor
  const principalDue = paysPrincipal ? plannedPrincipal(run, withinMinor) : 0n
  const dueMinor = interestDue + principalDue
  const credit = smallest(run.creditMinor, dueMinor)
  const paymentMinor = capped(run, dueMinor - credit)
  run.creditMinor -= credit
  const interestPaid = smallest(paymentMinor, interestDue)
  if (!isDeferred) {
    run.carriedMinor = openMinor + run.deferredMinor - interestPaid
    run.deferredMinor = 0n
  } else if (isInGrace && isEqualInstalment(run)) run.carriedMinor = openMinor
  else run.deferredMinor += unsettled(run)
  const addedMinor = isInGrace ? 0n : capitalised(run)
  return { paymentMinor, principalMinor: paymentMinor - interestPaid - addedMinor }
}

function plannedPrincipal(run: Run, interestMinor: bigint): bigint {
  const level = run.plan!.levelMinor
  if (isEqualInstalment(run)) return principalOf(level, interestMinor, run.balanceMinor)
  return smallest(level, run.balanceMinor)
}

function closingLine(run: Run): Instalment {
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

const lists = {
  disbursement: 'disbursements',
  'extra-payment': 'extraPayments',
  'term-extension': 'extensions',
} as const

/** A rate may change after the end; nobody borrows, pays or pauses then. What was planned ends with a payoff. */
function refuseLeftovers(run: Run, last: Instalment): void {
  const detail = `The loan ends on ${last.dueDate}, with instalment ${last.number}.`
  const dated = run.happenings
    .slice(run.next)
    .flatMap(({ kind, place }) =>
      kind === 'rate-change' || (run.closing && kind === 'term-extension')
        ? []
        : [fault(`/${lists[kind]}/${place}/on`, 'AFTER_THE_END', detail)],
    )
  const paused = run.loan.holidays.flatMap(({ fromInstalment }, place) =>
    fromInstalment <= last.number || run.closing
      ? []
      : [fault(`/holidays/${place}/fromInstalment`, 'AFTER_THE_END', detail)],
  )
  const reduced = (run.loan.reductions ?? []).flatMap(({ fromInstalment, instalments }, place) =>
    fromInstalment + instalments - 1 < last.number || run.closing
      ? []
      : [fault(`/reductions/${place}/instalments`, 'AFTER_THE_END', detail)],
  )
  const faults = [...dated, ...paused, ...reduced]
  if (faults.length > 0) throw invalid(...faults)
}
