import { Authorized, Directive, type AuthChecker } from 'type-graphql'
import type { Caller } from './caller.ts'
import type { Context } from './context.ts'
import { Problem, type ProblemCode } from './domain/problem.ts'
import { everyScope, type Scope } from './scopes.ts'

/** The bank itself: workers, and the questions areas ask each other through the graph. */
export const bankCaller: Caller = {
  clientId: 'bankgraph',
  subject: 'bankgraph',
  scopes: new Set(everyScope),
  partyId: null,
  grantId: null,
  tokenId: '',
  issuedAt: 0,
  expiresAt: Number.MAX_SAFE_INTEGER,
}

/**
 * Declares the scope an operation or a field needs. It is enforced by the resolver, and printed
 * into the supergraph (`@scope`), where the facade and the served contract read it.
 */
export function Requires(scope: Scope): MethodDecorator & PropertyDecorator {
  const authorized = Authorized<Scope>(scope)
  const printed = Directive(`@scope(requires: "${scope}")`)
  return (target: object, key: string | symbol) => {
    authorized(target, key as string)
    printed(target, key as string)
  }
}

/** Refuses with INSUFFICIENT_SCOPE when the caller lacks the scope a resolver declares. */
export const checkScope: AuthChecker<Context, Scope> = ({ context }, declared) => {
  for (const scope of declared) requireScope(context.caller, scope)
  return true
}

/** Promises that the caller has the scope. Refuses with INSUFFICIENT_SCOPE, naming it. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) return
  throw new Problem('INSUFFICIENT_SCOPE', { detail: `The token lacks the scope ${scope}.`, scope })
}

/** Promises that the bank itself acts, not a delegated user. Refuses with NOT_FOR_DELEGATED_USERS. */
export function requireBank({ caller }: Context): void {
  if (caller.partyId !== null) throw new Problem('NOT_FOR_DELEGATED_USERS')
}

/** Whether the caller may see what belongs to these parties: machines all of it, a delegated user their own. */
export function maySee(caller: Caller, owners: readonly (string | null)[]): boolean {
  return caller.partyId === null || owners.includes(caller.partyId)
}

/**
 * The record, when there is one and it is the caller's to see.
 * Refuses with the resource's NOT_FOUND, the same for an absent record and another party's.
 */
export function requireVisible<Record>(
  context: Context,
  record: Record | null,
  ownersOf: (record: Record) => readonly (string | null)[],
  code: ProblemCode,
  resourceId: string,
): Record {
  if (record && maySee(context.caller, ownersOf(record))) return record
  throw new Problem(code, { resourceId })
}

/** Returns the record if there is one. Throws the NOT_FOUND code of its type otherwise. */
export function requireFound<Record>(
  found: Record | null | undefined,
  code: ProblemCode,
  resourceId: string,
): Record {
  if (found) return found
  throw new Problem(code, { resourceId })
}
