import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { effectiveDate } from './repayment.ts'
import { advanceTo, standingOf, type ServicedFacility } from '../servicing/servicing.ts'

/** The payoff amount on a day, assuming that nothing is paid before that day. */
export interface PayoffFigure {
  on: LocalDate
  principalMinor: bigint
  interestMinor: bigint
  /** The part of principal and interest that is due on that day. */
  dueMinor: bigint
  totalMinor: bigint
}

/**
 * Computes the payoff amount of a facility on a day. For a past day, it is computed as if the
 * payment had arrived on that day.
 */
export function payoffFigure(serviced: ServicedFacility, on: LocalDate): PayoffFigure {
  const { facility } = advanceTo(serviced, on)
  const { interestDueMinor, principalDueMinor } = facility
  const standing = standingOf(facility, effectiveDate(facility, on))
  const principalMinor = principalDueMinor + standing.principalMinor
  const interestMinor = interestDueMinor + standing.openInterestMinor
  return {
    on,
    principalMinor,
    interestMinor,
    dueMinor: principalDueMinor + interestDueMinor,
    totalMinor: principalMinor + interestMinor,
  }
}
