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
import { isDelegable } from '../subgraphs/_kernel/scopes.ts'
import { createTokenVerifier } from '../subgraphs/_kernel/token.ts'
import { postgresAdapter } from './adapter.ts'
import { throttleClientSecrets } from './client-authentication.ts'
import { isSecretOf } from './clients.ts'
import { publicJwk, type SigningJwk } from './keys.ts'
import { logoutFeature } from './logout.ts'
import { acceptMaxAge, maxAgePolicy } from './max-age.ts'
import { paths } from './metadata.ts'
import { errorPage, pageHeaders } from './pages.ts'
import { findPerson } from './people.ts'
import type { FailedAuthentication } from './failed-authentication.ts'
import { revokeSignedTokens, type TokenRevoker } from './token-revocation.ts'

export const accessTokenSeconds = 600
const refreshTokenSeconds = 14 * 24 * 3600

export interface ProviderOptions {
  issuer: string
  audience: string
  pool: Pool
  /** The first one signs; tokens signed with the others are still good. */
  signingJwks: readonly [SigningJwk, ...SigningJwk[]]
  cookieKey: string
  now: () => Date
  revoker: TokenRevoker
  addressOf: (request: IncomingMessage) => string
  failed: (failure: FailedAuthentication) => void
}

/** Promises oidc-provider set up for this bank: its storage, its one resource, its scopes. */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.issuer, configurationOf(options))
  // Only hashes are stored, so the library's own comparison of secrets cannot serve.
  const client = provider.Client.prototype as Client & {
    compareClientSecret(secret: string): boolean
  }
  client.compareClientSecret = function (this: Client, secret) {
    return isSecretOf(this.clientSecret, secret)
  }
  throttleClientSecrets(provider, options)
  acceptMaxAge(provider)
  revokeSignedTokens(provider, ownVerifier(options), options.revoker)
  return provider
}

/** Verifies the tokens that this server signs; whether one is already revoked does not matter here. */
function ownVerifier({ issuer, audience, signingJwks }: ProviderOptions) {
  const jwks = { keys: signingJwks.map(publicJwk) }
  return createTokenVerifier({ trusted: [{ issuer, audience, jwks }], now: Date.now })
}

function configurationOf(options: ProviderOptions): Configuration {
  const { audience, pool, signingJwks, cookieKey, now, revoker } = options
  const { policy, extraParams } = maxAgePolicy()
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
    extraClientMetadata: { properties: ['bank_scopes'] },
    clientBasedCORS: mayCallFrom,
    extraParams,
    interactions: {
      policy,
      url: (_ctx, interaction) => `${paths.interaction}/${interaction.uid}`,
    },
    renderError,
    ...peopleOf(pool),
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
          if (resource !== audience) throw new InvalidTarget('There is no such resource here.')
          return resourceFor(ctx, audience, client)
        },
      },
    },
  }
}

/** People meet errors where a browser was sent; everywhere else programs do. */
function renderError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  const { error, error_description: description = '' } = out
  const isPage = ctx.path.startsWith(paths.authorize) || ctx.path.startsWith(paths.logout)
  if (!isPage || ctx.accepts('json', 'html') !== 'html') {
    ctx.body = out
    return
  }
  ctx.set(pageHeaders())
  ctx.body = errorPage(error, description)
}

/** Who logs in. The party a person acts for is looked up for each token, so a change of it is in the next one. */
function peopleOf(pool: Pool): Pick<Configuration, 'findAccount' | 'extraTokenClaims'> {
  return {
    async findAccount(_ctx, username) {
      const person = await findPerson(pool, username)
      return person
        ? { accountId: person.username, claims: () => ({ sub: person.username }) }
        : undefined
    },
    async extraTokenClaims(_ctx, token) {
      if (!('accountId' in token) || !token.accountId) return undefined
      const person = await findPerson(pool, token.accountId)
      // Without a party it would be a token of the client's own.
      if (!person) throw new InvalidGrant('Who it was given to may not log in any more.')
      const { grantId } = token
      return { party_id: person.partyId, ...(grantId && { grant_id: grantId }) }
    },
  }
}

/**
 * The library drops scopes that it does not know without a word. This is the one place that every
 * grant passes with the client known, so here they are refused, and none asked for means all.
 */
function resourceFor(ctx: KoaContextWithOIDC, audience: string, client: Client): ResourceServer {
  const params = ctx.oidc.params as { scope?: string; grant_type?: string }
  const isMachine = params.grant_type === 'client_credentials'
  const own = ((client['bank_scopes'] as string | undefined) ?? '').split(' ')
  const scope = (isMachine ? own : own.filter(isDelegable)).join(' ')
  if (params.scope) {
    const allowed = new Set(scope.split(' '))
    const refused = params.scope.split(' ').filter((asked) => !allowed.has(asked))
    if (refused.length > 0) {
      throw new InvalidScope(
        'The client may not have this scope, or it is unknown.',
        refused.join(' '),
      )
    }
  } else if (isMachine || ctx.oidc.route === 'authorization') {
    params.scope = scope || undefined
  }
  return {
    scope,
    audience,
    accessTokenTTL: accessTokenSeconds,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  }
}

/** A client revokes its own tokens and no others. */
function mayRevoke(_ctx: KoaContextWithOIDC, client: Client, token: { clientId?: string }) {
  if (token.clientId === client.clientId) return true
  throw new InvalidRequest('The token is of another client.')
}

/** Pages of this server (the API reference, for one) and of the client itself may ask for tokens. */
function mayCallFrom(ctx: KoaContextWithOIDC, origin: string, client: Client): boolean {
  if (origin === `${ctx.protocol}://${ctx.host}`) return true
  if (origin === new URL(ctx.oidc.issuer).origin) return true
  return (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin)
}
