import { requireVisible } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { ownersOf, type Facility } from '../../domain/facilities/facility.ts'
import { facilityKind } from '../../store/facilities/facility.ts'
import {
  findFacilityWithDues,
  type FacilityWithDues,
} from '../../store/repayments/facility-with-dues.ts'

/** Reads a facility that the caller may see. Throws FACILITY_NOT_FOUND. */
export async function requireFacility(context: Context, facilityId: string): Promise<Facility> {
  const found = await facilityKind.find(context, facilityId)
  return requireVisible(context, found, ownersOf, 'FACILITY_NOT_FOUND', facilityId)
}

/**
 * Reads a facility together with its due installments, for a decision on both. By default, the
 * borrower and the bank may decide; `mayDecide` returns the parties that may. Throws
 * FACILITY_NOT_FOUND.
 */
export async function requireFacilityWithDues(
  context: Context,
  facilityId: string,
  mayDecide: (facility: Facility) => string[] = ownersOf,
): Promise<FacilityWithDues> {
  const found = await findFacilityWithDues(context, facilityId)
  requireVisible(context, found && found.facility, mayDecide, 'FACILITY_NOT_FOUND', facilityId)
  return found!
}
