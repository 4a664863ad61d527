import { hkdfSync, type X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { SecurityProfile } from '../kernel/environment/config.ts'

/** The algorithms that clients may sign with: those of FAPI 2.0, section 5.4. */
export const clientAlgorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519'] as const

const clientAuthMethods = {
  standard: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  fapi2: ['private_key_jwt'],
} as const satisfies Record<SecurityProfile, readonly string[]>

/** The method of clients whose certificate is registered (mutual TLS, RFC 8705, section 2.2). */
export const certificateMethod = 'self_signed_tls_client_auth'

/** Returns how clients may authenticate at the token endpoint. */
export const clientAuthMethodsOf = (profile: SecurityProfile, areCertificatesUsed: boolean) => [
  ...clientAuthMethods[profile],
  ...(areCertificatesUsed ? ([certificateMethod] as const) : []),
]

/** Returns the certificate of the client that sends a request (mutual TLS); null if it has none. */
export type CertificateOf = (request: IncomingMessage) => X509Certificate | null

type Features = NonNullable<Configuration['features']>

/**
 * Returns the settings of oidc-provider for a security profile. In both profiles, clients can push
 * authorization requests (RFC 9126), sign them (RFC 9101), authenticate with a private key
 * (RFC 7523) and bind tokens to a key (RFC 9449). With `certificateOf`, they can also authenticate
 * with a registered certificate, to which their tokens are bound (RFC 8705). The profile `fapi2`
 * requires all of these but the signed requests, as the FAPI 2.0 Security Profile does, sections
 * 5.3.2 and 5.4.
 */
export function profileSettings(
  profile: SecurityProfile,
  secret: string,
  certificateOf: CertificateOf | null,
) {
  const isFapi = profile === 'fapi2'
  const nonceSecret = Buffer.from(hkdfSync('sha256', secret, '', 'bankgraph OAuth nonces', 32))
  const features = {
    dPoP: { enabled: true, nonceSecret, requireNonce: () => isFapi },
    pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: isFapi },
    requestObjects: { enabled: true },
    ...(certificateOf && {
      mTLS: {
        enabled: true,
        selfSignedTlsClientAuth: true,
        certificateBoundAccessTokens: true,
        getCertificate: (ctx: KoaContextWithOIDC) => certificateOf(ctx.req) ?? undefined,
      },
    }),
    ...(isFapi && { fapi: { enabled: true, profile: '2.0' as const } }),
  } satisfies Features
  const settings = {
    clientAuthMethods: clientAuthMethodsOf(profile, certificateOf !== null),
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
