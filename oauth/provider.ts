import type { IncomingMessage } from 'node:http'
import type { Client, Configuration, ErrorOut, JWK, KoaContextWithOIDC } from 'oidc-provider'
import { InvalidGrant, InvalidRequest, InvalidTarget } from 'oidc-provider/lib/helpers/errors.js'
import { Provider } from 'oidc-provider/lib/provider.js'
import type { Pool } from 'pg'
import type { KeyRing } from '../kernel/environment/key-ring.ts'
import type { SecurityProfile } from '../kernel/environment/config.ts'
import { isLoopbackHost } from '../kernel/domain/loopback.ts'
import { createTokenVerifier } from '../kernel/authorization/token.ts'
import { postgresAdapter } from './adapter.ts'
import { throttleClientSecrets } from './client-authentication.ts'
import { isFirstParty, isSecretOf, mayUse } from './clients.ts'
import { accessTokenSeconds, grantFor, openIdScope, resourceFor } from './grants.ts'
import { auditProvider, type IdentityAudit } from './identity-audit.ts'
import { providerKey, publicJwk, type Sign, type SigningJwk } from './keys.ts'
import { logoutFeature } from './logout.ts'
import { acceptStepUpParameters, logInPolicy } from './log-in-policy.ts'
import { paths } from './metadata.ts'
import { profileSettings, type CertificateOf } from './security-profile.ts'
import { errorPage, pageHeaders } from './pages.ts'
import { claimsOf, findPerson } from './people.ts'
import { logInClaims } from './log-in-claims.ts'
import type { FailedAuthentication } from './failed-authentication.ts'
import { revokeSignedTokens, type TokenRevoker } from './token-revocation.ts'

const refreshTokenSeconds = 14 * 24 * 3600

export interface ProviderOptions {
  issuer: string
  audience: string
  pool: Pool
  /** The first key signs. Tokens signed with the others stay valid until they expire. */
  signingJwks: readonly [SigningJwk, ...SigningJwk[]]
  /** Signs with one of the keys. */
  sign: Sign
  /** The secrets of the environment. */
  ring: KeyRing
  profile: SecurityProfile
  /** Whether apps on the loopback interface are notified of log-outs. */
  isLoopbackAllowed: boolean
  now: () => Date
  revoker: TokenRevoker
  addressOf: (request: IncomingMessage) => string
  /** If null, clients cannot authenticate with certificates. */
  certificateOf: CertificateOf | null
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
  acceptStepUpParameters(provider)
  revokeSignedTokens(provider, ownVerifier(options), options.revoker)
  return provider
}

/** Returns a verifier for tokens that this server signed. It ignores revocations. */
function ownVerifier({ issuer, audience, signingJwks }: ProviderOptions) {
  const jwks = { keys: signingJwks.map(publicJwk) }
  return createTokenVerifier({ trusted: [{ issuer, audience, jwks }], now: Date.now })
}

function configurationOf(options: ProviderOptions): Configuration {
  const { audience, pool, signingJwks, ring, now, revoker, certificateOf } = options
  const { policy, extraParams } = logInPolicy(pool)
  const { settings, features } = profileSettings(options.profile, ring.current, certificateOf)
  return {
    adapter: postgresAdapter({
      pool,
      now,
      profile: options.profile,
      revokeGrant: (grantId) => revoker.add('grant', grantId),
    }),
    jwks: { keys: signingJwks.map((jwk) => providerKey(jwk, options.sign) as JWK) },
    cookies: { keys: [...ring.accepted] },
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      jwks: paths.jwks,
      revocation: paths.revoke,
      pushed_authorization_request: paths.pushedRequest,
      end_session: paths.logout,
    },
    responseTypes: ['code'],
    scopes: [openIdScope],
    claims: { openid: ['sub', 'party_id', 'roles'] },
    pkce: { required: () => true },
    ...settings,
    ...(options.isLoopbackAllowed && { fetch: fetchFromLoopback }),
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
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      devInteractions: { enabled: false },
      ...features,
      rpInitiatedLogout: logoutFeature,
      // The gateway serves /oauth/userinfo, because access tokens are signed, not stored.
      userinfo: { enabled: false },
      backchannelLogout: { enabled: true },
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

/**
 * Fetches a URL of an app. oidc-provider passes a dispatcher that refuses addresses of private
 * networks; on the loopback interface, the app of a developer needs none.
 */
const fetchFromLoopback: typeof fetch = (url, options) => {
  const isLoopback = isLoopbackHost(new URL(url as string).hostname)
  return fetch(url, isLoopback ? ({ ...options, dispatcher: undefined } as RequestInit) : options)
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
        ? { accountId: person.username, claims: () => claimsOf(person) }
        : undefined
    },
    async extraTokenClaims(ctx, token) {
      if (!('accountId' in token) || !token.accountId) return undefined
      const person = await findPerson(pool, token.accountId)
      // A token without a party would be a token of the client itself.
      if (!person) throw new InvalidGrant('The user may no longer log in.')
      const { grantId } = token
      const { sub: _, ...claims } = claimsOf(person)
      return {
        ...claims,
        ...(grantId && { grant_id: grantId }),
        ...sessionClaim(ctx, token),
        ...logInClaims(ctx),
      }
    },
  }
}

/**
 * Returns the claim with the session of the browser, for an app of the bank itself: its tokens end
 * with the session. Other apps keep their access until the person disconnects them.
 */
function sessionClaim(
  { oidc: { client } }: KoaContextWithOIDC,
  { sessionUid }: { sessionUid?: string | undefined },
): { session_id?: string } {
  return sessionUid && client && isFirstParty(client) ? { session_id: sessionUid } : {}
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
