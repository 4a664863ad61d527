import { addDays, isLocalDate, type LocalDate } from '../../../kernel/domain/dates.ts'
import { inputProblem } from './problems.ts'

/** Returns the last day of the last month that ended before a day. */
export const lastMonthEnd = (today: LocalDate): LocalDate => addDays(`${today.slice(0, 7)}-01`, -1)

/** Whether a day is the last day of its month. */
const isMonthEnd = (day: LocalDate): boolean => addDays(day, 1).endsWith('-01')

/**
 * Returns the month end for which a run is requested; the last one by default. Throws
 * MONTH_END_INVALID if the day is not the last one of a month, or is not over.
 */
export function requestedMonthEnd(requested: LocalDate | null, today: LocalDate): LocalDate {
  const last = lastMonthEnd(today)
  if (requested === null) return last
  if (isLocalDate(requested) && isMonthEnd(requested) && requested <= last) return requested
  const detail = `${requested} is not the last day of a month that has ended. The last one is ${last}.`
  throw inputProblem('MONTH_END_INVALID', '/monthEnd', detail)
}
