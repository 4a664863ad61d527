import type { Facility } from './facility.ts'
import type { Instalment, Loan, Schedule } from './loan.ts'
import { scheduleOf } from './schedule.ts'
import {
  amend,
  effectOf,
  firstVersion,
  type Amendment,
  type AmendmentEffect,
  type ScheduleVersion,
} from './version.ts'

/** A facility with its next schedule. */
export interface ScheduleChange {
  facility: Facility
  version: ScheduleVersion
  /** Null for the first schedule, which changes nothing. */
  effect: AmendmentEffect | null
}

/** The schedule in force; null while a loan is not drawn. It follows from the facility alone. */
export function currentVersion({
  loan,
  scheduleVersion,
  currency,
}: Facility): ScheduleVersion | null {
  if (scheduleVersion === 0) return null
  return { version: scheduleVersion, cause: null, loan, schedule: scheduleOf(loan, currency) }
}

/**
 * The next schedule of a facility: the one function behind every preview and every change. What
 * became due does not change. The principal and the interest of the facility are not touched: that
 * is for whoever moves money.
 * Refuses with INSTALMENT_ALREADY_PAID, and VALIDATION_FAILED for what no schedule can be.
 */
export function amendFacility(facility: Facility, cause: Amendment): ScheduleChange {
  const { currency, billedInstalments } = facility
  const current = currentVersion(facility)
  if (!current || (cause.kind === 'disbursement' && isUndrawnLoan(facility.loan))) {
    return firstSchedule(facility, current, cause)
  }
  const version = amend(current, cause, billedInstalments, currency)
  const effect = effectOf(current, version, billedInstalments)
  return { facility: withSchedule(facility, version), version, effect }
}

/** Its instalments; what paid it off is paid, also where that is only known since something was taken back. */
export function toBecomeDue({ instalments, isPaidOff }: Schedule): readonly Instalment[] {
  return isPaidOff ? instalments.slice(0, -1) : instalments
}

/** The schedule of a revolving limit before anything is drawn; a loan has none until then. */
export function openSchedule(facility: Facility): ScheduleChange | null {
  if (!facility.loan.terms.isRevolving) return null
  const version = firstVersion(facility.loan, facility.currency)
  return { facility: withSchedule(facility, version), version, effect: null }
}

/** The periods of a loan are counted from the day it is first paid out. */
function firstSchedule(
  facility: Facility,
  current: ScheduleVersion | null,
  cause: Amendment,
): ScheduleChange {
  if (cause.kind !== 'disbursement') throw new Error('A schedule begins with a disbursement.')
  const { disbursement } = cause
  const { terms } = facility.loan
  const loan = {
    ...facility.loan,
    terms: { ...terms, start: disbursement.on },
    disbursements: [disbursement],
  }
  const first = firstVersion(loan, facility.currency)
  const version = { ...first, cause, version: (current?.version ?? 0) + 1 }
  // Of a loan whose only drawdown was taken back, instalments of nothing may have become due.
  const begun = { ...facility, billedInstalments: 0 }
  return { facility: withSchedule(begun, version), version, effect: null }
}

function isUndrawnLoan({ terms, disbursements }: Loan): boolean {
  return !terms.isRevolving && disbursements.length === 0
}

function withSchedule(facility: Facility, version: ScheduleVersion): Facility {
  const { loan, schedule } = version
  const next = toBecomeDue(schedule)[facility.billedInstalments]
  return {
    ...facility,
    loan,
    scheduleVersion: version.version,
    maturityDate: schedule.instalments.at(-1)!.dueDate,
    nextDueDate: next?.dueDate ?? null,
    nextDueMinor: next?.paymentMinor ?? 0n,
  }
}
