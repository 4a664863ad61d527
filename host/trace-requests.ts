import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Bank } from '../kernel/environment/bank.ts'
import {
  isTracing,
  SpanKind,
  startRootSpan,
  traceIdOf,
  withSpan,
  type Span,
} from '../kernel/telemetry/tracing.ts'
import { routeOf } from './metrics/measure-requests.ts'

const spans = new WeakMap<FastifyRequest, Span>()
const firstServerError = 500

/**
 * Starts a span for each request if tracing is on when the server starts, and writes one line for
 * each request if the level is `info`. Both name the template of the path and no parameter, because
 * a path can identify a person. `bankOf` returns the environment of a request.
 */
export function traceRequests(
  app: FastifyInstance,
  bankOf: (request: FastifyRequest) => Bank,
  log: Logger,
): void {
  if (isTracing()) addSpans(app, bankOf)
  if (log.isLevelEnabled('info')) addLines(app, bankOf)
}

function addSpans(app: FastifyInstance, bankOf: (request: FastifyRequest) => Bank): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, id } = request
    const attributes = {
      'http.request.method': method,
      'bankgraph.environment': bankOf(request).environment,
      'bankgraph.request_id': id,
    }
    const span = startRootSpan(method, SpanKind.SERVER, attributes, headers['traceparent'])
    if (span) spans.set(request, span)
    done()
  })
  // The body arrives outside of the span, so that the handlers enter it only now.
  app.addHook('preValidation', (request, _reply, done) =>
    withSpan(spans.get(request) ?? null, done),
  )
  app.addHook('onResponse', (request, { statusCode }, done) => {
    end(request, statusCode)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    end(request, null)
    done()
  })
}

function addLines(app: FastifyInstance, bankOf: (request: FastifyRequest) => Bank): void {
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const span = spans.get(request)
    const traceId = span?.spanContext().traceId ?? traceIdOf(request.headers['traceparent'])
    const line = {
      method: request.method,
      route: routeOf(request),
      status: statusCode,
      duration_ms: Math.round(elapsedTime),
      request_id: request.id,
      ...(traceId !== undefined && { trace_id: traceId }),
    }
    bankOf(request).log.info(line, 'request')
    done()
  })
}

/** Ends the span of a request; `statusCode` is null if the client left. */
function end(request: FastifyRequest, statusCode: number | null): void {
  const span = spans.get(request)
  if (!span?.isRecording()) return
  const route = routeOf(request)
  span.updateName(`${request.method} ${route}`)
  span.setAttribute('http.route', route)
  if (statusCode !== null) span.setAttribute('http.response.status_code', statusCode)
  if (statusCode === null || statusCode >= firstServerError) {
    span.setAttribute('error.type', statusCode === null ? 'aborted' : String(statusCode))
    span.setStatus({ code: 2 })
  }
  span.end()
}
