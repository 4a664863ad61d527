/**
 * One fault in a request: where it is (exactly one of pointer, parameter, header) and what is wrong with it.
 * A subgraph sends a JSON pointer into the arguments of its field, or into its `input`; the gateway
 * translates that into the client's variables.
 */
export interface Fault {
  pointer?: string
  parameter?: string
  header?: string
  code: string
  detail: string
  /** The record that is at fault, where it is another than the one the request is about. */
  resourceId?: string
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

/** The JSON pointer (RFC 6901) of a member of what another pointer names. */
export function childPointer(pointer: string, member: string | number): string {
  return `${pointer}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The members that a JSON pointer names, from the outermost to the innermost. */
export function pointerMembers(pointer: string): string[] {
  const members = pointer.split('/').slice(1)
  return members.map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'))
}
