import { everyScope } from '../subgraphs/_kernel/scopes.ts'

/** Where the authorization server answers, the same in every environment. */
export const paths = {
  token: '/oauth/token',
  authorize: '/oauth/authorize',
  interaction: '/oauth/interaction',
  revoke: '/oauth/revoke',
  logout: '/oauth/logout',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
  jwks: '/.well-known/jwks.json',
} as const

/** RFC 8414. Lists what works and nothing else, whatever the library beneath could do. */
export function serverMetadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: addressOf(issuer, paths.authorize),
    token_endpoint: addressOf(issuer, paths.token),
    revocation_endpoint: addressOf(issuer, paths.revoke),
    end_session_endpoint: addressOf(issuer, paths.logout),
    jwks_uri: addressOf(issuer, paths.jwks),
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
    authorization_response_iss_parameter_supported: true,
  }
}

/** RFC 9728: which authorization server gives tokens for this service. */
export function resourceMetadata(issuer: string, audience: string) {
  return {
    resource: audience,
    authorization_servers: [issuer],
    scopes_supported: everyScope,
    bearer_methods_supported: ['header'],
    resource_name: 'bankgraph',
  }
}

function addressOf(issuer: string, path: string): string {
  return new URL(path, issuer).href
}
