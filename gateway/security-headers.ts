import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Bank } from '../subgraphs/_kernel/bank.ts'

/** Of what is no page: nothing in it is ever loaded or run. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"
/** Of a page whose own policy says the rest. */
const framePolicy = "frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
/** Of the explorers and the documentation: their own scripts, and Apollo Sandbox's, which loads from its vendor. */
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

/** The headers that every answer has, whoever writes it. */
function everywhere({ issuer }: Bank): Record<string, string> {
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

/** Adds the security headers to every answer of the application; a policy that is there stays. */
export function addSecurityHeaders(app: FastifyInstance, bank: Bank): void {
  const headers = everywhere(bank)
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

/** Sets the same headers where the application does not write the answer. */
export function setSecurityHeaders(response: ServerResponse, bank: Bank): void {
  for (const [name, value] of Object.entries(everywhere(bank))) response.setHeader(name, value)
  response.setHeader('content-security-policy', framePolicy)
}
