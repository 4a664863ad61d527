import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { effectiveDate } from './repayment.ts'
import { advanceTo, standingOf, type ServicedFacility } from '../servicing/servicing.ts'

/** The payoff amount on a day, assuming that nothing is paid before that day. */
export interface PayoffFigure {
  on: LocalDate
  principalMinor: bigint
  interestMinor: bigint
  /** The part of principal and interest that is already due. */
  dueMinor: bigint
  totalMinor: bigint
}

/**
 * Computes the payoff amount of a facility on a day. For a past day, it is the amount as if the
 * payment had arrived then.
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
