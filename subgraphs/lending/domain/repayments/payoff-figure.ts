import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { chargesAsOf, lateChargesDue } from '../late-charges/late-charges.ts'
import { effectiveDate } from './repayment.ts'
import { advanceTo, standingOf, type ServicedFacility } from '../servicing/servicing.ts'

/** The payoff amount on a day, assuming that nothing is paid before that day. */
export interface PayoffFigure {
  on: LocalDate
  principalMinor: bigint
  interestMinor: bigint
  /** The unpaid late fees and default interest. */
  lateChargesMinor: bigint
  /** The part that is due on that day, with the late charges. */
  dueMinor: bigint
  totalMinor: bigint
}

/**
 * Computes the payoff amount of a facility on a day. For a past day, it is computed as if the
 * payment had arrived on that day.
 */
export function payoffFigure(serviced: ServicedFacility, on: LocalDate): PayoffFigure {
  const { facility, dues } = advanceTo(serviced, on)
  const { interestDueMinor, principalDueMinor } = facility
  const standing = standingOf(facility, effectiveDate(facility, on))
  const principalMinor = principalDueMinor + standing.principalMinor
  const interestMinor = interestDueMinor + standing.openInterestMinor
  const { feesMinor, penaltiesMinor } = lateChargesDue(chargesAsOf(dues, facility, on))
  const lateChargesMinor = feesMinor + penaltiesMinor
  return {
    on,
    principalMinor,
    interestMinor,
    lateChargesMinor,
    dueMinor: principalDueMinor + interestDueMinor + lateChargesMinor,
    totalMinor: principalMinor + interestMinor + lateChargesMinor,
  }
}
