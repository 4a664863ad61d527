import type { RiskFacility } from '../domain/provision.ts'

/** A page of facilities with an exposure, and the cursor of the next page; null at the end. */
export interface FacilityPage {
  facilities: RiskFacility[]
  next: string | null
}
