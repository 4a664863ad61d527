import type { Context } from '../../../../kernel/environment/context.ts'
import { addDays, dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { isServiced, type Facility } from '../../domain/facilities/facility.ts'
import { validationError, validationFailed } from '../../domain/schedules/refusals.ts'
import { payoffFigure, type PayoffFigure } from '../../domain/repayments/payoff-figure.ts'
import { servicedToday } from '../servicing/service-facility.ts'
import { loadFacilityWithDues } from '../../store/repayments/facility-with-dues.ts'

const maxDaysAhead = 366

/**
 * Returns the payoff amount on the requested day, or on the current day if none is requested.
 * Returns null if nothing is owed or the facility is not being repaid. Throws VALIDATION_FAILED for
 * a day in the past or more than 366 days ahead.
 */
export async function quotePayoff(
  context: Context,
  facility: Facility,
  requestedDay: LocalDate | null,
): Promise<PayoffFigure | null> {
  if (!isServiced(facility)) return null
  const today = dateOf(context.now())
  const last = addDays(today, maxDaysAhead)
  const on = requestedDay ?? today
  if (on < today || on > last) {
    throw validationFailed(
      validationError(
        '/on',
        'OUT_OF_RANGE',
        `The day is ${on}; it must be from ${today} to ${last}.`,
      ),
    )
  }
  // The facility was read earlier in the query, and its installments can have changed since then.
  const found = await loadFacilityWithDues(context, facility.facilityId)
  if (!found || !isServiced(found.facility)) return null
  const figure = payoffFigure(servicedToday(context, found), on)
  return figure.totalMinor > 0n ? figure : null
}
