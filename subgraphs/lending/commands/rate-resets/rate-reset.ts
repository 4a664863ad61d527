import { Decimal } from 'decimal.js'
import { addDays, dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { readReferenceRates } from '../../../../kernel/writing/reference-rates.ts'
import { isServiced, stateProblem, type Facility } from '../../domain/facilities/facility.ts'
import type { LendingProductVersion } from '../../domain/facilities/product-bounds.ts'
import { Problem } from '../../domain/problems.ts'
import {
  applyResets,
  nextResetOn,
  planReset,
  type AppliedResets,
} from '../../domain/rate-resets/rate-reset.ts'
import { floatingRateOf, type FloatingRate } from '../../domain/rate-resets/terms.ts'
import { validationError, validationFailed } from '../../domain/schedules/refusals.ts'
import { requireFacility } from '../facilities/require-facility.ts'

/**
 * Returns how the rate of a new facility follows the reference rate of its product version; null if
 * it does not. Throws REFERENCE_RATE_NOT_FIXED.
 */
export async function agreeFloatingRate(
  context: Context,
  { interest }: LendingProductVersion,
  facility: Facility,
): Promise<FloatingRate | null> {
  const { referenceRate = null, reset } = interest ?? {}
  if (!reset || referenceRate === null) return null
  const rates = await readReferenceRates(context, [referenceRate])
  return floatingRateOf(reset, referenceRate, facility, rates.get(referenceRate)!)
}

/**
 * Applies the rate resets of facilities through the end of a business date. Returns the facilities
 * whose rate was reset.
 */
export async function resetRates(
  context: Context,
  facilities: readonly Facility[],
  through: LocalDate,
): Promise<ReadonlyMap<string, AppliedResets>> {
  const morning = addDays(through, 1)
  const pending = facilities.filter((facility) => {
    const resetOn = isServiced(facility) ? nextResetOn(facility) : null
    return resetOn !== null && resetOn <= morning
  })
  const rateIdOf = ({ floatingRate }: Facility) => floatingRate!.referenceRateId
  const rates = await readReferenceRates(context, pending.map(rateIdOf))
  const applied = pending.map((facility): [string, AppliedResets] => [
    facility.facilityId,
    applyResets(facility, rates.get(rateIdOf(facility))!, through),
  ])
  return new Map(applied.filter(([, { resets }]) => resets.length > 0))
}

/**
 * Returns what the next reset of a facility would change if its fixing had a rate. Throws
 * FACILITY_NOT_FOUND, FACILITY_NOT_ACTIVE, NO_RATE_RESET, and VALIDATION_FAILED for a rate that is
 * out of range.
 */
export async function previewReset(context: Context, facilityId: string, fixingPct: string) {
  if (new Decimal(fixingPct).abs().gt(100)) {
    const detail = 'The rate must be from -100 to 100.'
    throw validationFailed(validationError('/fixingPct', 'OUT_OF_RANGE', detail))
  }
  const facility = await requireFacility(context, facilityId)
  if (!isServiced(facility)) throw stateProblem(facility, 'FACILITY_NOT_ACTIVE', isServiced)
  const resetOn = nextResetOn(facility)
  if (resetOn === null) throw new Problem('NO_RATE_RESET', { resourceId: facilityId })
  const fixing = { fixedOn: dateOf(context.now()), ratePct: fixingPct }
  const { reset, effect } = planReset(facility, resetOn, fixing)
  return { reset, effect, currency: facility.currency }
}
