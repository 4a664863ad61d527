import type { Context } from '../../../../kernel/environment/context.ts'
import { addDays, dateOf } from '../../../../kernel/domain/dates.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { Problem } from '../../domain/problems.ts'
import { inputProblem } from '../../domain/schedules/refusals.ts'
import {
  certificateOf,
  periodOfYear,
  type Certificate,
} from '../../domain/statements/certificate.ts'
import {
  statementOf,
  type Statement,
  type StatementPeriod,
} from '../../domain/statements/statement.ts'
import { loadDues } from '../../store/repayments/due-installment.ts'
import { readScheduleOn } from '../../store/schedules/schedule-version.ts'
import { readDebtBefore, readMovements } from '../../store/statements/movement.ts'

const maxPostings = 5000
/** The maximum number of days between the first and the last day of a statement. */
const maxDays = 366

/**
 * Reads the statement of a facility for a period, by value date. Throws INVALID_DATE_RANGE for a period
 * that ends before it begins or is too long, and LIMIT_EXCEEDED if it has more than 5,000 postings.
 */
export function readStatement(
  context: Context,
  facility: Facility,
  period: StatementPeriod,
): Promise<Statement> {
  const { from, to } = period
  if (to < from || addDays(from, maxDays) < to) {
    const detail = `The period is from ${from} to ${to}. Its last day must not be before its first day, and at most ${maxDays} days after it.`
    throw inputProblem('INVALID_DATE_RANGE', '/to', detail)
  }
  return readPeriod(context, facility, period)
}

/**
 * Reads the certificate of a facility for a calendar year. Throws INVALID_DATE_RANGE for a year in which
 * the facility was not open or that is in the future, and LIMIT_EXCEEDED if the year has more than 5,000
 * postings.
 */
export async function readCertificate(
  context: Context,
  facility: Facility,
  year: number,
): Promise<Certificate> {
  const today = dateOf(context.now())
  const [first, last] = [facility.openedOn, today].map((day) => Number(day.slice(0, 4)))
  if (year < first! || year > last!) {
    const detail = `The year is ${year}; it must be from ${first} to ${last}.`
    throw inputProblem('INVALID_DATE_RANGE', '/year', detail)
  }
  const statement = await readPeriod(context, facility, periodOfYear(year))
  return certificateOf(year, statement, today)
}

async function readPeriod(
  context: Context,
  facility: Facility,
  period: StatementPeriod,
): Promise<Statement> {
  const [opening, booked, dues, schedule] = await Promise.all([
    readDebtBefore(context, facility, period.from),
    readMovements(context, facility, period, maxPostings),
    loadDues(context, facility.facilityId),
    readScheduleOn(context, facility.facilityId, period.to),
  ])
  if (!booked) {
    const detail = `The period has more than ${maxPostings} postings. Request a shorter period.`
    throw new Problem('LIMIT_EXCEEDED', { detail })
  }
  return statementOf(facility, period, { opening, booked, dues: dues!, schedule })
}
