import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { PublicJwks } from '../../../kernel/authorization/token-keys.ts'
import { rejectField } from '../domain/client-app.ts'

const maxKeys = 10
/** The smallest RSA key of FAPI 2.0, section 5.4.1. */
const minRsaBits = 2048

/**
 * Returns a JSON Web Key Set (RFC 7517) with only its public keys: 1 to 10 keys for ES256, PS256 or
 * EdDSA. Throws VALIDATION_FAILED.
 */
export function readJwks(jwks: object): PublicJwks {
  const { keys } = jwks as { keys?: unknown }
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maxKeys) {
    return rejectField('/jwks', `The key set must have the member keys, with 1 to ${maxKeys} keys.`)
  }
  return { keys: keys.map((key, index) => readJwk(key, `/jwks/keys/${index}`)) }
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
