import { credentialsIn, onlyHeader, type Authorization } from './authorization-header.ts'
import type { Caller } from './caller.ts'
import type { ProofVerifier, ProvenRequest } from './proofs.ts'
import { invalidToken } from './token-problems.ts'

/** How tokens are bound to keys in an environment. */
export interface PossessionRules {
  /** Verifies the proofs of key-bound tokens. If omitted, such tokens are rejected. */
  proofs?: ProofVerifier
  /** Whether bearer tokens are rejected, so that each token must be bound to its sender. */
  isBindingRequired?: boolean
}

/**
 * Returns the caller of a verified token if the token is an unbound bearer token, or if it is bound
 * to the key of the proof in the request (RFC 9449, section 7), to the certificate of the client
 * (RFC 8705, section 3), or to both. Throws TOKEN_INVALID, and what `ProofVerifier` throws.
 */
export function requirePossession(
  { proofs, isBindingRequired = false }: PossessionRules,
  caller: Caller,
  authorization: Authorization,
  request: ProvenRequest | undefined,
): Caller | Promise<Caller> {
  const header = onlyHeader(authorization)
  const { keyThumbprint, certificateThumbprint } = caller
  const isBoundToCertificate = certificateThumbprint !== null
  if (isBoundToCertificate && request?.certificateThumbprint() !== certificateThumbprint) {
    throw invalidToken('The token is bound to the certificate of its client.')
  }
  // The header was verified, so its scheme is Bearer or DPoP.
  const isBearer = header.startsWith('B') || header.startsWith('b')
  if (keyThumbprint === null) {
    if (!isBearer) throw invalidToken('The token is not bound to a key. Use the scheme Bearer.')
    if (isBindingRequired && !isBoundToCertificate) {
      throw invalidToken('The token must be bound to a key (DPoP) or to a certificate.')
    }
    return caller
  }
  if (isBearer) throw invalidToken('The token is bound to a key. Use the scheme DPoP.')
  if (!proofs || !request) {
    throw invalidToken('A token that is bound to a key cannot be used here.')
  }
  const { token } = credentialsIn(header)
  return proofs.verify(request, token, keyThumbprint).then(() => caller)
}
