import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wwwAuthenticate } from '../kernel/authorization/challenge.ts'
import type { ProvenRequest } from '../kernel/authorization/proofs.ts'
import type { Problem } from '../kernel/domain/problem.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Config } from '../kernel/environment/config.ts'
import { clientCertificateOf, thumbprintOf } from './client-certificate.ts'

/** Whether the request sends a token that is bound to a key (DPoP, RFC 9449). */
export function isProven({ headers }: FastifyRequest): boolean {
  return /^dpop /i.test(headers.authorization ?? '')
}

/** Returns what the proof of possession of a request must be about. */
export function provenRequestOf(
  { config }: Bank,
  { headers, method, url, raw }: FastifyRequest,
): ProvenRequest {
  return {
    proof: headers['dpop'],
    method,
    path: url.split('?', 1)[0]!,
    certificateThumbprint: () => certificateThumbprintOf(config, raw),
  }
}

/** Returns the thumbprint of the certificate of the client; null if it sent none. */
export function certificateThumbprintOf(config: Config, request: IncomingMessage): string | null {
  const certificate = clientCertificateOf(config, request)
  return certificate && thumbprintOf(certificate)
}

/** Sends the current nonce to a client that uses proofs of possession, for its next proof. */
export function setProofNonce(bank: Bank, reply: FastifyReply): void {
  if (isProven(reply.request)) reply.header('dpop-nonce', bank.proofs.nonce())
}

/** Returns the `WWW-Authenticate` header of a rejected request. */
export function challengeOf(bank: Bank, { headers }: FastifyRequest, problem: Problem): string {
  const metadataUrl = `${bank.issuer}/.well-known/oauth-protected-resource`
  return wwwAuthenticate(problem, metadataUrl, headers.authorization)
}
