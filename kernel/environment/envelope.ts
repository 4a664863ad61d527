/**
 * The metadata of a request that the gateway passes to a subgraph, in the same process or over
 * HTTP.
 */
export interface Envelope {
  /** The caller's `Authorization` header. Each subgraph verifies it again. */
  authorization: string | undefined
  requestId: string
  traceparent: string | undefined
  idempotencyKey: string | undefined
  /**
   * When the caller stops waiting, in milliseconds since the epoch. It is real time, not the bank's
   * time.
   */
  deadlineMs: number
  /**
   * The time at which the command takes effect, if it is not the current time. Only sandbox
   * fixtures set it. Clients cannot: the gateway does not read it from requests, and subgraphs
   * accept only signed envelopes.
   */
  happenedAt?: Date
  /**
   * A position of the event log. A subgraph in another process may read from the replica if the
   * replica has reached it; undefined if it must read from the primary.
   */
  replicaPosition?: bigint
}
