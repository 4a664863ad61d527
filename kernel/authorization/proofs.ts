import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify, type JWTPayload } from 'jose'
import type pg from 'pg'
import { isLoopbackHost } from '../domain/loopback.ts'
import { Problem } from '../domain/problem.ts'
import { derivedKeys, type KeyRing } from '../environment/key-ring.ts'

/**
 * The request with which a bound token was sent. `proof` is the `DPoP` header, and `path` has no
 * query.
 */
export interface ProvenRequest {
  proof: string | readonly string[] | undefined
  method: string
  path: string
  /** Returns the `x5t#S256` of the certificate of the client (mutual TLS); null if it has none. */
  certificateThumbprint: () => string | null
}

/** Verifies proofs of possession (DPoP, RFC 9449), which bind a token to the key of its client. */
export interface ProofVerifier {
  /** Returns the current nonce. It changes every minute, and the previous one stays valid. */
  nonce(): string
  /**
   * Checks that the sender of a request has the private key with the JWK thumbprint `thumbprint`.
   * Throws DPOP_PROOF_INVALID, and DPOP_NONCE_REQUIRED if the nonce is missing or too old.
   */
  verify(request: ProvenRequest, token: string, thumbprint: string): Promise<void>
}

export interface ProofVerifierOptions {
  /** The origin at which clients reach the server, such as `https://bank.example`. */
  origin: string
  /** The secrets of the environment, from which the nonces are derived. */
  ring: KeyRing
  /** Whether each proof must contain a nonce of this server. */
  isNonceRequired: boolean
  pool: pg.Pool
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number
}

/** The signature algorithms of proofs: those of the FAPI 2.0 Security Profile, section 5.4. */
export const proofAlgorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519'] as const

const nonceMs = 60_000
/** How long a proof without a nonce is valid before and after its `iat`. */
const toleranceMs = 60_000
/** Longer than any proof is valid. */
const rememberMs = 3 * nonceMs
const proofMaxLength = 4096

const useSql =
  'insert into kernel.used_proof (proof_hash, expires_at) values ($1, $2) on conflict do nothing'
const sweepSql = 'delete from kernel.used_proof where expires_at <= $1'

/** Deletes the used proofs that are no longer valid anyway. */
export async function sweepUsedProofs(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(sweepSql, [now])
}

/** Creates the verifier of one environment. All its processes share the nonces and used proofs. */
export function createProofVerifier(options: ProofVerifierOptions): ProofVerifier {
  const { origin, isNonceRequired, pool, now } = options
  const nonces = createNonces(options.ring, now)
  return {
    nonce: nonces.current,
    async verify({ proof, method, path }, token, thumbprint) {
      const claims = await readProof(proof, thumbprint, now())
      if (claims['htm'] !== method) throw invalid(`Its htm must be ${method}.`)
      if (!isSameUrl(claims['htu'], origin, path)) {
        throw invalid(`Its htu must be ${new URL(path, origin).href}.`)
      }
      const hash = createHash('sha256').update(token).digest('base64url')
      if (claims['ath'] !== hash) throw invalid('Its ath must be the SHA-256 hash of the token.')
      const { jti, iat } = claims
      if (typeof jti !== 'string' || jti === '') throw invalid('It has no jti.')
      if (typeof iat !== 'number') throw invalid('It has no iat.')
      const isFresh = requireNonce(claims['nonce'], nonces.isValid, isNonceRequired)
      if (!isFresh && Math.abs(now() - iat * 1000) > toleranceMs) {
        throw invalid('Its iat is more than a minute from now.')
      }
      const proofHash = createHash('sha256').update(`${thumbprint}.${jti}`).digest()
      const { rowCount } = await pool.query({
        name: 'kernel-use-proof',
        text: useSql,
        values: [proofHash, new Date(now() + rememberMs)],
      })
      if (rowCount === 0) throw invalid('It was already used.')
    },
  }
}

function createNonces(ring: KeyRing, now: () => number) {
  const keys = derivedKeys(ring, (secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'bankgraph DPoP nonces', 32)),
  )
  const nonceOf = (key: Buffer, step: number) =>
    createHmac('sha256', key).update(String(step)).digest().subarray(0, 16).toString('base64url')
  const step = () => Math.floor(now() / nonceMs)
  return {
    current: () => nonceOf(keys.current(), step()),
    isValid: (nonce: unknown) =>
      keys
        .accepted()
        .some((key) => nonce === nonceOf(key, step()) || nonce === nonceOf(key, step() - 1)),
  }
}

/** Whether the proof has a valid nonce. Throws DPOP_NONCE_REQUIRED for any other nonce. */
function requireNonce(
  nonce: unknown,
  isValid: (nonce: unknown) => boolean,
  isRequired: boolean,
): boolean {
  if (nonce === undefined && !isRequired) return false
  if (isValid(nonce)) return true
  throw new Problem('DPOP_NONCE_REQUIRED', {
    detail: 'Send a proof with the nonce of the DPoP-Nonce header.',
  })
}

/** Verifies the signature and the type of a proof, and that its key is the key of the token. */
async function readProof(
  proof: ProvenRequest['proof'],
  thumbprint: string,
  nowMs: number,
): Promise<JWTPayload> {
  if (typeof proof !== 'string' || proof === '') {
    throw invalid('Send exactly one proof, in the DPoP header.')
  }
  if (proof.length > proofMaxLength) throw invalid('It is longer than 4096 characters.')
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
    algorithms: [...proofAlgorithms],
    typ: 'dpop+jwt',
    currentDate: new Date(nowMs),
    clockTolerance: toleranceMs / 1000,
  }).catch((cause: unknown) => {
    throw invalid('It is not a signed JWT of type dpop+jwt with its public key.', { cause })
  })
  if ((await calculateJwkThumbprint(protectedHeader.jwk!)) !== thumbprint) {
    throw invalid('Its key is not the key of the token.')
  }
  return payload
}

/**
 * Whether `htu` is the URL of a path of this server, after the normalization of RFC 3986. The names
 * of the loopback interface are the same.
 */
function isSameUrl(htu: unknown, origin: string, path: string): boolean {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return false
  const actual = new URL(htu)
  const expected = new URL(path, origin)
  const isSameHost =
    actual.host === expected.host ||
    (isLoopbackHost(actual.hostname) &&
      isLoopbackHost(expected.hostname) &&
      actual.port === expected.port)
  return (
    actual.protocol === expected.protocol && isSameHost && actual.pathname === expected.pathname
  )
}

function invalid(reason: string, options?: ErrorOptions): Problem {
  return new Problem(
    'DPOP_PROOF_INVALID',
    { detail: `The DPoP proof is not valid. ${reason}` },
    options,
  )
}
