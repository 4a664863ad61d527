/** One fault in a request: where it is (exactly one of pointer, parameter, header) and what is wrong with it. */
export interface Fault {
  pointer?: string
  parameter?: string
  header?: string
  code: string
  detail: string
  allowed?: readonly string[]
}

/** Members that a problem carries beside its code, where they apply. */
export interface ProblemMembers {
  detail?: string
  errors?: Fault[]
  resourceId?: string
  currentState?: string
  allowedStates?: readonly string[]
  /** Names the scope that was missing (INSUFFICIENT_SCOPE). */
  scope?: string
  retryAfterSeconds?: number
  /** 422 where a code of 404 is about a record that the body names, not the one that is asked for. */
  status?: 422
  /** Anything else that the operation documents for this code, such as `violations`. */
  [member: string]: unknown
}
