import { bankCaller } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { callerPrincipal, isClient } from '../_kernel/principals.ts'
import { everyScope } from '../_kernel/scopes.ts'
import {
  isMore,
  nameTaken,
  readScopes,
  requirePeople,
  type ClientRights,
  type OAuthClient,
} from './domain/oauth-client.ts'

/** The requested rights. Rejects with NAME_TAKEN, and as `readScopes` does. */
export async function rightsOf(
  context: Context,
  asked: { scopes?: readonly string[] | null; actsFor?: readonly string[] | null },
  before: ClientRights,
): Promise<ClientRights> {
  const { scopes, actsFor } = asked
  const people = actsFor ? [...new Set(actsFor)] : before.actsFor
  const areClients = await Promise.all(people.map((person) => isClient(context, person)))
  requirePeople(
    people,
    people.filter((_, at) => areClients[at]),
  )
  return {
    scopes: scopes ? readScopes(scopes, everyScope, context.caller.scopes) : before.scopes,
    actsFor: people,
  }
}

/** The effective rights and the proposal: in live, additional rights are only proposed. */
export function inForce(
  { bank, caller, now }: Context,
  before: ClientRights,
  rights: ClientRights,
): ClientRights & Pick<OAuthClient, 'proposal'> {
  if (bank.environment !== 'live' || caller === bankCaller || !isMore(rights, before)) {
    return { ...rights, proposal: null }
  }
  const proposal = { ...rights, proposedBy: caller.subject, proposedAt: now().toISOString() }
  return { ...before, proposal }
}

/** Checks that no person and no party has the name. Rejects with NAME_TAKEN. */
export async function requireNobodysName(context: Context, clientId: string): Promise<void> {
  const entities = ['principal', 'person', 'party', 'customer']
  const facts = await readFacts(
    context,
    entities.map((entity) => `${entity}/${clientId}`),
  )
  const isSubject = clientId === context.caller.subject
  if (!isSubject && facts.every((fact) => fact === null)) return
  throw nameTaken('/clientId', `${clientId} is already the name of a person, a party or a client.`)
}

/**
 * Checks that the caller owns the client, because its secret lets the holder act as the owner.
 * Rejects with SEGREGATION_OF_DUTIES.
 */
export async function requireOwner(
  context: Context,
  { clientId, owner }: OAuthClient,
): Promise<void> {
  if ((await callerPrincipal(context)) === owner) return
  const detail = `Only the owner of ${clientId}, ${owner}, can get its secret.`
  throw new Problem('SEGREGATION_OF_DUTIES', { detail, resourceId: clientId })
}
