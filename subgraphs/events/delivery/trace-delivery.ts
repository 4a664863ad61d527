import {
  causeOf,
  SpanKind,
  startRootSpan,
  traceparentOf,
  withSpan,
} from '../../../kernel/telemetry/tracing.ts'
import type { LeasedDelivery } from '../store/leased-delivery.ts'
import type { SendResult } from './sender.ts'

/**
 * Sends an event in a span that continues the trace of the request that caused it, if this process
 * knows that trace, and begins a new trace otherwise. `send` receives the `traceparent` header;
 * undefined while tracing is off.
 */
export async function traceDelivery(
  { eventId, type, attempts, correlationId }: LeasedDelivery,
  send: (traceparent: string | undefined) => Promise<SendResult>,
): Promise<SendResult> {
  const attributes = {
    'http.request.method': 'POST',
    'http.request.resend_count': attempts,
    'messaging.operation.type': 'send',
    'messaging.message.id': eventId,
    'bankgraph.event_type': type,
  }
  const cause = causeOf(correlationId)
  const span = startRootSpan('POST webhook', SpanKind.CLIENT, attributes, cause)
  if (!span) return send(undefined)
  const result = await withSpan(span, () => send(traceparentOf(span)))
  const { statusCode } = result
  if (statusCode !== null) span.setAttribute('http.response.status_code', statusCode)
  if (statusCode === null || statusCode >= 400) {
    span.setAttribute('error.type', statusCode === null ? 'no_response' : String(statusCode))
    span.setStatus({ code: 2 })
  }
  span.end()
  return result
}
