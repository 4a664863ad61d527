import { bankCaller } from './auth.ts'
import { principalOfClient } from './principals.ts'
import type { Context } from '../environment/context.ts'
import { Problem } from '../domain/problem.ts'

/**
 * Returns the context in which a person makes a decision. For a person it is the context itself. A
 * client that acts for itself speaks for a person only if it is registered to act for exactly one
 * (`actsFor`): the decision is then made, and recorded, in the name of that person. `named` is the
 * person whom the request itself names, if any; the operation checks that the client may act for
 * this person.
 * Throws PERSON_REQUIRED for any other client that acts for itself.
 */
export async function contextOfPerson(context: Context, named: string | null): Promise<Context> {
  const { caller } = context
  const { clientId, subject } = caller
  if (caller === bankCaller || caller.partyId !== null || subject !== clientId) return context
  if (named !== null && named !== clientId) return context
  const { actsFor } = await principalOfClient(context, clientId)
  const [person, ...others] = named === null ? actsFor : []
  if (person === undefined || others.length > 0) {
    throw new Problem('PERSON_REQUIRED', { detail: detailOf(clientId, actsFor, named) })
  }
  return { ...context, caller: Object.freeze({ ...caller, subject: person }) }
}

function detailOf(clientId: string, actsFor: readonly string[], named: string | null): string {
  if (named !== null) return `${clientId} is a client. The decision must name a person.`
  if (actsFor.length === 0) {
    return (
      `${clientId} acts for itself. A person must log in, or the client must be registered to ` +
      'act for exactly one person (`actsFor`).'
    )
  }
  return (
    `${clientId} is registered to act for ${actsFor.length} people, so it is not known who ` +
    'decides. The person must log in, or the client must be registered to act for one person.'
  )
}
