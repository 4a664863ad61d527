import type { LocalDate } from '../../../kernel/domain/dates.ts'

/** A payment holiday, as lending returns it. */
export interface Holiday {
  status: string
  startDate: LocalDate
  endDate: LocalDate
}

/** A hardship request, as lending returns it. */
export interface ReliefRequest {
  status: string
  type: string
  requestedStartDate: LocalDate | null
  requestedEndDate: LocalDate | null
}

/** Whether a hardship request is not decided. */
export const isUndecided = ({ status }: Pick<ReliefRequest, 'status'>): boolean =>
  status === 'SUBMITTED' || status === 'UNDER_REVIEW'

/**
 * Returns the last day of the payment holiday or the temporary reduction that is in force on a day,
 * the latest one if there are several; null without one. A reduction without a start date begins when
 * it is approved.
 */
export function reliefUntil(
  holidays: readonly Holiday[],
  requests: readonly ReliefRequest[],
  day: LocalDate,
): LocalDate | null {
  const granted = holidays
    .filter(({ status }) => status === 'ACTIVE' || status === 'APPROVED')
    .map(({ startDate, endDate }) => ({ from: startDate, until: endDate }))
  const reductions = requests
    .filter(({ status, type }) => status === 'APPROVED' && type === 'TEMPORARY_REDUCTION')
    .flatMap(({ requestedStartDate, requestedEndDate }) =>
      requestedEndDate === null ? [] : [{ from: requestedStartDate, until: requestedEndDate }],
    )
  const inForce = [...granted, ...reductions].filter(
    ({ from, until }) => (from === null || from <= day) && until >= day,
  )
  const ends = inForce.map(({ until }) => until).toSorted()
  return ends.at(-1) ?? null
}
