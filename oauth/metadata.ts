import { acrOf } from '../kernel/domain/log-in-method.ts'
import { everyScope } from '../kernel/domain/scopes.ts'

/** The paths of the authorization server. They are the same in every environment. */
export const paths = {
  token: '/oauth/token',
  authorize: '/oauth/authorize',
  interaction: '/oauth/interaction',
  revoke: '/oauth/revoke',
  logout: '/oauth/logout',
  password: '/oauth/password',
  passkeys: '/oauth/passkeys',
  approve: '/oauth/approve',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
  jwks: '/.well-known/jwks.json',
} as const

/**
 * Returns the authorization server metadata (RFC 8414). It lists only features that are enabled.
 */
export function serverMetadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: urlOf(issuer, paths.authorize),
    token_endpoint: urlOf(issuer, paths.token),
    revocation_endpoint: urlOf(issuer, paths.revoke),
    end_session_endpoint: urlOf(issuer, paths.logout),
    jwks_uri: urlOf(issuer, paths.jwks),
    scopes_supported: everyScope,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'none',
    ],
    prompt_values_supported: ['none', 'login', 'consent'],
    acr_values_supported: Object.values(acrOf),
    authorization_response_iss_parameter_supported: true,
  }
}

/** Returns the protected resource metadata (RFC 9728), which names the authorization server. */
export function resourceMetadata(issuer: string, audience: string) {
  return {
    resource: audience,
    authorization_servers: [issuer],
    scopes_supported: everyScope,
    bearer_methods_supported: ['header'],
    resource_name: 'bankgraph',
  }
}

function urlOf(issuer: string, path: string): string {
  return new URL(path, issuer).href
}
