import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { internalAccountId } from '../../_ledger/domain/account.ts'
import type { Leg } from '../../_ledger/domain/balance.ts'
import { credit, debit, owe, oweLess } from './accounts.ts'
import type { Allocation } from './allocation.ts'
import { allocateTo, partOf, withPaid, type DueInstalment } from './due-instalment.ts'
import type { Facility } from './facility.ts'
import type { Instalment } from './loan.ts'
import { currentVersion, toBecomeDue } from './schedule-change.ts'
import { standingOn, type ScheduleStanding } from './standing.ts'

/** Movements that belong together, as of a day. */
export interface Booking {
  on: LocalDate
  text: string
  legs: readonly Leg[]
}

/** Money that came in and where it went. */
export interface PaymentMade {
  on: LocalDate
  amountMinor: bigint
  /** The account it was taken from. */
  accountId: string
  allocations: readonly Allocation[]
  /** What was more than due: interest to date, then principal. */
  extraInterestMinor: bigint
  extraPrincipalMinor: bigint
  /** Its place among the bookings. */
  booking: number
}

/** What was told of a facility, in the order it happened. */
export type FacilityFact =
  | 'in-arrears'
  | 'delinquency-changed'
  | 'cured'
  | 'matured'
  | 'paid-off'
  | 'charged-off'
  | 'recovery-received'
  | 'recovered'
  | 'written-off'
  | 'cancelled'

/** A facility on its way through some days, with everything that is to be written down about it. */
export interface Serviced {
  facility: Facility
  duesBefore: readonly DueInstalment[]
  /** Instalments that are due and not paid, and those that were paid on the way. */
  dues: readonly DueInstalment[]
  bookings: readonly Booking[]
  payments: readonly PaymentMade[]
  tell: readonly FacilityFact[]
}

/** A facility as it is, with its unpaid instalments. */
export function startServicing(facility: Facility, dues: readonly DueInstalment[]): Serviced {
  return { facility, duesBefore: dues, dues, bookings: [], payments: [], tell: [] }
}

export function book(serviced: Serviced, booking: Booking): Serviced {
  return { ...serviced, bookings: [...serviced.bookings, booking] }
}

/** Brings a facility to the end of a day: interest is booked, instalments become due. Never goes back. */
export function bringTo(serviced: Serviced, day: LocalDate): Serviced {
  const { accruedThrough } = serviced.facility
  const through = day > accruedThrough ? day : accruedThrough
  const standing = standingOf(serviced.facility, through)
  return align(bill(accrue(serviced, standing, through), day), standing)
}

/** Makes good what a change of the past did to interest and principal, as far as both are booked. */
export function correct(serviced: Serviced): Serviced {
  const { accruedThrough } = serviced.facility
  const standing = standingOf(serviced.facility, accruedThrough)
  return align(accrue(serviced, standing, accruedThrough), standing)
}

const nothing: ScheduleStanding = {
  accruedTotalMinor: 0n,
  openInterestMinor: 0n,
  principalMinor: 0n,
}

/** What the schedule of a facility says of a day. */
export function standingOf({ loan, currency }: Facility, on: LocalDate): ScheduleStanding {
  return loan.disbursements.length > 0 ? standingOn(loan, on, currency) : nothing
}

/** Books interest: what is booked altogether is what the schedule says. */
function accrue(
  serviced: Serviced,
  { accruedTotalMinor }: ScheduleStanding,
  through: LocalDate,
): Serviced {
  const { facility } = serviced
  const { currency } = facility
  const more = accruedTotalMinor - facility.accruedTotalMinor
  const after: Facility = {
    ...facility,
    accruedThrough: through,
    accruedTotalMinor,
    accruedMinor: facility.accruedMinor + more,
  }
  if (more === 0n) return { ...serviced, facility: after }
  const income = internalAccountId('interest-income', currency)
  const legs =
    more > 0n
      ? [owe(facility, 'accrued', more), credit(income, more, currency)]
      : [debit(income, -more, currency), oweLess(facility, 'accrued', -more)]
  const booking = { on: through, text: `Interest to ${through}`, legs }
  return book({ ...serviced, facility: after }, booking)
}

/** An extra payment pays interest first: more interest in the past is less principal repaid by it. */
function align(serviced: Serviced, { principalMinor }: ScheduleStanding): Serviced {
  const { facility } = serviced
  const more = principalMinor - (facility.principalMinor - facility.principalDueMinor)
  if (more === 0n) return serviced
  const after: Facility = {
    ...facility,
    principalMinor: facility.principalMinor + more,
    accruedMinor: facility.accruedMinor - more,
  }
  const legs =
    more > 0n
      ? [owe(facility, 'principal', more), oweLess(facility, 'accrued', more)]
      : [owe(facility, 'accrued', -more), oweLess(facility, 'principal', -more)]
  const booking = { on: facility.accruedThrough, text: 'Extra payments, by the new schedule', legs }
  return book({ ...serviced, facility: after }, booking)
}

/** Makes the instalments due whose day has come. */
function bill(serviced: Serviced, day: LocalDate): Serviced {
  const { nextDueDate } = serviced.facility
  if (nextDueDate === null || nextDueDate > day) return serviced
  const lines = toBecomeDue(currentVersion(serviced.facility)!.schedule)
  let done = serviced
  for (const line of lines.slice(serviced.facility.billedInstalments)) {
    if (line.dueDate > day) break
    done = billLine(done, line)
  }
  const next = lines[done.facility.billedInstalments]
  const facility = {
    ...done.facility,
    nextDueDate: next?.dueDate ?? null,
    nextDueMinor: next?.paymentMinor ?? 0n,
  }
  return { ...done, facility }
}

/** Interest that is added to the principal is due to nobody; of a lowered instalment the rest of it is. */
function billLine(serviced: Serviced, line: Instalment): Serviced {
  const { number, dueDate, paymentMinor, principalMinor } = line
  const interest = paymentMinor - principalMinor
  const principal = principalMinor > 0n ? principalMinor : 0n
  const capitalised = principal - principalMinor
  const interestDue = interest - capitalised
  const before = serviced.facility
  const facility: Facility = {
    ...before,
    billedInstalments: number,
    accruedMinor: before.accruedMinor - interest,
    principalMinor: before.principalMinor + capitalised,
    interestDueMinor: before.interestDueMinor + interestDue,
    principalDueMinor: before.principalDueMinor + principal,
  }
  const { facilityId } = facility
  const due: DueInstalment = {
    facilityId,
    number,
    dueDate,
    interestMinor: interestDue,
    principalMinor: principal,
    interestPaidMinor: 0n,
    principalPaidMinor: 0n,
    paidOn: null,
  }
  const dues = paymentMinor > 0n ? [...serviced.dues, due] : serviced.dues
  if (interest === 0n) return { ...serviced, facility, dues }
  return book(
    { ...serviced, facility, dues },
    {
      on: dueDate,
      text: `Interest of instalment ${number}`,
      legs: [
        owe(before, 'principal', capitalised),
        owe(before, 'interest-due', interestDue),
        oweLess(before, 'accrued', interest),
      ],
    },
  )
}

/** Pays what is due, the oldest first, and answers what is left of the money. */
export function payDues(serviced: Serviced, amountMinor: bigint, on: LocalDate) {
  const { allocations, leftMinor } = allocateTo(serviced.dues, amountMinor)
  const interest = partOf(allocations, 'interest')
  const principal = partOf(allocations, 'principal')
  const before = serviced.facility
  const facility: Facility = {
    ...before,
    interestDueMinor: before.interestDueMinor - interest,
    principalDueMinor: before.principalDueMinor - principal,
    principalMinor: before.principalMinor - principal,
  }
  const legs = [oweLess(before, 'interest-due', interest), oweLess(before, 'principal', principal)]
  const dues = withPaid(serviced.dues, allocations, on)
  return { serviced: { ...serviced, facility, dues }, allocations, legs, leftMinor }
}
