import { AsyncLocalStorage } from 'node:async_hooks'
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context as TraceContext,
  type Span,
  type Tracer,
} from '@opentelemetry/api'

export { SpanKind, type Attributes, type Span } from '@opentelemetry/api'

/** The spans of the work in progress. Nothing is stored in it while tracing is off. */
const activeSpans = new AsyncLocalStorage<Span>()
let tracer: Tracer | null = null

/** Switches tracing on, or with null off. */
export function useTracer(next: Tracer | null): void {
  tracer = next
}

export function isTracing(): boolean {
  return tracer !== null
}

const traceparentPattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/

/**
 * Returns the ID of the trace that a `traceparent` header (W3C Trace Context) names; undefined if
 * it is missing or not valid.
 */
export function traceIdOf(traceparent: unknown): string | undefined {
  const parent = parentOf(traceparent)
  return parent && trace.getSpanContext(parent)!.traceId
}

function parentOf(traceparent: unknown): TraceContext | undefined {
  const match = typeof traceparent === 'string' ? traceparentPattern.exec(traceparent) : null
  // The version ff is invalid.
  if (!match || match[0].startsWith('ff')) return undefined
  const [, traceId = '', spanId = '', flags = ''] = match
  const spanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
  }
  return isSpanContextValid(spanContext)
    ? trace.setSpanContext(ROOT_CONTEXT, spanContext)
    : undefined
}

/**
 * Starts a span that no other span of this process surrounds, in the trace of `traceparent` or else
 * in a new one. The sampler decides whether it is recorded. Returns null while tracing is off.
 */
export function startRootSpan(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  traceparent?: unknown,
): Span | null {
  return (
    tracer?.startSpan(name, { kind, attributes }, parentOf(traceparent) ?? ROOT_CONTEXT) ?? null
  )
}

/** Runs work as a part of a span. */
export function withSpan<Result>(span: Span | null, run: () => Result): Result {
  return span ? activeSpans.run(span, run) : run()
}

/**
 * Runs work in a span of its own if the span around it is recorded, and otherwise only runs it. The
 * span has the error status if the work throws; `attributesOf` adds what the result says.
 */
export function inSpan<Result>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  run: () => Promise<Result>,
  attributesOf?: (result: Result) => Attributes,
): Promise<Result> {
  const parent = tracer && activeSpans.getStore()
  return parent?.isRecording()
    ? runInSpan(parent, name, kind, attributes, run, attributesOf)
    : run()
}

async function runInSpan<Result>(
  parent: Span,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  run: () => Promise<Result>,
  attributesOf?: (result: Result) => Attributes,
): Promise<Result> {
  const around = trace.setSpan(ROOT_CONTEXT, parent)
  const span = tracer!.startSpan(name, { kind, attributes }, around)
  try {
    const result = await activeSpans.run(span, run)
    if (attributesOf) span.setAttributes(attributesOf(result))
    return result
  } catch (error) {
    recordError(span, error)
    throw error
  } finally {
    span.end()
  }
}

/**
 * Gives a span the error status, with the code of the error or else its type. Messages can contain
 * personal data, so they are left out.
 */
export function recordError(span: Span, error: unknown): void {
  const { code } = error as { code?: unknown }
  const type = typeof code === 'string' ? code : (error as Error).constructor?.name
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', type ?? '_OTHER')
}

/** Returns the `traceparent` of the span around the work in progress; undefined if there is none. */
export function currentTraceparent(): string | undefined {
  const span = tracer && activeSpans.getStore()
  return span ? traceparentOf(span) : undefined
}

/** Returns the `traceparent` header that continues the trace of a span. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** Returns the members of log entries that name the trace of the work in progress. */
export function traceOfLog(): { trace_id?: string; span_id?: string } {
  const span = tracer && activeSpans.getStore()
  if (!span) return {}
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}

const maxCauses = 10_000
const causes = new Map<string, string>()

/**
 * Stores which recorded trace a request belongs to, so that deliveries of its events continue the
 * trace if this process makes them. The newest 10,000 requests are kept.
 */
export function rememberCause(requestId: string): void {
  const span = tracer && activeSpans.getStore()
  if (!span?.isRecording()) return
  causes.set(requestId, traceparentOf(span))
  if (causes.size > maxCauses) causes.delete(causes.keys().next().value!)
}

/** Returns the `traceparent` of the request that caused an event; undefined if it is not known. */
export function causeOf(requestId: string): string | undefined {
  return causes.get(requestId)
}
