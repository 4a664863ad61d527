import { bankCaller } from './auth.ts'
import { employeeSubject, principalOfClient } from './principals.ts'
import type { Context } from '../environment/context.ts'
import { readFacts } from '../writing/facts.ts'
import { Problem } from '../domain/problem.ts'
import type { Scope } from '../domain/scopes.ts'

/**
 * Returns the context in which a person calls an operation with this scope. For a person it is the
 * context itself. A client that acts for itself speaks for its owner if it is registered to act for
 * the owner and for nobody else (`actsFor`): the operation is then performed, and recorded, in the
 * name of the owner. Nobody else can make a client speak for a person, because whoever registers a
 * client gets its secret.
 * Throws PERSON_REQUIRED for any other client that acts for itself, and if the owner is an employee
 * whose roles do not have the scope.
 */
export async function contextOfPerson(context: Context, scope: Scope): Promise<Context> {
  const { caller } = context
  if (caller === bankCaller || caller.subject !== caller.clientId) return context
  const person = await personSpokenFor(context, caller.clientId, scope)
  return { ...context, caller: { ...caller, subject: person } }
}

async function personSpokenFor(context: Context, clientId: string, scope: Scope): Promise<string> {
  const { owner, actsFor } = await principalOfClient(context, clientId)
  const speaksForOwner = owner !== clientId && actsFor.length === 1 && actsFor[0] === owner
  if (!speaksForOwner) throw personRequired(`${clientId} acts for itself.`)
  // A person who is no employee here works with the identity provider of the bank.
  const [employee] = await readFacts(context, [employeeSubject(owner)])
  if (employee && !(employee['scopes'] as readonly string[]).includes(scope)) {
    throw personRequired(`${owner}, for whom ${clientId} acts, has no role with ${scope}.`)
  }
  return owner
}

const personRequired = (reason: string) =>
  new Problem('PERSON_REQUIRED', {
    detail:
      `${reason} Repeat the request with the token of a person who logged in, or of a client that ` +
      'its owner has registered to act for the owner alone (`actsFor`).',
  })
