import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { internalAccountId } from '../../../../ledger/domain/account.ts'
import type { Leg } from '../../../../ledger/domain/balance.ts'
import { credit, debit, debitLoan, creditLoan } from '../facilities/accounts.ts'
import { chargeThrough, lateChargesDue } from '../late-charges/late-charges.ts'
import type { Allocation } from '../repayments/allocation.ts'
import { noCharges, type DueInstallment } from '../repayments/due-installment.ts'
import type { Facility } from '../facilities/facility.ts'
import type { Installment } from '../schedules/loan.ts'
import { currentVersion, installmentsToBill } from '../facilities/schedule-change.ts'
import { bookingTexts } from './booking-texts.ts'
import { standingOn, type ScheduleStanding } from '../schedules/standing.ts'

/** The legs of one posting with its date and text. */
export interface Booking {
  on: LocalDate
  text: string
  legs: readonly Leg[]
}

/** A received payment and its allocation. */
export interface ReceivedPayment {
  on: LocalDate
  amountMinor: bigint
  /** The ledger account that was debited. */
  accountId: string
  allocations: readonly Allocation[]
  /** The part of the payment beyond the amounts due that pays interest accrued to date. */
  extraInterestMinor: bigint
  /** The rest of the payment, which repays principal that is not due yet. */
  extraPrincipalMinor: bigint
  /** The index of the payment in the bookings of the facility. */
  bookingIndex: number
}

/** The names of the facility events that a servicing emits. */
export type FacilityEventName =
  | 'in-arrears'
  | 'delinquency-changed'
  | 'delinquency-bucket-changed'
  | 'cured'
  | 'late-fee-charged'
  | 'matured'
  | 'paid-off'
  | 'charged-off'
  | 'recovery-received'
  | 'recovered'
  | 'written-off'
  | 'cancelled'

/**
 * A facility while it is brought forward over days and payments, with everything that must be
 * written.
 */
export interface ServicedFacility {
  facility: Facility
  duesBefore: readonly DueInstallment[]
  /** The installments that are due, as far as the operation needs them. */
  dues: readonly DueInstallment[]
  bookings: readonly Booking[]
  payments: readonly ReceivedPayment[]
  eventNames: readonly FacilityEventName[]
}

/** Starts the servicing of a facility with the due installments that the operation needs. */
export function startServicing(
  facility: Facility,
  dues: readonly DueInstallment[],
): ServicedFacility {
  return { facility, duesBefore: dues, dues, bookings: [], payments: [], eventNames: [] }
}

export function book(serviced: ServicedFacility, booking: Booking): ServicedFacility {
  return { ...serviced, bookings: [...serviced.bookings, booking] }
}

/**
 * Brings a facility to the end of a day: books interest and makes installments due. If the day was
 * already reached, only corrections after backdated changes are booked.
 */
export function advanceTo(serviced: ServicedFacility, day: LocalDate): ServicedFacility {
  const { accruedThrough } = serviced.facility
  const through = day > accruedThrough ? day : accruedThrough
  const standing = standingOf(serviced.facility, through)
  const billed = billInstallments(accrue(serviced, standing, through), day)
  return chargeLate(alignPrincipal(billed, standing), day)
}

/** Corrects the booked interest and principal after a backdated change. */
export function correctBookings(serviced: ServicedFacility): ServicedFacility {
  const { accruedThrough } = serviced.facility
  const standing = standingOf(serviced.facility, accruedThrough)
  return alignPrincipal(accrue(serviced, standing, accruedThrough), standing)
}

const zeroStanding: ScheduleStanding = {
  accruedTotalMinor: 0n,
  openInterestMinor: 0n,
  principalMinor: 0n,
}

/** Returns the amounts of a facility on a day according to its schedule. */
export function standingOf({ loan, currency }: Facility, on: LocalDate): ScheduleStanding {
  return loan.disbursements.length > 0 ? standingOn(loan, on, currency) : zeroStanding
}

/** Books interest so that the total booked equals the total of the schedule. */
function accrue(
  serviced: ServicedFacility,
  { accruedTotalMinor }: ScheduleStanding,
  through: LocalDate,
): ServicedFacility {
  const { facility } = serviced
  const { currency } = facility
  const differenceMinor = accruedTotalMinor - facility.accruedTotalMinor
  const after: Facility = {
    ...facility,
    accruedThrough: through,
    accruedTotalMinor,
    accruedMinor: facility.accruedMinor + differenceMinor,
  }
  if (differenceMinor === 0n) return { ...serviced, facility: after }
  const income = internalAccountId('interest-income', currency)
  const legs =
    differenceMinor > 0n
      ? [debitLoan(facility, 'accrued', differenceMinor), credit(income, differenceMinor, currency)]
      : [
          debit(income, -differenceMinor, currency),
          creditLoan(facility, 'accrued', -differenceMinor),
        ]
  const booking = { on: through, text: `Interest to ${through}`, legs }
  return book({ ...serviced, facility: after }, booking)
}

/**
 * Aligns the booked principal with the schedule. Extra payments pay interest first, so if past
 * interest increases, they have repaid less principal.
 */
function alignPrincipal(
  serviced: ServicedFacility,
  { principalMinor }: ScheduleStanding,
): ServicedFacility {
  const { facility } = serviced
  const differenceMinor = principalMinor - (facility.principalMinor - facility.principalDueMinor)
  if (differenceMinor === 0n) return serviced
  const after: Facility = {
    ...facility,
    principalMinor: facility.principalMinor + differenceMinor,
    accruedMinor: facility.accruedMinor - differenceMinor,
  }
  const legs =
    differenceMinor > 0n
      ? [
          debitLoan(facility, 'principal', differenceMinor),
          creditLoan(facility, 'accrued', differenceMinor),
        ]
      : [
          debitLoan(facility, 'accrued', -differenceMinor),
          creditLoan(facility, 'principal', -differenceMinor),
        ]
  const booking = {
    on: facility.accruedThrough,
    text: bookingTexts.reallocation,
    legs,
  }
  return book({ ...serviced, facility: after }, booking)
}

/** Makes every installment due that has reached its due date. */
function billInstallments(serviced: ServicedFacility, day: LocalDate): ServicedFacility {
  const { nextDueDate } = serviced.facility
  if (nextDueDate === null || nextDueDate > day) return serviced
  const lines = installmentsToBill(currentVersion(serviced.facility)!.schedule)
  let billed = serviced
  for (const line of lines.slice(serviced.facility.billedInstallments)) {
    if (line.dueDate > day) break
    billed = billLine(billed, line)
  }
  const next = lines[billed.facility.billedInstallments]
  const facility = {
    ...billed.facility,
    nextDueDate: next?.dueDate ?? null,
    nextDueMinor: next?.paymentMinor ?? 0n,
  }
  return { ...billed, facility }
}

/**
 * Makes one installment due. Capitalized interest is added to the principal, so only the rest of
 * the interest becomes due.
 */
function billLine(serviced: ServicedFacility, line: Installment): ServicedFacility {
  const { number, dueDate, paymentMinor, principalMinor } = line
  const interest = paymentMinor - principalMinor
  const principal = principalMinor > 0n ? principalMinor : 0n
  const capitalized = principal - principalMinor
  const interestDue = interest - capitalized
  const before = serviced.facility
  const facility: Facility = {
    ...before,
    billedInstallments: number,
    accruedMinor: before.accruedMinor - interest,
    principalMinor: before.principalMinor + capitalized,
    interestDueMinor: before.interestDueMinor + interestDue,
    principalDueMinor: before.principalDueMinor + principal,
  }
  const { facilityId } = facility
  const due: DueInstallment = {
    facilityId,
    number,
    dueDate,
    interestMinor: interestDue,
    principalMinor: principal,
    interestPaidMinor: 0n,
    principalPaidMinor: 0n,
    charges: noCharges,
    paidOn: null,
  }
  const dues = paymentMinor > 0n ? [...serviced.dues, due] : serviced.dues
  if (interest === 0n) return { ...serviced, facility, dues }
  return book(
    { ...serviced, facility, dues },
    {
      on: dueDate,
      text: `Interest of installment ${number}`,
      legs: [
        debitLoan(before, 'principal', capitalized),
        debitLoan(before, 'interest-due', interestDue),
        creditLoan(before, 'accrued', interest),
      ],
    },
  )
}

/** Charges late installments through the end of a day, and books what that changes. */
export function chargeLate(serviced: ServicedFacility, day: LocalDate): ServicedFacility {
  const dues = chargeThrough(serviced.dues, serviced.facility, day)
  return bookLateCharges({ ...serviced, dues }, day)
}

/** Books late charges so that the booked amounts equal the unpaid charges of the installments. */
export function bookLateCharges(
  serviced: ServicedFacility,
  on: LocalDate,
  text = 'Late charges',
): ServicedFacility {
  const { facility } = serviced
  if (facility.lateCharges === null) return serviced
  const { feesMinor, penaltiesMinor } = lateChargesDue(serviced.dues)
  const feeDifference = feesMinor - facility.feesDueMinor
  const penaltyDifference = penaltiesMinor - facility.penaltiesDueMinor
  if (feeDifference === 0n && penaltyDifference === 0n) return serviced
  const legs = [
    ...chargeLegs(facility, 'fees', 'fee-income', feeDifference),
    ...chargeLegs(facility, 'penalties', 'default-interest-income', penaltyDifference),
  ]
  const after = { ...facility, feesDueMinor: feesMinor, penaltiesDueMinor: penaltiesMinor }
  const eventNames: FacilityEventName[] =
    feeDifference > 0n ? [...serviced.eventNames, 'late-fee-charged'] : [...serviced.eventNames]
  return book({ ...serviced, facility: after, eventNames }, { on, text, legs })
}

/** Returns the legs that increase a charge; for a negative difference, those that decrease it. */
function chargeLegs(
  facility: Facility,
  address: 'fees' | 'penalties',
  incomeCode: 'fee-income' | 'default-interest-income',
  differenceMinor: bigint,
): Leg[] {
  const { currency } = facility
  const income = internalAccountId(incomeCode, currency)
  return differenceMinor > 0n
    ? [debitLoan(facility, address, differenceMinor), credit(income, differenceMinor, currency)]
    : [debit(income, -differenceMinor, currency), creditLoan(facility, address, -differenceMinor)]
}
