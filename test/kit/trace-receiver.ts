import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector receives it. */
export interface ReceivedSpan {
  name: string
  service: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  /** The kinds of OTLP: 1 internal, 2 server, 3 client. */
  kind: number
  attributes: Record<string, unknown>
  /** 2 is an error. */
  status: number | undefined
}

/** A collector that receives traces over HTTP (OTLP, JSON encoding). */
export interface TraceReceiver {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT names. */
  endpoint: string
  spans: ReceivedSpan[]
  /** The bodies and headers of all exports. */
  exports: { text: string; headers: Record<string, unknown> }[]
  close(): Promise<void>
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string }
}

const attributesOf = (attributes: Attribute[] = []) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

export async function aTraceReceiver(status = 200): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const exports: TraceReceiver['exports'] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      exports.push({ text, headers: request.headers })
      if (request.url === '/v1/traces' && request.method === 'POST') spans.push(...spansIn(text))
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    exports,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function spansIn(text: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text)
  return resourceSpans.flatMap((each: any) =>
    each.scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        name: span.name,
        service: attributesOf(each.resource.attributes)['service.name'],
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        kind: span.kind,
        attributes: attributesOf(span.attributes),
        status: span.status?.code,
      })),
    ),
  )
}
