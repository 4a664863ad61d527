import type { Problem, ProblemCode } from '../domain/problem.ts'
import { proofAlgorithms } from './proofs.ts'
import { stepUpParameters } from './step-up.ts'

/** The error codes of the header for the problems of a token or its proof (RFC 6750, RFC 9449). */
const errorCodes: Partial<Record<ProblemCode, string>> = {
  TOKEN_INVALID: 'invalid_token',
  TOKEN_EXPIRED: 'invalid_token',
  DPOP_PROOF_INVALID: 'invalid_dpop_proof',
  DPOP_NONCE_REQUIRED: 'use_dpop_nonce',
}

/**
 * Returns the `WWW-Authenticate` header of a 401 or 403 response (RFC 6750 section 3, RFC 9449
 * section 7.1, RFC 9728 section 5.1), for the scheme of the request. It has an `error` only if a
 * token was sent, and it names the missing scope or log-in.
 */
export function wwwAuthenticate(
  problem: Problem,
  resourceMetadataUrl: string,
  authorization?: string,
): string {
  const members: [string, string | undefined][] = []
  const errorCode = errorCodes[problem.code]
  if (errorCode) members.push(['error', errorCode], ['error_description', problem.message])
  if (problem.code === 'INSUFFICIENT_SCOPE') {
    members.push(['error', 'insufficient_scope'], ['scope', problem.members.scope])
  }
  members.push(...stepUpParameters(problem))
  const isProven = /^dpop /i.test(authorization ?? '')
  if (isProven) members.push(['algs', proofAlgorithms.join(' ')])
  members.push(['resource_metadata', resourceMetadataUrl])
  const parameters = members.flatMap(([name, value]) => quoted(name, value)).join(', ')
  return `${isProven ? 'DPoP' : 'Bearer'} ${parameters}`
}

/**
 * Formats a parameter of the header. RFC 6750 allows printable ASCII characters except quotation
 * marks and backslashes, so other characters become spaces.
 */
function quoted(name: string, value: string | undefined): string[] {
  return value ? [`${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, ' ')}"`] : []
}
