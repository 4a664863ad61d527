import type { Holiday } from '../../model/schedules/schedule.ts'
import type { AffectedInstallment } from '../../model/relief/payment-holiday.ts'
import type { PaymentHolidayState } from '../../model/relief/enumerations.ts'
import type {
  HolidayType,
  InterestTreatment,
  TermTreatment,
} from '../../model/schedules/enumerations.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { Problem } from '../problems.ts'
import { assertTransition, type Transitions } from '../../../../kernel/domain/states.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import { addMonths, toDate } from '../../../../kernel/domain/day-count.ts'
import { isAmortizing, requireServiced, type Facility } from '../facilities/facility.ts'
import type { Installment } from '../schedules/loan.ts'
import { validationError, validationFailed, inputProblem } from '../schedules/refusals.ts'
import type { ProductPolicy } from '../facilities/product-policy.ts'
import {
  amendFacility,
  currentVersion,
  type ScheduleChange,
} from '../facilities/schedule-change.ts'
import type { AmendmentEffect } from '../schedules/version.ts'

export const paymentHolidayTransitions: Transitions<PaymentHolidayState> = {
  requested: ['approved', 'declined', 'cancelled'],
  approved: ['active', 'cancelled'],
  active: ['completed', 'ended-early'],
  completed: [],
  'ended-early': [],
  declined: [],
  cancelled: [],
}

/** A payment holiday. Once approved, it is part of the schedule. */
export interface PaymentHoliday extends Versioned {
  paymentHolidayId: string
  facilityId: string
  partyId: string
  currency: string
  hardshipRequestId: string | null
  state: PaymentHolidayState
  startDate: LocalDate
  endDate: LocalDate
  holiday: Holiday
  affected: readonly AffectedInstallment[]
  reason: string | null
  reasonCode: string | null
  effect: AmendmentEffect | null
  scheduleVersion: number | null
}

export interface HolidayTerms {
  startDate: LocalDate
  endDate?: LocalDate | null
  installments?: number | null
  type?: HolidayType | null
  interestTreatment?: InterestTreatment | null
  termTreatment?: TermTreatment | null
}

/** A planned payment holiday and its effects. */
export interface HolidayPlan {
  startDate: LocalDate
  endDate: LocalDate
  holiday: Holiday
  affected: readonly AffectedInstallment[]
  change: ScheduleChange
}

/** The fields of an earlier payment holiday that the checks of a new one need. */
export type EarlierHoliday = Pick<
  PaymentHoliday,
  'state' | 'startDate' | 'endDate' | 'holiday' | 'affected'
>

/** Changes the state of a payment holiday. Throws INVALID_STATE_TRANSITION. */
export function transitionHoliday(
  holiday: PaymentHoliday,
  state: PaymentHolidayState,
): PaymentHoliday {
  assertTransition(paymentHolidayTransitions, holiday.state, state, holiday.paymentHolidayId)
  return { ...holiday, state }
}

/**
 * Plans a payment holiday: the installments it covers and the schedule after it. Throws
 * FACILITY_NOT_ACTIVE, NOT_SUPPORTED_FOR_REVOLVING, FACILITY_IN_ARREARS unless `isHardship` is set,
 * INVALID_DATE_RANGE, NO_INSTALMENT_IN_PERIOD, INSTALMENT_ALREADY_PAID, OVERLAPPING_HOLIDAY,
 * VALIDATION_FAILED, and whatever `amendFacility` throws.
 */
export function planHoliday(
  facility: Facility,
  request: HolidayTerms,
  policy: ProductPolicy,
  earlierHolidays: readonly EarlierHoliday[],
  isHardship: boolean,
): HolidayPlan {
  requireServiced(facility)
  const { facilityId } = facility
  if (!isAmortizing(facility)) {
    throw new Problem('NOT_SUPPORTED_FOR_REVOLVING', { resourceId: facilityId })
  }
  if (facility.state === 'in-arrears' && !isHardship) {
    const detail = 'Installments are past due. Submit a hardship request instead.'
    throw new Problem('FACILITY_IN_ARREARS', { detail, resourceId: facilityId })
  }
  const lines = currentVersion(facility)!.schedule.installments
  const affectedInstallments = affectedBy(lines, request, facility.billedInstallments)
  const first = affectedInstallments[0]!
  const holiday: Holiday = {
    fromInstallment: first.number,
    installments: affectedInstallments.length,
    type: request.type ?? 'full',
    interest: request.interestTreatment ?? policy.holidayInterestTreatment,
    term: request.termTreatment ?? 'extend',
  }
  requireNoOverlap(holiday, earlierHolidays)
  return {
    startDate: request.startDate,
    endDate: request.endDate ?? affectedInstallments.at(-1)!.dueDate,
    holiday,
    affected: affectedInstallments,
    change: amendFacility(facility, { kind: 'payment-holiday', holiday }),
  }
}

function affectedBy(
  lines: readonly Installment[],
  { startDate, endDate, installments }: HolidayTerms,
  billedInstallments: number,
): AffectedInstallment[] {
  if (endDate && endDate < startDate) {
    throw inputProblem(
      'INVALID_DATE_RANGE',
      '/endDate',
      `The end date is ${endDate}; it must not be before the start date, ${startDate}.`,
    )
  }
  if ((installments ?? 1) < 1) {
    throw validationFailed(
      validationError(
        '/installments',
        'OUT_OF_RANGE',
        `The number of installments is ${installments}; it must be at least 1.`,
      ),
    )
  }
  const upcoming = lines.filter(({ dueDate }) => dueDate >= startDate)
  const affected = endDate
    ? upcoming.filter(({ dueDate }) => dueDate <= endDate)
    : upcoming.slice(0, installments ?? 1)
  const last = lines.at(-1)!
  if (affected.length === 0) {
    const lastDue = `the last one is due on ${last.dueDate}`
    const detail = `No installment is due in the requested period; ${lastDue}.`
    throw inputProblem('NO_INSTALMENT_IN_PERIOD', '/startDate', detail)
  }
  const first = affected[0]!
  if (first.number <= billedInstallments) {
    const detail = `Installment ${first.number} became due on ${first.dueDate} and cannot change. Send a later start date.`
    throw inputProblem('INSTALMENT_ALREADY_PAID', '/startDate', detail)
  }
  return affected.map(({ number, dueDate }) => ({ number, dueDate }))
}

/**
 * Whether an earlier payment holiday matters for the allowance and for overlaps. It does unless it
 * was declined, was cancelled, or ended before it covered an installment.
 */
const isCounted = ({ state, affected }: Pick<PaymentHoliday, 'state' | 'affected'>) =>
  state !== 'declined' && state !== 'cancelled' && affected.length > 0

function requireNoOverlap(
  { fromInstallment, installments }: Holiday,
  earlierHolidays: readonly EarlierHoliday[],
) {
  const other = earlierHolidays.find(
    ({ holiday, ...each }) =>
      isCounted(each) &&
      holiday.fromInstallment < fromInstallment + installments &&
      fromInstallment < holiday.fromInstallment + holiday.installments,
  )
  if (!other) return
  const detail = `The period overlaps with the payment holiday from ${other.startDate} to ${other.endDate}.`
  throw new Problem('OVERLAPPING_HOLIDAY', { detail })
}

/**
 * Checks a payment holiday against the product's allowance: the number and length of payment
 * holidays within twelve months, the gap between them, and the number of installments that must
 * have become due before the payment holiday. Throws HOLIDAY_ALLOWANCE_EXCEEDED and
 * SEASONING_NOT_MET.
 */
export function requireAllowed(
  { billedInstallments }: Facility,
  { holiday, affected }: Pick<HolidayPlan, 'holiday' | 'affected'>,
  policy: ProductPolicy,
  earlierHolidays: readonly EarlierHoliday[],
): void {
  const { holidaySeasoningInstallments: seasoning, holidayGapInstallments: gap } = policy
  if (billedInstallments < seasoning) {
    const detail = `A payment holiday requires ${seasoning} installments that have become due; the facility has ${billedInstallments}.`
    throw new Problem('SEASONING_NOT_MET', { detail })
  }
  // Due dates are compared, because the requested dates can be long before or after them.
  const [first, last] = dueDatesOf(affected)
  const [yearBefore, yearAfter] = [addMonths(last, -12), addMonths(first, 12)].map(toDate)
  const holidaysInYear = earlierHolidays.filter((each) => {
    if (!isCounted(each)) return false
    const [firstDay, lastDay] = dueDatesOf(each.affected)
    return lastDay > yearBefore! && firstDay < yearAfter!
  })
  const usedInstallments = holidaysInYear.reduce((sum, each) => sum + each.holiday.installments, 0)
  const isTooMany = holidaysInYear.length >= policy.holidaysPerYear
  const isTooLong = usedInstallments + holiday.installments > policy.holidayInstallmentsPerYear
  const isTooNear = earlierHolidays.some(
    (each) => isCounted(each) && distanceBetween(each.holiday, holiday) < gap,
  )
  if (!isTooMany && !isTooLong && !isTooNear) return
  const allowance = `${policy.holidaysPerYear} payment holidays with ${policy.holidayInstallmentsPerYear} installments in total`
  const detail = `The product allows at most ${allowance} within twelve months, with at least ${gap} installments between them.`
  throw new Problem('HOLIDAY_ALLOWANCE_EXCEEDED', { detail })
}

/** Returns the due dates of the first and the last affected installment. */
function dueDatesOf(affected: readonly AffectedInstallment[]): [LocalDate, LocalDate] {
  return [affected[0]!.dueDate, affected.at(-1)!.dueDate]
}

/** Returns the number of installments between two payment holidays. */
function distanceBetween(one: Holiday, other: Holiday): number {
  const [first, second] = one.fromInstallment < other.fromInstallment ? [one, other] : [other, one]
  return second.fromInstallment - first.fromInstallment - first.installments
}

/**
 * Returns the approved payment holiday with its schedule version. It is active if its start date
 * has been reached.
 */
export function approveHoliday(
  holiday: PaymentHoliday,
  { version, effect }: ScheduleChange,
  now: Date,
): PaymentHoliday {
  const approvedHoliday = {
    ...transitionHoliday(holiday, 'approved'),
    effect,
    scheduleVersion: version.version,
  }
  return approvedHoliday.startDate <= dateOf(now)
    ? transitionHoliday(approvedHoliday, 'active')
    : approvedHoliday
}

/** Returns the schedule without a payment holiday. Throws whatever `amendFacility` throws. */
export function withdrawHoliday(facility: Facility, { holiday }: PaymentHoliday): ScheduleChange {
  const of = { kind: 'payment-holiday' as const, holiday }
  return amendFacility(facility, { kind: 'reversal', of })
}

/**
 * Ends a payment holiday, which then covers only the installments that became due during it.
 * `change` is null if all its installments have become due. Throws INVALID_STATE_TRANSITION, and
 * whatever `amendFacility` throws.
 */
export function endHolidayEarly(
  facility: Facility,
  before: PaymentHoliday,
  today: LocalDate,
): { holiday: PaymentHoliday; change: ScheduleChange | null } {
  const { holiday: original } = before
  const ended = { ...transitionHoliday(before, 'ended-early'), endDate: today }
  const dueInHoliday = facility.billedInstallments - original.fromInstallment + 1
  if (dueInHoliday >= original.installments) return { holiday: ended, change: null }
  if (dueInHoliday <= 0) {
    return { holiday: { ...ended, affected: [] }, change: withdrawHoliday(facility, before) }
  }
  const shortened = { ...original, installments: dueInHoliday }
  const affectedInstallments = before.affected.slice(0, dueInHoliday)
  const cause = { kind: 'holiday-shortened', of: original, to: shortened } as const
  const change = amendFacility(facility, cause)
  return { holiday: { ...ended, holiday: shortened, affected: affectedInstallments }, change }
}
