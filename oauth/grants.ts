import type { Client, KoaContextWithOIDC, ResourceServer } from 'oidc-provider'
import { InvalidScope } from 'oidc-provider/lib/helpers/errors.js'
import type { Pool } from 'pg'
import { isDelegable } from '../kernel/domain/scopes.ts'
import { isFirstParty } from './clients.ts'
import { findPerson, type Person } from './people.ts'

export const accessTokenSeconds = 600

/** The scope with which a client requests an ID token (OpenID Connect Core, section 3.1.2.1). */
export const openIdScope = 'openid'

/**
 * Returns the grant of the user to the client. A first-party client gets a new one for each
 * authorization, without consent, with the scopes that the user has now.
 */
export async function grantFor(ctx: KoaContextWithOIDC, pool: Pool, audience: string) {
  const { client, session, account, result, provider, requestParamScopes } = ctx.oidc
  const { clientId } = client!
  const { accountId } = account!
  if (!isFirstParty(client!)) {
    const grantId = result?.consent?.grantId ?? session!.grantIdFor(clientId)
    return grantId ? provider.Grant.find(grantId) : undefined
  }
  const allowedScopes = new Set(scopesFor(client!, await findPerson(pool, accountId)))
  const requestedScopes = [...requestParamScopes].filter((scope) => scope !== openIdScope)
  const scopesThat = (isAllowed: boolean) =>
    requestedScopes.filter((scope) => allowedScopes.has(scope) === isAllowed).join(' ')
  const grant = new provider.Grant({ accountId, clientId })
  if (requestParamScopes.has(openIdScope)) grant.addOIDCScope(openIdScope)
  grant.addResourceScope(audience, scopesThat(true))
  grant.rejectResourceScope(audience, scopesThat(false))
  await grant.save()
  return grant
}

/**
 * Returns the scopes that a client may have for a user. An employee has the scopes of the roles; a
 * customer has those that a person can delegate.
 */
function scopesFor(client: Client, person: Person | null): string[] {
  const clientScopes = scopesOf(client)
  if (!person) return []
  const { employee } = person
  return employee
    ? clientScopes.filter((scope) => employee.scopes.includes(scope))
    : clientScopes.filter(isDelegable)
}

const scopesOf = (client: Client): string[] =>
  ((client['bank_scopes'] as string | undefined) ?? '').split(' ')

/**
 * Returns the resource with all scopes that the client may request: for the user, once the user is
 * known. If an authorization request or a client credentials request names no scopes, it requests
 * all of them. Throws InvalidScope for scopes that the client may not request for anyone, which
 * oidc-provider would otherwise drop silently.
 */
export async function resourceFor(
  ctx: KoaContextWithOIDC,
  pool: Pool,
  audience: string,
  client: Client,
): Promise<ResourceServer> {
  const params = ctx.oidc.params as { scope?: string; grant_type?: string }
  const isClientCredentials = params.grant_type === 'client_credentials'
  const isUnrestricted = isClientCredentials || isFirstParty(client)
  const requestable = scopesOf(client).filter((scope) => isUnrestricted || isDelegable(scope))
  if (params.scope) {
    const allowed = new Set(requestable)
    const requested = params.scope
      .split(' ')
      .filter((input) => isClientCredentials || input !== openIdScope)
    const rejectedScopes = requested.filter((input) => !allowed.has(input))
    if (rejectedScopes.length > 0) {
      throw new InvalidScope(
        'The scope is unknown, or the client may not request it.',
        rejectedScopes.join(' '),
      )
    }
  } else if (isClientCredentials || ctx.oidc.route === 'authorization') {
    params.scope = requestable.join(' ') || undefined
  }
  const accountId = isClientCredentials ? undefined : ctx.oidc.account?.accountId
  const scopes = accountId ? scopesFor(client, await findPerson(pool, accountId)) : requestable
  return {
    scope: scopes.join(' '),
    audience,
    accessTokenTTL: accessTokenSeconds,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  }
}
