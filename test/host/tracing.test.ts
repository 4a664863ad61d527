/** Where traces are sent, how many are, and what happens when they cannot be sent. */
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { startTracing } from '../../host/tracing.ts'
import { parseConfig } from '../../kernel/environment/config.ts'
import {
  currentTraceparent,
  inSpan,
  isTracing,
  SpanKind,
  startRootSpan,
  traceIdOf,
  traceOfLog,
  withSpan,
} from '../../kernel/telemetry/tracing.ts'
import { aTraceReceiver, type TraceReceiver } from '../kit/trace-receiver.ts'

const open: TraceReceiver[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function aCollector(status?: number): Promise<TraceReceiver> {
  const collector = await aTraceReceiver(status)
  open.push(collector)
  return collector
}

const log = pino({ level: 'silent' })

/** Records this many traces of two spans with these settings, and sends them. */
async function trace(count: number, settings: Record<string, string>, to = log): Promise<void> {
  const { stop } = startTracing(parseConfig(settings).tracing!, to)
  for (let at = 0; at < count; at++) {
    const span = startRootSpan('GET', SpanKind.SERVER, {})!
    await withSpan(span, () => inSpan('work', SpanKind.INTERNAL, {}, () => Promise.resolve()))
    span.end()
  }
  await stop()
}

test('is off without an endpoint, and costs no span', async () => {
  expect(parseConfig({}).tracing).toBe(null)
  expect(
    parseConfig({ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example' })
      .tracing,
  ).toBe(null)
  expect(isTracing()).toBe(false)
  expect(startRootSpan('GET', SpanKind.SERVER, {})).toBe(null)
  await inSpan('work', SpanKind.INTERNAL, {}, () => {
    expect([currentTraceparent(), traceOfLog()]).toEqual([undefined, {}])
    return Promise.resolve()
  })
})

test('reads the settings of OpenTelemetry, and rejects wrong ones', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318/'
  expect(parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toEqual({
    endpoint: 'http://127.0.0.1:4318/v1/traces',
    headers: {},
    serviceName: 'bankgraph',
    sampler: 'parentbased_always_on',
    ratio: 1,
  })
  const precise = parseConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, tenant=bank=1',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  })
  expect(precise.tracing).toMatchObject({
    endpoint: 'https://traces.example/in',
    headers: { 'api-key': 'a b', tenant: 'bank=1' },
    sampler: 'traceidratio',
    ratio: 0.01,
  })
  expect(() => parseConfig({ OTEL_TRACES_SAMPLER: 'some' })).toThrow('OTEL_TRACES_SAMPLER must be')
  expect(() => parseConfig({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow('share of traces')
  expect(() => parseConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'secret' })).not.toThrow(/"secret"/)
  expect(() => parseConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'secret' })).toThrow('list of headers')
})

test('sends recorded traces with the configured headers when it stops', async () => {
  const { endpoint, spans, exports } = await aCollector()
  await trace(2, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b',
  })
  expect(spans.map(({ name }) => name).sort()).toEqual(['GET', 'GET', 'work', 'work'])
  expect(exports[0]!.headers['api-key']).toBe('a b')
  expect(isTracing()).toBe(false)
})

test.each([
  ['always_off', '1', 0, 0],
  ['traceidratio', '0', 0, 0],
  ['parentbased_traceidratio', '0.1', 60, 340],
])('records the share of %s %s', async (sampler, ratio, min, max) => {
  const { endpoint, spans } = await aCollector()
  await trace(1000, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: ratio,
  })
  expect(spans.length % 2).toBe(0)
  expect(spans.length).toBeGreaterThanOrEqual(min)
  expect(spans.length).toBeLessThanOrEqual(max)
})

test('a collector that refuses the traces is in the log, and harms nothing', async () => {
  const { endpoint, exports } = await aCollector(400)
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  await trace(1, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, logger)
  expect(exports.length).toBeGreaterThan(0)
  expect(lines.join()).toContain('the traces could not be sent')
})

test.each([
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '0af7651916cd43dd8448eb211c80319c'],
  // A later version may append members.
  ['01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x', '0af7651916cd43dd8448eb211c80319c'],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', null],
  [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, null],
  ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', null],
  ['two, headers', null],
])('reads the trace of the header %s', (header, expected) => {
  expect(traceIdOf(header) ?? null).toBe(expected)
})
