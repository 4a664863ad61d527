import { hkdfSync } from 'node:crypto'
import type { Configuration } from 'oidc-provider'
import type { SecurityProfile } from '../kernel/environment/config.ts'

/** The algorithms that clients may sign with: those of FAPI 2.0, section 5.4. */
export const clientAlgorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519'] as const

/** How clients may authenticate at the token endpoint, by security profile. */
export const clientAuthMethods = {
  standard: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  fapi2: ['private_key_jwt'],
} as const satisfies Record<SecurityProfile, readonly string[]>

type Features = NonNullable<Configuration['features']>

/**
 * Returns the settings of oidc-provider for a security profile. In both profiles, clients can push
 * authorization requests (RFC 9126), sign them (RFC 9101), authenticate with a private key
 * (RFC 7523) and bind tokens to a key (RFC 9449). The profile `fapi2` requires all of these but the
 * signed requests, as the FAPI 2.0 Security Profile does, sections 5.3.2 and 5.4.
 */
export function profileSettings(profile: SecurityProfile, secret: string) {
  const isFapi = profile === 'fapi2'
  const nonceSecret = Buffer.from(hkdfSync('sha256', secret, '', 'bankgraph OAuth nonces', 32))
  const features = {
    dPoP: { enabled: true, nonceSecret, requireNonce: () => isFapi },
    pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: isFapi },
    requestObjects: { enabled: true },
    ...(isFapi && { fapi: { enabled: true, profile: '2.0' as const } }),
  } satisfies Features
  const settings = {
    clientAuthMethods: [...clientAuthMethods[profile]],
    allowOmittingSingleRegisteredRedirectUri: !isFapi,
    // FAPI 2.0, section 5.3.2.1: the tokens are bound to keys, and a new refresh token that the
    // client does not receive would log the person out.
    rotateRefreshToken: !isFapi,
    enabledJWA: {
      clientAuthSigningAlgValues: [...clientAlgorithms],
      dPoPSigningAlgValues: [...clientAlgorithms],
      requestObjectSigningAlgValues: [...clientAlgorithms],
    },
  } satisfies Configuration
  return { features, settings }
}
