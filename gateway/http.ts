import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { problemOf } from '../kernel/graph/errors.ts'
import { problemBody, rawRefusal } from './problem-body.ts'
import { setRateLimitHeaders } from './rate-limits.ts'
import { challengeOf, setProofNonce } from './proofs.ts'
import { addSecurityHeaders } from './security-headers.ts'

const maxBodyBytes = 256 * 1024
const visibleAscii = /^[!-~]{1,80}$/
const requestTimeoutMs = 10_000
const maxHeaders = 100
const unknownPathDetail =
  'The path does not exist. /docs lists the REST operations and their base URL; all other operations are available in GraphQL, at /graphql.'

/**
 * Creates the HTTP server of one environment. All paths share request IDs, limits of size and time,
 * and, except at `/graphql`, the format of errors (RFC 9457). Bodies are passed to handlers as
 * bytes.
 */
export function createHttp(bank: Bank): FastifyInstance {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // Requests that arrive on an open connection while the server closes are answered.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']) ?? randomUUID(),
    frameworkErrors: (error, request, reply) => void sendProblem(bank, request, reply, error),
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return socket.destroy()
      socket.end(rawRefusal(bank, (error as NodeJS.ErrnoException).code))
    },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    http: {
      maxHeaderSize: 16_384,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1000,
      // If Node required the `Host` header, its own response would have no body.
      requireHostHeader: false,
    },
  })
  // 0 means no limit. Beyond a limit, Node silently drops headers, which could include an
  // idempotency key.
  app.server.maxHeadersCount = 0
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  addSecurityHeaders(app, bank)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done(headerProblem(request))
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    setRateLimitHeaders(bank, reply)
    setProofNonce(bank, reply)
    done(null, payload)
  })
  app.setErrorHandler((error, request, reply) => sendProblem(bank, request, reply, error))
  const methods = knownMethods(app)
  app.addHook('onRequest', (request, reply, done) => {
    // The CORS plugin handles preflight requests, so this hook ignores them.
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    if (request.method !== 'OPTIONS' || isPreflight) return done()
    const allowed = methods(request.url.split('?')[0]!)
    if (allowed.length === 0)
      return done(new Problem('ROUTE_NOT_FOUND', { detail: unknownPathDetail }))
    void reply
      .code(204)
      .header('allow', [...allowed, 'OPTIONS'].join(', '))
      .send()
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods(request.url.split('?')[0]!)
    // A path such as that of a file may match a route although nothing is there.
    if (allowed.length === 0 || allowed.includes(request.method))
      return sendProblem(
        bank,
        request,
        reply,
        new Problem('ROUTE_NOT_FOUND', { detail: unknownPathDetail }),
      )
    reply.header('allow', allowed.join(', '))
    return sendProblem(bank, request, reply, new Problem('METHOD_NOT_ALLOWED'))
  })
  return app
}

/**
 * Returns a problem if a request has too many headers, or if it uses HTTP/1.1 without a `Host`
 * header.
 */
function headerProblem({ raw }: FastifyRequest): Problem | undefined {
  if (raw.rawHeaders.length > 2 * maxHeaders) return new Problem('HEADERS_TOO_LARGE')
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
    return new Problem('BAD_REQUEST', { detail: 'HTTP/1.1 requires a Host header.' })
  }
  return undefined
}

/** Sends an error as `application/problem+json`. Unexpected errors are masked. */
export function sendProblem(
  bank: Bank,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const problem = problemOf(frameworkProblem(error) ?? error, bank.log)
  const { status } = problem
  if (status === 401 || status === 403) {
    reply.header('www-authenticate', challengeOf(bank, request, problem))
  }
  if (problem.members.retryAfterSeconds)
    reply.header('retry-after', problem.members.retryAfterSeconds)
  if (status === 413) reply.header('connection', 'close')
  return reply
    .code(status)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemBody(bank, problem, request.id, request.url)))
}

/** Converts a client error that Fastify found to a Problem. Returns undefined for other errors. */
function frameworkProblem(error: unknown): Problem | undefined {
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('PAYLOAD_TOO_LARGE')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new Problem('BAD_REQUEST')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('UNSUPPORTED_MEDIA_TYPE')
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new Problem('ROUTE_NOT_FOUND')
  }
  if (code?.startsWith('FST_') && statusCode && statusCode < 500) return new Problem('BAD_REQUEST')
  return undefined
}

function requestIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && visibleAscii.test(header) ? header : undefined
}

/** Throws REQUEST_ID_INVALID if the `X-Request-Id` header cannot be returned in the response. */
export function requireRequestId(request: FastifyRequest): void {
  const header = request.headers['x-request-id']
  if (header === undefined || requestIdOf(header) !== undefined) return
  const detail = 'X-Request-Id must be 1 to 80 visible ASCII characters.'
  throw new Problem('REQUEST_ID_INVALID', {
    errors: [{ header: 'X-Request-Id', code: 'REQUEST_ID_INVALID', detail }],
  })
}

/**
 * Returns a function that looks up the methods of a path, for 405 responses and the `Allow` header.
 */
function knownMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { method: string; pattern: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const source = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
    const pattern = new RegExp(`^${source.replace(/\*/g, '.*')}$`)
    for (const methodName of [method].flat()) {
      // OPTIONS is used for preflight requests, which every path supports.
      if (methodName !== 'OPTIONS') routes.push({ method: methodName, pattern })
    }
  })
  return (path) => [
    ...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ]
}
