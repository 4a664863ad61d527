import { createPublicKey, X509Certificate, type JsonWebKey } from 'node:crypto'
import type { PublicJwks } from '../../../kernel/authorization/token-keys.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { rejectField } from '../domain/client-app.ts'
import type { ClientAuthentication } from '../model/enumerations.ts'

const maxKeys = 10
/** The smallest RSA key of FAPI 2.0, section 5.4.1. */
const minRsaBits = 2048

/** Checks that clients can use certificates here. Throws VALIDATION_FAILED. */
export function requireCertificates({ bank }: Context): void {
  if (bank.config.clientCertificateHeader !== null) return
  const detail = 'The server does not accept certificates: CLIENT_CERTIFICATE_HEADER is not set.'
  rejectField('/authentication', detail)
}

/**
 * Returns a JSON Web Key Set (RFC 7517) with only its public keys: 1 to 10 keys for ES256, PS256 or
 * EdDSA; with their certificates (`x5c`) if the client authenticates with certificates. Throws
 * VALIDATION_FAILED.
 */
export function readJwks(jwks: object, authentication: ClientAuthentication): PublicJwks {
  const { keys } = jwks as { keys?: unknown }
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maxKeys) {
    return rejectField('/jwks', `The key set must have the member keys, with 1 to ${maxKeys} keys.`)
  }
  const read = authentication === 'certificate' ? readCertificate : readJwk
  return { keys: keys.map((key, index) => read(key, `/jwks/keys/${index}`)) }
}

/** Reads a key with its certificate. The other members of the key follow from the certificate. */
function readCertificate(value: unknown, pointer: string) {
  const { x5c, kid } = (value ?? {}) as { x5c?: unknown; kid?: unknown }
  const [first] = (Array.isArray(x5c) ? x5c : []) as unknown[]
  const certificate = typeof first === 'string' ? certificateOf(first) : null
  if (!certificate) {
    const detail = 'The member x5c must be a list whose first item is a certificate (DER, base64).'
    return rejectField(`${pointer}/x5c`, detail)
  }
  const jwk = {
    ...certificate.publicKey.export({ format: 'jwk' }),
    ...(kid !== undefined && { kid }),
  }
  return { ...readJwk(jwk, pointer), x5c: [certificate.raw.toString('base64')] }
}

function certificateOf(text: string): X509Certificate | null {
  try {
    return new X509Certificate(Buffer.from(text, 'base64'))
  } catch {
    return null
  }
}

function readJwk(value: unknown, pointer: string) {
  const jwk = (typeof value === 'object' && value !== null ? value : {}) as JsonWebKey
  if ('d' in jwk || 'k' in jwk || 'p' in jwk) {
    rejectField(pointer, 'The key is not a public key. Keep the private key to yourself.')
  }
  const { key, bits } = publicKeyOf(jwk, pointer)
  const type = key.asymmetricKeyType
  const isAllowed =
    (type === 'ec' && jwk.crv === 'P-256') ||
    type === 'ed25519' ||
    (type === 'rsa' && bits >= minRsaBits)
  if (!isAllowed) {
    rejectField(
      pointer,
      'The key must be of the type EC P-256, Ed25519, or RSA with 2048 bits or more.',
    )
  }
  const { kid, use } = jwk as { kid?: unknown; use?: unknown }
  if (use !== undefined && use !== 'sig') rejectField(pointer, 'The use of the key must be sig.')
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > 200)) {
    rejectField(pointer, 'The kid of the key must be a text with at most 200 characters.')
  }
  return { ...key.export({ format: 'jwk' }), ...(kid !== undefined && { kid: kid as string }) }
}

function publicKeyOf(jwk: JsonWebKey, pointer: string) {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return { key, bits: key.asymmetricKeyDetails?.modulusLength ?? 0 }
  } catch (cause) {
    return rejectField(pointer, 'The key is not a public key in the form of RFC 7517.', { cause })
  }
}
