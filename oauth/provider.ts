import type { Client, Configuration, KoaContextWithOIDC, ResourceServer } from 'oidc-provider'
import { InvalidScope, InvalidTarget } from 'oidc-provider/lib/helpers/errors.js'
import { Provider } from 'oidc-provider/lib/provider.js'
import type { Pool } from 'pg'
import { postgresAdapter } from './adapter.ts'
import { isSecretOf } from './clients.ts'
import type { SigningJwk } from './keys.ts'
import { paths } from './metadata.ts'

export const accessTokenSeconds = 600

export interface ProviderOptions {
  issuer: string
  audience: string
  pool: Pool
  signingJwk: SigningJwk
  cookieKey: string
  now: () => Date
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
  return provider
}

function configurationOf(options: ProviderOptions): Configuration {
  const { audience, pool, signingJwk, cookieKey, now } = options
  return {
    adapter: postgresAdapter(pool, now),
    jwks: { keys: [{ ...signingJwk }] },
    cookies: { keys: [cookieKey] },
    routes: { authorization: paths.authorize, token: paths.token, jwks: paths.jwks },
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: { properties: ['bank_scopes'] },
    clientBasedCORS: mayCallFrom,
    interactions: { url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}` },
    renderError: (ctx, out) => {
      ctx.body = out
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      AuthorizationCode: 60,
      IdToken: accessTokenSeconds,
      Interaction: 600,
      Session: 8 * 3600,
      Grant: 8 * 3600,
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
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

/**
 * The library drops scopes that it does not know without a word. This is the one place that every
 * grant passes with the client known, so here they are refused, and none asked for means all.
 */
function resourceFor(ctx: KoaContextWithOIDC, audience: string, client: Client): ResourceServer {
  const scope = (client['bank_scopes'] as string | undefined) ?? ''
  const params = ctx.oidc.params as { scope?: string; grant_type?: string }
  if (params.scope) {
    const allowed = new Set(scope.split(' '))
    const refused = params.scope.split(' ').filter((asked) => !allowed.has(asked))
    if (refused.length > 0) {
      throw new InvalidScope(
        'The client may not have this scope, or it is unknown.',
        refused.join(' '),
      )
    }
  } else if (params.grant_type === 'client_credentials' && scope) {
    params.scope = scope
  }
  return {
    scope,
    audience,
    accessTokenTTL: accessTokenSeconds,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  }
}

/** Pages of this server (the API reference, for one) and of the client itself may ask for tokens. */
function mayCallFrom(ctx: KoaContextWithOIDC, origin: string, client: Client): boolean {
  if (origin === `${ctx.protocol}://${ctx.host}`) return true
  if (origin === new URL(ctx.oidc.issuer).origin) return true
  return (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin)
}
