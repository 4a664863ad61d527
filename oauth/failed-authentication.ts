/** Credentials that were wrong. */
export interface FailedAuthentication {
  kind: 'client' | 'person'
  /** The client or the person; null when there is none of that name, which may be anything typed. */
  name: string | null
  partyId: string | null
  /** Whether it came too early after others, so that the credentials were not even looked at. */
  isThrottled: boolean
  /** How many failed for this name until now. */
  count: number
}
