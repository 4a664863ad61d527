/** What travels with a request from the gateway to a subgraph, in both run modes, and nothing else. */
export interface Envelope {
  /** The caller's `Authorization` header, verified again by whoever receives it. */
  authorization: string | undefined
  requestId: string
  traceparent: string | undefined
  idempotencyKey: string | undefined
  /** When the caller has stopped waiting, in milliseconds since 1970, real time. */
  deadlineMs: number
}
