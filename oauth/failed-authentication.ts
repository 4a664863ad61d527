/** A failed authentication of a client or a user. */
export interface FailedAuthentication {
  kind: 'client' | 'person'
  /**
   * The client ID or the user name. Null if unknown, because the input could be anything, such as a
   * password.
   */
  name: string | null
  partyId: string | null
  /** Whether a delay was pending. The password of a throttled login is not checked. */
  isThrottled: boolean
  /**
   * The number of failures so far, including this one: of the user name, or of the client from this
   * address. 0 for a throttled login.
   */
  count: number
}
