import { acrOf } from '../kernel/domain/log-in-method.ts'
import { proofAlgorithms } from '../kernel/authorization/proofs.ts'
import type { SecurityProfile } from '../kernel/environment/config.ts'
import { everyScope } from '../kernel/domain/scopes.ts'
import { openIdScope } from './grants.ts'
import { clientAlgorithms, clientAuthMethodsOf } from './security-profile.ts'

/** The paths of the authorization server. They are the same in every environment. */
export const paths = {
  token: '/oauth/token',
  authorize: '/oauth/authorize',
  interaction: '/oauth/interaction',
  revoke: '/oauth/revoke',
  pushedRequest: '/oauth/par',
  logout: '/oauth/logout',
  password: '/oauth/password',
  passkeys: '/oauth/passkeys',
  approve: '/oauth/approve',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
  jwks: '/.well-known/jwks.json',
  openIdConfiguration: '/.well-known/openid-configuration',
  userInfo: '/oauth/userinfo',
} as const

/**
 * Returns the authorization server metadata (RFC 8414), which is also the provider metadata of OpenID
 * Connect Discovery. It lists only features that are enabled.
 */
export function serverMetadata(
  issuer: string,
  profile: SecurityProfile,
  areCertificatesUsed: boolean,
) {
  const clientAuthMethods = clientAuthMethodsOf(profile, areCertificatesUsed)
  return {
    issuer,
    authorization_endpoint: urlOf(issuer, paths.authorize),
    token_endpoint: urlOf(issuer, paths.token),
    revocation_endpoint: urlOf(issuer, paths.revoke),
    end_session_endpoint: urlOf(issuer, paths.logout),
    jwks_uri: urlOf(issuer, paths.jwks),
    userinfo_endpoint: urlOf(issuer, paths.userInfo),
    scopes_supported: [openIdScope, ...everyScope],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: ['sub', 'party_id', 'roles', 'auth_time', 'iss', 'sid'],
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    pushed_authorization_request_endpoint: urlOf(issuer, paths.pushedRequest),
    require_pushed_authorization_requests: profile === 'fapi2',
    request_parameter_supported: true,
    request_uri_parameter_supported: false,
    request_object_signing_alg_values_supported: clientAlgorithms,
    token_endpoint_auth_methods_supported: clientAuthMethods,
    token_endpoint_auth_signing_alg_values_supported: clientAlgorithms,
    revocation_endpoint_auth_methods_supported: clientAuthMethods,
    revocation_endpoint_auth_signing_alg_values_supported: clientAlgorithms,
    dpop_signing_alg_values_supported: proofAlgorithms,
    tls_client_certificate_bound_access_tokens: areCertificatesUsed,
    prompt_values_supported: ['none', 'login', 'consent'],
    acr_values_supported: Object.values(acrOf),
    authorization_response_iss_parameter_supported: true,
  }
}

/** Returns the protected resource metadata (RFC 9728), which names the authorization server. */
export function resourceMetadata(
  issuer: string,
  audience: string,
  profile: SecurityProfile,
  areCertificatesUsed: boolean,
) {
  return {
    resource: audience,
    authorization_servers: [issuer],
    scopes_supported: everyScope,
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: proofAlgorithms,
    dpop_bound_access_tokens_required: profile === 'fapi2' && !areCertificatesUsed,
    tls_client_certificate_bound_access_tokens: areCertificatesUsed,
    resource_name: 'bankgraph',
  }
}

function urlOf(issuer: string, path: string): string {
  return new URL(path, issuer).href
}
