import type { IncomingMessage } from 'node:http'
import type {
  Client,
  Configuration,
  ErrorOut,
  KoaContextWithOIDC,
  ResourceServer,
} from 'oidc-provider'
import {
  InvalidGrant,
  InvalidRequest,
  InvalidScope,
  InvalidTarget,
} from 'oidc-provider/lib/helpers/errors.js'
import { Provider } from 'oidc-provider/lib/provider.js'
import type { Pool } from 'pg'
import { isDelegable } from '../kernel/domain/scopes.ts'
import { createTokenVerifier } from '../kernel/authorization/token.ts'
import { postgresAdapter } from './adapter.ts'
import { throttleClientSecrets } from './client-authentication.ts'
import { auditProvider, type IdentityAudit } from './identity-audit.ts'
import { isFirstParty, isSecretOf, mayUse } from './clients.ts'
import { publicJwk, type SigningJwk } from './keys.ts'
import { logoutFeature } from './logout.ts'
import { acceptMaxAge, logInPolicy } from './log-in-policy.ts'
import { paths } from './metadata.ts'
import { errorPage, pageHeaders } from './pages.ts'
import { findPerson, type Person } from './people.ts'
import type { FailedAuthentication } from './failed-authentication.ts'
import { revokeSignedTokens, type TokenRevoker } from './token-revocation.ts'

export const accessTokenSeconds = 600
const refreshTokenSeconds = 14 * 24 * 3600

export interface ProviderOptions {
  issuer: string
  audience: string
  pool: Pool
  /** The first key signs. Tokens signed with the others stay valid until they expire. */
  signingJwks: readonly [SigningJwk, ...SigningJwk[]]
  cookieKey: string
  now: () => Date
  revoker: TokenRevoker
  addressOf: (request: IncomingMessage) => string
  onFailedAuthentication: (failure: FailedAuthentication) => void
  audit: IdentityAudit
}

/**
 * Creates the instance of oidc-provider for one environment, with its storage, its single resource
 * and its scopes.
 */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.issuer, configurationOf(options))
  // Only hashes are stored, so oidc-provider cannot compare the secrets itself.
  const client = provider.Client.prototype as Client & {
    compareClientSecret(secret: string): boolean
  }
  client.compareClientSecret = function (this: Client, secret) {
    return isSecretOf(this.clientSecret, secret)
  }
  auditProvider(provider, options.audit)
  throttleClientSecrets(provider, options)
  acceptMaxAge(provider)
  revokeSignedTokens(provider, ownVerifier(options), options.revoker)
  return provider
}

/** Returns a verifier for tokens that this server signed. It ignores revocations. */
function ownVerifier({ issuer, audience, signingJwks }: ProviderOptions) {
  const jwks = { keys: signingJwks.map(publicJwk) }
  return createTokenVerifier({ trusted: [{ issuer, audience, jwks }], now: Date.now })
}

function configurationOf(options: ProviderOptions): Configuration {
  const { audience, pool, signingJwks, cookieKey, now, revoker } = options
  const { policy, extraParams } = logInPolicy(pool)
  return {
    adapter: postgresAdapter({
      pool,
      now,
      revokeGrant: (grantId) => revoker.add('grant', grantId),
    }),
    jwks: { keys: signingJwks.map((jwk) => ({ ...jwk })) },
    cookies: { keys: [cookieKey] },
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      jwks: paths.jwks,
      revocation: paths.revoke,
      end_session: paths.logout,
    },
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: { properties: ['bank_scopes', 'is_first_party'] },
    clientBasedCORS: mayCallFrom,
    extraParams,
    interactions: {
      policy,
      url: (_ctx, interaction) => `${paths.interaction}/${interaction.uid}`,
    },
    renderError,
    ...peopleOf(pool),
    loadExistingGrant: (ctx) => grantFor(ctx, pool, audience),
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      AuthorizationCode: 60,
      IdToken: accessTokenSeconds,
      Interaction: 600,
      RefreshToken: refreshTokenSeconds,
      Session: 8 * 3600,
      Grant: refreshTokenSeconds,
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: logoutFeature,
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: mayRevoke },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: (ctx, resource, client) => {
          if (resource !== audience) throw new InvalidTarget('The resource is unknown.')
          return resourceFor(ctx, pool, audience, client)
        },
      },
    },
  }
}

/** Renders an error as a page if a browser requested an authorization or logout, else as JSON. */
function renderError(ctx: KoaContextWithOIDC, response: ErrorOut): void {
  const { error, error_description: description = '' } = response
  const isPage = ctx.path.startsWith(paths.authorize) || ctx.path.startsWith(paths.logout)
  if (!isPage || ctx.accepts('json', 'html') !== 'html') {
    ctx.body = response
    return
  }
  ctx.set(pageHeaders())
  ctx.body = errorPage(error, description)
}

/**
 * Returns the functions that look up users. The party is read again for each token, so that a
 * change takes effect with the next token.
 */
function peopleOf(pool: Pool): Pick<Configuration, 'findAccount' | 'extraTokenClaims'> {
  return {
    async findAccount(ctx, username) {
      const person = await findPerson(pool, username)
      return person && mayUse(ctx.oidc.client, person)
        ? { accountId: person.username, claims: () => ({ sub: person.username }) }
        : undefined
    },
    async extraTokenClaims(_ctx, token) {
      if (!('accountId' in token) || !token.accountId) return undefined
      const person = await findPerson(pool, token.accountId)
      // A token without a party would be a token of the client itself.
      if (!person) throw new InvalidGrant('The user may no longer log in.')
      const { grantId } = token
      const { partyId, employee } = person
      return {
        ...(partyId === null ? { roles: employee!.roles } : { party_id: partyId }),
        ...(grantId && { grant_id: grantId }),
      }
    },
  }
}

/**
 * Returns the grant of the user to the client. A first-party client gets a new one for each
 * authorization, without consent, with the scopes that the user has now.
 */
async function grantFor(ctx: KoaContextWithOIDC, pool: Pool, audience: string) {
  const { client, session, account, result, provider, requestParamScopes } = ctx.oidc
  const { clientId } = client!
  const { accountId } = account!
  if (!isFirstParty(client!)) {
    const grantId = result?.consent?.grantId ?? session!.grantIdFor(clientId)
    return grantId ? provider.Grant.find(grantId) : undefined
  }
  const allowedScopes = new Set(scopesFor(client!, await findPerson(pool, accountId)))
  const scopesThat = (isAllowed: boolean) =>
    [...requestParamScopes].filter((scope) => allowedScopes.has(scope) === isAllowed).join(' ')
  const grant = new provider.Grant({ accountId, clientId })
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
async function resourceFor(
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
    const rejectedScopes = params.scope.split(' ').filter((input) => !allowed.has(input))
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

/** Allows a client to revoke only its own tokens. Throws InvalidRequest for any other token. */
function mayRevoke(_ctx: KoaContextWithOIDC, client: Client, token: { clientId?: string }) {
  if (token.clientId === client.clientId) return true
  throw new InvalidRequest('The token belongs to another client.')
}

/**
 * Allows pages of this server, such as the API reference, and pages of the client to request
 * tokens.
 */
function mayCallFrom(ctx: KoaContextWithOIDC, origin: string, client: Client): boolean {
  if (origin === `${ctx.protocol}://${ctx.host}`) return true
  if (origin === new URL(ctx.oidc.issuer).origin) return true
  return (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin)
}
