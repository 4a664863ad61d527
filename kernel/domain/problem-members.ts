/**
 * One validation error in a request. Its location is exactly one of `pointer`, `parameter` and
 * `header`. A subgraph returns a JSON pointer relative to the arguments of its field, or to the
 * argument `input`. The gateway translates the pointer to the client's variables.
 */
export interface ValidationError {
  pointer?: string
  parameter?: string
  header?: string
  code: string
  detail: string
  /** The record that causes the error, if it is not the requested record. */
  resourceId?: string
  allowed?: readonly string[]
}

/** The members of a problem besides its code, all optional. */
export interface ProblemMembers {
  detail?: string
  errors?: ValidationError[]
  resourceId?: string
  currentState?: string
  allowedStates?: readonly string[]
  /** The missing scope, for INSUFFICIENT_SCOPE. */
  scope?: string
  /** The accepted classes of the log-in, for INSUFFICIENT_USER_AUTHENTICATION (RFC 9470). */
  acrValues?: readonly string[]
  /** The maximum age of the log-in, for INSUFFICIENT_USER_AUTHENTICATION (RFC 9470). */
  maxAgeSeconds?: number
  /** The approval that the customer must give, and its page, for APPROVAL_REQUIRED. */
  approvalId?: string
  approvalUrl?: string
  retryAfterSeconds?: number
  /**
   * Set for a NOT_FOUND code if the missing record is referenced by the input. For the requested
   * record itself the status is 404.
   */
  status?: 422
  /** Other members, which the operation documents for this code, such as `violations`. */
  [member: string]: unknown
}

/** Returns the JSON pointer (RFC 6901) to a member of the value at `pointer`. */
export function childPointer(pointer: string, member: string | number): string {
  return `${pointer}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Returns the unescaped member names in a JSON pointer, outermost first. */
export function pointerMembers(pointer: string): string[] {
  const members = pointer.split('/').slice(1)
  return members.map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'))
}
