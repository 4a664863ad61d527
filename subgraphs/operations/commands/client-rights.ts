import { bankCaller } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { callerPrincipal, isClient } from '../../../kernel/authorization/principals.ts'
import { everyScope } from '../../../kernel/domain/scopes.ts'
import { readRedirectUris, requireAppUris, requireDelegable } from '../domain/client-app.ts'
import {
  hasAdditionalRights,
  readScopes,
  requirePeople,
  type ClientRights,
  type OAuthClient,
} from '../domain/oauth-client.ts'

/**
 * Returns the requested rights, with the current ones as defaults. Throws what `requirePeople`,
 * `readScopes`, `readRedirectUris`, `requireAppUris` and `requireDelegable` throw.
 */
export async function rightsOf(
  context: Context,
  request: { [Right in keyof ClientRights]?: ClientRights[Right] | null },
  before: ClientRights,
): Promise<ClientRights> {
  const { scopes, actsFor, redirectUris, label } = request
  const { logoUri, backchannelLogoutUri } = requireAppUris(request)
  const people = actsFor ? [...new Set(actsFor)] : before.actsFor
  const areClients = await Promise.all(people.map((person) => isClient(context, person)))
  requirePeople(
    people,
    people.filter((_, index) => areClients[index]),
  )
  const rights = {
    scopes: scopes ? readScopes(scopes, everyScope, context.caller.scopes) : before.scopes,
    actsFor: people,
    redirectUris: redirectUris ? readRedirectUris(redirectUris) : before.redirectUris,
    label: label ?? before.label,
    logoUri: logoUri ?? before.logoUri,
    backchannelLogoutUri: backchannelLogoutUri ?? before.backchannelLogoutUri,
  }
  if (rights.redirectUris.length > 0) requireDelegable(rights.scopes)
  return rights
}

/**
 * Returns the effective rights and the proposal. In the live environment, if `rights` include any
 * that the client does not have, all of `rights` are only proposed, unless the bank itself is the
 * caller.
 */
export function effectiveRights(
  { bank, caller, now }: Context,
  before: ClientRights,
  rights: ClientRights,
): ClientRights & Pick<OAuthClient, 'proposal'> {
  if (
    bank.environment !== 'live' ||
    caller === bankCaller ||
    !hasAdditionalRights(rights, before)
  ) {
    return { ...rights, proposal: null }
  }
  const proposal = { ...rights, proposedBy: caller.subject, proposedAt: now().toISOString() }
  return { ...before, proposal }
}

/**
 * Checks that the caller owns the client, because the holder of its secret can act as the owner.
 * Throws SEGREGATION_OF_DUTIES.
 */
export async function requireOwner(
  context: Context,
  { clientId, owner }: OAuthClient,
): Promise<void> {
  if ((await callerPrincipal(context)) === owner) return
  const detail = `Only the owner of ${clientId}, ${owner}, can replace its secret or its keys.`
  throw new Problem('SEGREGATION_OF_DUTIES', { detail, resourceId: clientId })
}
