import type { Facility } from './facility.ts'
import type { Installment, Loan, Schedule } from '../schedules/loan.ts'
import { scheduleOf } from '../schedules/schedule.ts'
import {
  amend,
  effectOf,
  firstVersion,
  type Amendment,
  type AmendmentEffect,
  type ScheduleVersion,
} from '../schedules/version.ts'

/** A facility with its new schedule version. */
export interface ScheduleChange {
  facility: Facility
  version: ScheduleVersion
  /** The effect on the borrower; null for the first schedule. */
  effect: AmendmentEffect | null
}

/**
 * Returns the current schedule version; null before the first drawdown of a loan. It is computed
 * from the facility alone.
 */
export function currentVersion({
  loan,
  scheduleVersion,
  currency,
}: Facility): ScheduleVersion | null {
  if (scheduleVersion === 0) return null
  return { version: scheduleVersion, cause: null, loan, schedule: scheduleOf(loan, currency) }
}

/**
 * Computes the next schedule of a facility, for every preview and every change. Installments that
 * have become due do not change. The amounts of the facility are updated by the function that books
 * the money, not here. Throws INSTALMENT_ALREADY_PAID, and VALIDATION_FAILED for an impossible
 * schedule.
 */
export function amendFacility(facility: Facility, cause: Amendment): ScheduleChange {
  const { currency, billedInstallments } = facility
  const current = currentVersion(facility)
  if (!current || (cause.kind === 'disbursement' && isUndrawnLoan(facility.loan))) {
    return firstSchedule(facility, current, cause)
  }
  const version = amend(current, cause, billedInstallments, currency)
  const effect = effectOf(current, version, billedInstallments)
  return { facility: withSchedule(facility, version), version, effect }
}

/**
 * Returns the entries that become due as installments. A payment that ended the loan is not one of
 * them: the last entry of a paid-off schedule is left out.
 */
export function installmentsToBill({ installments, isPaidOff }: Schedule): readonly Installment[] {
  return isPaidOff ? installments.slice(0, -1) : installments
}

/**
 * Creates the schedule of a revolving limit before its first drawdown. Returns null for a loan,
 * which has no schedule until it is drawn.
 */
export function openSchedule(facility: Facility): ScheduleChange | null {
  if (!facility.loan.terms.isRevolving) return null
  const version = firstVersion(facility.loan, facility.currency)
  return { facility: withSchedule(facility, version), version, effect: null }
}

/** Creates the first schedule of a loan. Its periods are counted from the first payout. */
function firstSchedule(
  facility: Facility,
  current: ScheduleVersion | null,
  cause: Amendment,
): ScheduleChange {
  if (cause.kind !== 'disbursement')
    throw new Error('The first version of a schedule requires a disbursement.')
  const { disbursement } = cause
  const { terms } = facility.loan
  const loan = {
    ...facility.loan,
    terms: { ...terms, start: disbursement.on },
    disbursements: [disbursement],
  }
  const first = firstVersion(loan, facility.currency)
  const version = { ...first, cause, version: (current?.version ?? 0) + 1 }
  // After the only drawdown was reversed, installments of zero can have become due.
  const restarted = { ...facility, billedInstallments: 0 }
  return { facility: withSchedule(restarted, version), version, effect: null }
}

function isUndrawnLoan({ terms, disbursements }: Loan): boolean {
  return !terms.isRevolving && disbursements.length === 0
}

function withSchedule(facility: Facility, version: ScheduleVersion): Facility {
  const { loan, schedule } = version
  const next = installmentsToBill(schedule)[facility.billedInstallments]
  return {
    ...facility,
    loan,
    scheduleVersion: version.version,
    maturityDate: schedule.installments.at(-1)!.dueDate,
    nextDueDate: next?.dueDate ?? null,
    nextDueMinor: next?.paymentMinor ?? 0n,
  }
}
