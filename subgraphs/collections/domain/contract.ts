import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { CollectionsSegment } from '../model/enumerations.ts'

/** What holds the steps of an episode, as far as it applies. Dates are last days. */
export interface Holds {
  isDeceased: boolean
  isRestricted: boolean
  hasHardshipRequest: boolean
  /** The last day of the relief in force; null if there is none. */
  reliefUntil: LocalDate | null
  isDisputed: boolean
  /** The last day of the open promise to pay; null if there is none. */
  promiseUntil: LocalDate | null
}

/** A facility or an account that is past due, as the nightly run reads it. */
export interface LateContract {
  /** Such as `facility/fac_1` or `arrangement/arr_1`. */
  contract: string
  partyId: string
  currency: string
  segment: CollectionsSegment
  productId: string | null
  daysPastDue: number
  arrearsMinor: bigint
  pastDueSince: LocalDate
  holds: Holds
}

const facilityPrefix = 'facility/'
const accountPrefix = 'arrangement/'

export const contractOfFacility = (facilityId: string): string => `${facilityPrefix}${facilityId}`
export const contractOfAccount = (arrangementId: string): string =>
  `${accountPrefix}${arrangementId}`

/** Returns the ID of the facility in arrears; null for an overdraft. */
export const facilityOf = (contract: string): string | null =>
  contract.startsWith(facilityPrefix) ? contract.slice(facilityPrefix.length) : null

/** Returns the ID of the account in arrears; null for a facility. */
export const accountOf = (contract: string): string | null =>
  contract.startsWith(accountPrefix) ? contract.slice(accountPrefix.length) : null
