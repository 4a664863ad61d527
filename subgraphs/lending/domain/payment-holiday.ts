import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { addMonths, toDate } from './calendar.ts'

import { isAmortising, type Facility } from './facility.ts'
import type { Holiday, HolidayType, Instalment, InterestTreatment, TermTreatment } from './loan.ts'
import { fault, invalid } from './refusals.ts'
import type { ReliefPolicy } from './relief-policy.ts'
import { requireRepayable } from './repayment.ts'
import { amendFacility, currentVersion, type ScheduleChange } from './schedule-change.ts'
import type { AmendmentEffect } from './version.ts'

export const paymentHolidayStates = [
  'requested',
  'approved',
  'active',
  'completed',
  'ended-early',
  'declined',
  'cancelled',
] as const
export type PaymentHolidayState = (typeof paymentHolidayStates)[number]

export const paymentHolidayMoves: Transitions<PaymentHolidayState> = {
  requested: ['approved', 'declined', 'cancelled'],
  approved: ['active', 'cancelled'],
  active: ['completed', 'ended-early'],
  completed: [],
  'ended-early': [],
  declined: [],
  cancelled: [],
}

/** An instalment that is not paid, or not in full, by the schedule before the holiday. */
export interface AffectedInstalment {
  number: number
  dueDate: LocalDate
}

/** Instalments that a borrower need not pay. The schedule has it from its approval on. */
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
  affected: readonly AffectedInstalment[]
  reason: string | null
  reasonCode: string | null
  effect: AmendmentEffect | null
  scheduleVersion: number | null
}

export interface HolidayAsked {
  startDate: LocalDate
  endDate?: LocalDate | null
  instalments?: number | null
  type?: HolidayType | null
  interestTreatment?: InterestTreatment | null
  termTreatment?: TermTreatment | null
}

/** What a holiday comes to. */
export interface HolidayPlan {
  startDate: LocalDate
  endDate: LocalDate
  holiday: Holiday
  affected: readonly AffectedInstalment[]
  change: ScheduleChange
}

/** What of other holidays of a facility counts against a new one. */
export type Earlier = Pick<
  PaymentHoliday,
  'state' | 'startDate' | 'endDate' | 'holiday' | 'affected'
>

/** Moves a holiday to another state. Refuses with INVALID_STATE_TRANSITION. */
export function moveHoliday(holiday: PaymentHoliday, state: PaymentHolidayState): PaymentHoliday {
  requireMove(paymentHolidayMoves, holiday.state, state, holiday.paymentHolidayId)
  return { ...holiday, state }
}

/**
 * Works a holiday out: the instalments it is about, and the schedule after it.
 * Refuses with FACILITY_NOT_ACTIVE, NOT_SUPPORTED_FOR_REVOLVING, FACILITY_IN_ARREARS (unless it is
 * given in hardship), NO_INSTALMENT_IN_PERIOD, INSTALMENT_ALREADY_PAID, OVERLAPPING_HOLIDAY,
 * VALIDATION_FAILED, and as `amendFacility`.
 */
export function planHoliday(
  facility: Facility,
  asked: HolidayAsked,
  policy: ReliefPolicy,
  earlier: readonly Earlier[],
  isHardship: boolean,
): HolidayPlan {
  requireRepayable(facility)
  const { facilityId } = facility
  if (!isAmortising(facility)) {
    throw new Problem('NOT_SUPPORTED_FOR_REVOLVING', { resourceId: facilityId })
  }
  if (facility.state === 'in-arrears' && !isHardship) {
    const detail = 'Instalments are overdue; ask for relief in hardship instead.'
    throw new Problem('FACILITY_IN_ARREARS', { detail, resourceId: facilityId })
  }
  const lines = currentVersion(facility)!.schedule.instalments
  const affected = affectedBy(lines, asked, facility.billedInstalments)
  const first = affected[0]!
  const holiday: Holiday = {
    fromInstalment: first.number,
    instalments: affected.length,
    type: asked.type ?? 'full',
    interest: asked.interestTreatment ?? policy.holidayInterestTreatment,
    term: asked.termTreatment ?? 'extend',
  }
  requireNoOverlap(holiday, earlier)
  return {
    startDate: asked.startDate,
    endDate: asked.endDate ?? affected.at(-1)!.dueDate,
    holiday,
    affected,
    change: amendFacility(facility, { kind: 'payment-holiday', holiday }),
  }
}

function affectedBy(
  lines: readonly Instalment[],
  { startDate, endDate, instalments }: HolidayAsked,
  billed: number,
): AffectedInstalment[] {
  if (endDate && endDate < startDate) {
    throw refuse('INVALID_DATE_RANGE', '/endDate', `Not before ${startDate}.`)
  }
  if ((instalments ?? 1) < 1) {
    throw invalid(fault('/instalments', 'OUT_OF_RANGE', 'At least 1.'))
  }
  const from = lines.filter(({ dueDate }) => dueDate >= startDate)
  const within = endDate
    ? from.filter(({ dueDate }) => dueDate <= endDate)
    : from.slice(0, instalments ?? 1)
  const last = lines.at(-1)!
  if (within.length === 0) {
    const detail = `No instalment is due then; the last one is due on ${last.dueDate}.`
    throw refuse('NO_INSTALMENT_IN_PERIOD', '/startDate', detail)
  }
  if (within[0]!.number <= billed) {
    const detail = `Instalment ${within[0]!.number} became due on ${within[0]!.dueDate}.`
    throw refuse('INSTALMENT_ALREADY_PAID', '/startDate', detail)
  }
  return within.map(({ number, dueDate }) => ({ number, dueDate }))
}

/** Holidays that are given, or asked for; not one that ended before any instalment came. */
const counts = ({ state, affected }: Pick<PaymentHoliday, 'state' | 'affected'>) =>
  state !== 'declined' && state !== 'cancelled' && affected.length > 0

function requireNoOverlap({ fromInstalment, instalments }: Holiday, earlier: readonly Earlier[]) {
  const other = earlier.find(
    ({ holiday, ...each }) =>
      counts(each) &&
      holiday.fromInstalment < fromInstalment + instalments &&
      fromInstalment < holiday.fromInstalment + holiday.instalments,
  )
  if (!other) return
  const detail = `There is a holiday from ${other.startDate} to ${other.endDate}.`
  throw new Problem('OVERLAPPING_HOLIDAY', { detail })
}

/**
 * Promises that a product allows the holiday: so many and so long within twelve months, so far from others, and not before so many instalments.
 * Refuses with HOLIDAY_ALLOWANCE_EXCEEDED, SEASONING_NOT_MET.
 */
export function requireAllowed(
  { billedInstalments }: Facility,
  { holiday, affected }: Pick<HolidayPlan, 'holiday' | 'affected'>,
  policy: ReliefPolicy,
  earlier: readonly Earlier[],
): void {
  const { holidaySeasoningInstalments: seasoning, holidayGapInstalments: gap } = policy
  if (billedInstalments < seasoning) {
    const detail = `After ${seasoning} instalments; ${billedInstalments} became due.`
    throw new Problem('SEASONING_NOT_MET', { detail })
  }
  // By the days of the instalments: the days that are asked for may be far before and after them.
  const [first, last] = daysOf(affected)
  const [yearBefore, yearAfter] = [addMonths(last, -12), addMonths(first, 12)].map(toDate)
  const counted = earlier.filter((each) => {
    if (!counts(each)) return false
    const [begins, ends] = daysOf(each.affected)
    return ends > yearBefore! && begins < yearAfter!
  })
  const instalments = counted.reduce((sum, each) => sum + each.holiday.instalments, 0)
  const isTooMany = counted.length >= policy.holidaysPerYear
  const isTooLong = instalments + holiday.instalments > policy.holidayInstalmentsPerYear
  const isTooNear = earlier.some((each) => counts(each) && distance(each.holiday, holiday) < gap)
  if (!isTooMany && !isTooLong && !isTooNear) return
  const most = `${policy.holidaysPerYear} holidays of ${policy.holidayInstalmentsPerYear} instalments`
  const detail = `At most ${most} together in twelve months, ${gap} instalments apart.`
  throw new Problem('HOLIDAY_ALLOWANCE_EXCEEDED', { detail })
}

/** The due dates of its first and its last instalment. */
function daysOf(affected: readonly AffectedInstalment[]): [LocalDate, LocalDate] {
  return [affected[0]!.dueDate, affected.at(-1)!.dueDate]
}

/** Instalments between two holidays. */
function distance(one: Holiday, other: Holiday): number {
  const [first, second] = one.fromInstalment < other.fromInstalment ? [one, other] : [other, one]
  return second.fromInstalment - first.fromInstalment - first.instalments
}

/** A holiday that was approved, with the schedule it made; it runs when its first day has come. */
export function approved(
  holiday: PaymentHoliday,
  { version, effect }: ScheduleChange,
  now: Date,
): PaymentHoliday {
  const given = {
    ...moveHoliday(holiday, 'approved'),
    effect,
    scheduleVersion: version.version,
  }
  return given.startDate <= dateOf(now) ? moveHoliday(given, 'active') : given
}

/** The schedule as if the holiday had not been. Refuses as `amendFacility`. */
export function takeBackHoliday(facility: Facility, { holiday }: PaymentHoliday): ScheduleChange {
  const of = { kind: 'payment-holiday' as const, holiday }
  return amendFacility(facility, { kind: 'reversal', of })
}

/**
 * Ends a holiday with the instalments that became due in it; the next one is paid again.
 * Refuses with INVALID_STATE_TRANSITION, and as `amendFacility`.
 */
export function endHolidayEarly(
  facility: Facility,
  before: PaymentHoliday,
  today: LocalDate,
): { holiday: PaymentHoliday; change: ScheduleChange | null } {
  const { holiday: of } = before
  const ended = { ...moveHoliday(before, 'ended-early'), endDate: today }
  const gone = facility.billedInstalments - of.fromInstalment + 1
  if (gone >= of.instalments) return { holiday: ended, change: null }
  if (gone <= 0) {
    return { holiday: { ...ended, affected: [] }, change: takeBackHoliday(facility, before) }
  }
  const to = { ...of, instalments: gone }
  const affected = before.affected.slice(0, gone)
  const change = amendFacility(facility, { kind: 'holiday-shortened', of, to })
  return { holiday: { ...ended, holiday: to, affected }, change }
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
