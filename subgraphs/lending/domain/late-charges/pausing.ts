import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { addMonths, toDate } from '../../../../kernel/domain/day-count.ts'
import type { Facility } from '../facilities/facility.ts'
import type { ProductPolicy } from '../facilities/product-policy.ts'
import { Problem } from '../problems.ts'
import { inputProblem } from '../schedules/refusals.ts'
import { resumption, type LateChargePause } from './pause.ts'

export type PauseTerms = Pick<LateChargePause, 'until' | 'reason' | 'pausedBy'> & {
  from: LocalDate | null
}

/** Returns the pause that a day is in, or the next one after it; null if there is none. */
export function openPause(
  { lateChargePauses }: Pick<Facility, 'lateChargePauses'>,
  today: LocalDate,
): LateChargePause | null {
  return lateChargePauses.find((pause) => today < resumption(pause) && !isVoid(pause)) ?? null
}

/** Whether a pause was ended before it began. */
const isVoid = (pause: LateChargePause): boolean => resumption(pause) <= pause.from

/**
 * Pauses the late charges of a facility that was brought to today, from today or later. Throws
 * STATE_CONFLICT if the facility has no late charges or they are already
 * paused, START_DATE_IN_PAST, INVALID_DATE_RANGE, and PERIOD_TOO_LONG above the product's limit for
 * hardship relief.
 */
export function pauseLateCharges(
  facility: Facility,
  { from, until, ...terms }: PauseTerms,
  { hardshipReliefMonths: months }: ProductPolicy,
  today: LocalDate,
): Facility {
  const { facilityId: resourceId } = facility
  const start = from ?? today
  if (!facility.lateCharges) {
    const detail = `${resourceId} has no late charges.`
    throw new Problem('STATE_CONFLICT', { detail, resourceId })
  }
  const open = openPause(facility, today)
  if (open) {
    const detail = `The late charges are paused from ${open.from} until ${open.until}. End this pause first.`
    throw new Problem('STATE_CONFLICT', { detail, resourceId })
  }
  if (start < today) {
    const detail = `The first day is ${start}; it must not be before today, ${today}.`
    throw inputProblem('START_DATE_IN_PAST', '/from', detail)
  }
  if (until < start) {
    const detail = `The last day is ${until}; it must not be before ${start}.`
    throw inputProblem('INVALID_DATE_RANGE', '/until', detail)
  }
  if (until > toDate(addMonths(start, months))) {
    const detail = `Late charges can be paused for at most ${months} months.`
    throw inputProblem('PERIOD_TOO_LONG', '/until', detail)
  }
  const pause = { ...terms, from: start, until, endedOn: null, endedBy: null }
  return { ...facility, lateChargePauses: [...facility.lateChargePauses, pause] }
}

/**
 * Ends the pause of late charges of a facility that was brought to today: from today on, they apply
 * again. Throws STATE_CONFLICT if they are not paused and will not be.
 */
export function endLateChargePause(
  facility: Facility,
  endedBy: string,
  today: LocalDate,
): { facility: Facility; ended: LateChargePause } {
  const open = openPause(facility, today)
  if (!open) {
    const detail = `The late charges of ${facility.facilityId} are not paused.`
    throw new Problem('STATE_CONFLICT', { detail, resourceId: facility.facilityId })
  }
  const ended = { ...open, endedOn: today, endedBy }
  const lateChargePauses = facility.lateChargePauses.map((pause) =>
    pause === open ? ended : pause,
  )
  return { facility: { ...facility, lateChargePauses }, ended }
}
