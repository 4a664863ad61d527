import type { KoaContextWithOIDC } from 'oidc-provider'

/**
 * Returns the claims about the log-in from which a token descends (RFC 9068, 2.2.1): how (`acr`,
 * `amr`) and when (`auth_time`, in seconds since the epoch). A refresh does not change them. Empty
 * for a log-in before the server recorded them.
 */
export function logInClaims({ oidc }: KoaContextWithOIDC): Record<string, unknown> {
  const { acr, amr, authTime } = oidc.entities.AuthorizationCode ?? oidc.entities.RefreshToken ?? {}
  return {
    ...(acr && { acr }),
    ...(amr && { amr }),
    ...(authTime && { auth_time: authTime }),
  }
}
