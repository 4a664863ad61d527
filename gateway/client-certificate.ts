import { createHash, X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../kernel/environment/config.ts'
import { isFromTrustedProxy } from './address.ts'

/** A PEM file is longer than its DER content; certificates with RSA-4096 keys have about 2 KiB. */
const maxLength = 16_384

/**
 * Returns the certificate with which a client authenticated to a trusted proxy (mutual TLS), as the
 * proxy sends it in the header of `CLIENT_CERTIFICATE_HEADER`: as in RFC 9440, or as PEM that is
 * encoded for URLs. Returns null if there is none, if it is not valid now, or if the request does
 * not come from a trusted proxy.
 */
export function clientCertificateOf(
  config: Config,
  request: IncomingMessage,
): X509Certificate | null {
  const { clientCertificateHeader } = config
  if (clientCertificateHeader === null) return null
  const header = request.headers[clientCertificateHeader]
  if (typeof header !== 'string' || header === '' || header.length > maxLength) return null
  if (!isFromTrustedProxy(config, request)) return null
  const certificate = parseCertificate(header)
  return certificate && isValidNow(certificate) ? certificate : null
}

/** Returns the SHA-256 of a certificate in base64url: `x5t#S256` of RFC 8705, section 3.1. */
export const thumbprintOf = ({ raw }: X509Certificate): string =>
  createHash('sha256').update(raw).digest('base64url')

function parseCertificate(header: string): X509Certificate | null {
  try {
    const [, binary] = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(header) ?? []
    return new X509Certificate(
      binary === undefined ? decodeURIComponent(header) : Buffer.from(binary, 'base64'),
    )
  } catch {
    return null
  }
}

function isValidNow({ validFrom, validTo }: X509Certificate): boolean {
  const now = Date.now()
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo)
}
