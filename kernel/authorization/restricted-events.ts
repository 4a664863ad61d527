import { requireScope } from './auth.ts'
import type { Caller } from './caller.ts'
import { identityRecordEvent } from '../domain/event-filter.ts'

/**
 * Whether the caller may receive events of a type. The events of the audit of identity need the
 * scope `audit:read`.
 */
export const mayReceiveType = ({ scopes }: Caller, type: string): boolean =>
  type !== identityRecordEvent || scopes.has('audit:read')

/**
 * Checks that the caller may receive the requested types of events. Patterns such as `operations.*`
 * are allowed without the scope, and then do not match the events of the audit of identity. Throws
 * INSUFFICIENT_SCOPE.
 */
export function requireReceivableTypes(
  caller: Caller,
  types: readonly string[] | null | undefined,
): void {
  if (types?.includes(identityRecordEvent)) requireScope(caller, 'audit:read')
}
