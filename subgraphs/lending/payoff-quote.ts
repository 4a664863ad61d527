import type { Context } from '../_kernel/context.ts'
import { addDays, dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import type { Facility } from './domain/facility.ts'
import { fault, invalid } from './domain/refusals.ts'
import { payoffFigure, type PayoffFigure } from './domain/repayment.ts'
import { servicedToday } from './serve-facility.ts'
import { findFacilityWithDues } from './store/facility-with-dues.ts'

const mostDaysAhead = 366

/**
 * What pays everything on a day from today on; null when nothing is owed.
 * Refuses with VALIDATION_FAILED a day in the past or more than a year ahead.
 */
export async function quotePayoff(
  context: Context,
  facility: Facility,
  asked: LocalDate | null,
): Promise<PayoffFigure | null> {
  if (!isOpen(facility)) return null
  const today = dateOf(context.now())
  const last = addDays(today, mostDaysAhead)
  const on = asked ?? today
  if (on < today || on > last) {
    throw invalid(fault('/on', 'OUT_OF_RANGE', `From ${today} to ${last}.`))
  }
  // The facility was read for the query before; its installments may have changed since.
  const found = await findFacilityWithDues(context, facility.facilityId)
  if (!found || !isOpen(found.facility)) return null
  const figure = payoffFigure(servicedToday(context, found), on)
  return figure.totalMinor > 0n ? figure : null
}

function isOpen({ state }: Facility): boolean {
  return state === 'active' || state === 'in-arrears'
}
