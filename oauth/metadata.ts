import { everyScope } from '../subgraphs/_kernel/scopes.ts'

/** Where the authorization server answers, the same in every environment. */
export const paths = {
  token: '/oauth/token',
  authorize: '/oauth/authorize',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
  jwks: '/.well-known/jwks.json',
} as const

/** RFC 8414. Lists what works and nothing else, whatever the library beneath could do. */
export function serverMetadata(issuer: string) {
  return {
    issuer,
    token_endpoint: addressOf(issuer, paths.token),
    jwks_uri: addressOf(issuer, paths.jwks),
    scopes_supported: everyScope,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
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
