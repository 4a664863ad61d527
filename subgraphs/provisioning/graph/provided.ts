import { accountOf } from '../domain/overdraft-id.ts'
import type { AccountArrangementStub, FacilityStub } from '../model/references.ts'

/** Returns the facility that is provided for; null for an overdraft and for a management overlay. */
export const facilityOut = (facilityId: string | null): FacilityStub | null =>
  facilityId === null || accountOf(facilityId) !== null ? null : { facilityId }

/** Returns the account whose overdraft is provided for; null for anything else. */
export function arrangementOut(facilityId: string | null): AccountArrangementStub | null {
  const arrangementId = accountOf(facilityId)
  return arrangementId === null ? null : { arrangementId }
}
