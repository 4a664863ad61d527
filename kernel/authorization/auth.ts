import { Authorized, Directive, type AuthChecker } from 'type-graphql'
import { bankSubject, type Caller } from './caller.ts'
import type { Context } from '../environment/context.ts'
import { Problem, type ProblemCode } from '../domain/problem.ts'
import { everyScope, type Scope } from '../domain/scopes.ts'

/**
 * The bank itself: the caller of background work, and of the queries that areas send to each other
 * through the graph.
 */
export const bankCaller: Caller = {
  clientId: bankSubject,
  subject: bankSubject,
  scopes: new Set(everyScope),
  partyId: null,
  grantId: null,
  sessionId: null,
  acr: null,
  authenticatedAt: null,
  keyThumbprint: null,
  certificateThumbprint: null,
  tokenId: '',
  issuedAt: 0,
  expiresAt: Number.MAX_SAFE_INTEGER,
}

/**
 * Declares the scope that an operation or a field requires. The resolver enforces it. The REST
 * facade and the OpenAPI document read it from the supergraph (`@scope`).
 */
export function Requires(scope: Scope): MethodDecorator & PropertyDecorator {
  const authorized = Authorized<Scope>(scope)
  const scopeDirective = Directive(`@scope(requires: "${scope}")`)
  return (target: object, key: string | symbol) => {
    authorized(target, key as string)
    scopeDirective(target, key as string)
  }
}

/**
 * Declares in the supergraph (`@person`) that an operation needs a person. The operation enforces it.
 */
export const RequiresPerson = (): MethodDecorator & PropertyDecorator => Directive('@person')

/** Checks that the caller has the scopes that a resolver declares. Throws INSUFFICIENT_SCOPE. */
export const checkScope: AuthChecker<Context, Scope> = ({ context }, declaredScopes) => {
  for (const scope of declaredScopes) requireScope(context.caller, scope)
  return true
}

/** Throws INSUFFICIENT_SCOPE, with the name of the scope, unless the caller has the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) return
  throw new Problem('INSUFFICIENT_SCOPE', { detail: `The token lacks the scope ${scope}.`, scope })
}

/** Throws NOT_FOR_DELEGATED_USERS if the caller acts for a party. */
export function requireBank({ caller }: Context): void {
  if (caller.partyId !== null) throw new Problem('NOT_FOR_DELEGATED_USERS')
}

/**
 * Whether the caller may see a record that belongs to `owners`. A delegated user sees only records
 * of their own party; any other caller sees all records.
 */
export function maySee(caller: Caller, owners: readonly (string | null)[]): boolean {
  return caller.partyId === null || owners.includes(caller.partyId)
}

/**
 * Returns who acted, by subject or party; null for a delegated user, unless it was the user or the
 * user's party. Customers do not learn which employee acted.
 */
export function visibleActor({ partyId, subject }: Caller, actor: string | null): string | null {
  return partyId === null || actor === subject || actor === partyId ? actor : null
}

/**
 * Returns the record if it exists and the caller may see it. Otherwise throws `code`, so that a
 * caller cannot distinguish a record of another party from a record that does not exist.
 */
export function requireVisible<Entity>(
  context: Context,
  record: Entity | null,
  ownersOf: (record: Entity) => readonly (string | null)[],
  code: ProblemCode,
  resourceId: string,
): Entity {
  if (record && maySee(context.caller, ownersOf(record))) return record
  throw new Problem(code, { resourceId })
}

/** Returns the record if there is one. Otherwise throws `code`. */
export function requireFound<Entity>(
  found: Entity | null | undefined,
  code: ProblemCode,
  resourceId: string,
): Entity {
  if (found) return found
  throw new Problem(code, { resourceId })
}
