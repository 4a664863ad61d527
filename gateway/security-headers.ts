import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Bank } from '../kernel/environment/bank.ts'

/**
 * The content security policy of responses that are not pages: nothing may be loaded or executed.
 */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"
/** The policy of responses that bypass Fastify. Login pages replace it with a stricter one. */
const framePolicy = "frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
/**
 * The policy of the GraphQL explorers and the documentation. Apollo Sandbox loads its scripts from
 * its vendor.
 */
const pagePolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' blob: https://*.apollographql.com",
  "style-src 'self' 'unsafe-inline' https://*.apollographql.com https://fonts.googleapis.com",
  "img-src 'self' data: https:",
  "font-src 'self' data: https://fonts.gstatic.com https://*.apollographql.com",
  "connect-src 'self' https: http: ws: wss:",
  'frame-src https://*.apollographql.com',
  "worker-src 'self' blob:",
  framePolicy,
].join('; ')

/** The policy of the explorer that the console shows in a frame. */
export const framedPagePolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  framePolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
].join('; ')

/** Returns the headers of every response, including responses that bypass Fastify. */
function commonHeaders({ issuer }: Bank): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    ...(issuer.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
}

/**
 * Adds the security headers to every response. A content security policy that is already set is not
 * changed.
 */
export function addSecurityHeaders(app: FastifyInstance, bank: Bank): void {
  const headers = commonHeaders(bank)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('content-security-policy')) {
      reply.header('content-security-policy', policyOf(reply))
    }
    done(null, payload)
  })
}

function policyOf(reply: FastifyReply): string {
  return String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    ? pagePolicy
    : dataPolicy
}

/** Sets the security headers on a response that bypasses Fastify. */
export function setSecurityHeaders(response: ServerResponse, bank: Bank): void {
  for (const [name, value] of Object.entries(commonHeaders(bank))) response.setHeader(name, value)
  response.setHeader('content-security-policy', framePolicy)
}
