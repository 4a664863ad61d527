import { Decimal } from 'decimal.js'
import { addDays, type LocalDate } from '../../../../kernel/domain/dates.ts'
import type { RateResetTerms } from '../../../../kernel/domain/rate-reset.ts'
import { fixingOn, type ReferenceRateFact } from '../../../../kernel/domain/reference-rate.ts'
import { inputProblem } from '../schedules/refusals.ts'

/** The published interest of a product version. */
export interface ProductInterest {
  referenceRate: string | null
  reset?: RateResetTerms | null
}

/** How the rate of a facility follows a reference rate, as agreed at opening. */
export interface FloatingRate extends RateResetTerms {
  referenceRateId: string
  /** The percentage points above the fixing; negative if the agreed rate was below it. */
  marginPct: string
  /** The reset date of the last reset; null before the first one. */
  lastResetOn: LocalDate | null
}

/**
 * Returns how the rate of a new facility follows the reference rate of its product. The margin is the
 * agreed rate less the fixing that applies at the opening. Throws REFERENCE_RATE_NOT_FIXED.
 */
export function floatingRateOf(
  terms: RateResetTerms,
  referenceRateId: string,
  { openedOn, ratePct }: { openedOn: LocalDate; ratePct: string },
  rate: ReferenceRateFact | null,
): FloatingRate {
  const day = addDays(openedOn, -terms.lookbackDays)
  const fixing = fixingOn(rate, day)
  if (!fixing) {
    const detail = `${referenceRateId} has no fixing that applies on ${day}. Record it first.`
    throw inputProblem('REFERENCE_RATE_NOT_FIXED', '/productId', detail)
  }
  const marginPct = new Decimal(ratePct).minus(fixing.ratePct).toFixed()
  return { ...terms, referenceRateId, marginPct, lastResetOn: null }
}
