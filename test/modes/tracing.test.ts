/**
 * A request is one trace through all processes, up to the webhook that tells of it; log entries name
 * the trace. The collector is a real receiver of OTLP.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../kit/eventually.ts'
import { aTraceReceiver, type ReceivedSpan, type TraceReceiver } from '../kit/trace-receiver.ts'
import { aReceiver, type Receiver } from '../subgraphs/events/receiver.ts'
import { aSplitPlatform, queryGraph, type RunningPlatform } from './kit.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`
const exportMs = 20_000

let collector: TraceReceiver
let webhooks: Receiver
let bank: RunningPlatform
beforeAll(async () => {
  ;[collector, webhooks] = await Promise.all([aTraceReceiver(), aReceiver()])
  bank = await aSplitPlatform([['parties', 'events']], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_SERVICE_NAME: 'bank-of-the-test',
    LOG_LEVEL: 'info',
  })
})
afterAll(async () => {
  await bank?.stop()
  await Promise.all([collector?.close(), webhooks?.close()])
})

const ask = (query: string, headers: Record<string, string> = {}) =>
  queryGraph(`${bank.sandbox}/graphql`, bank.token({ environment: 'sandbox' }), { query }, headers)

const spansOf = (id: string) => collector.spans.filter((span) => span.traceId === id)

/** The names of a span and of those around it, from the outside. */
function pathOf(span: ReceivedSpan): string[] {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? pathOf(parent) : []), span.name]
}

const output = () => [...bank.programs.values()].map((each) => each.output()).join('\n')

test('a request is one trace through all processes, to the webhook', async () => {
  await ask('mutation { createEventSubscription(input: { eventType: "parties.*" }) { status } }')
  await ask(
    `mutation { registerWebhookEndpoint(input: { url: "${webhooks.url}" }) { endpoint { status } } }`,
  )
  const { status, body } = await ask(
    'mutation { createParty(input: { partyId: "pty_canary", kind: PERSON, givenName: "Canaryname", familyName: "B" }) { partyId } }',
    { traceparent },
  )
  expect([status, body.errors]).toEqual([200, undefined])
  const spans = await eventually(() => {
    const found = spansOf(traceId)
    return found.some(({ name }) => name === 'POST webhook') &&
      found.filter(({ kind }) => kind === 2).length === 2
      ? found
      : null
  }, exportMs)
  const paths = spans.map((span) => pathOf(span).join(' > '))
  const toSubgraph =
    'POST /graphql > mutation > plan and execute > subgraph parties > POST /parties/graphql'
  expect(paths).toEqual(
    expect.arrayContaining([
      'POST /graphql',
      'POST /graphql > mutation',
      `${toSubgraph} > subgraph parties > decide createParty`,
      `${toSubgraph} > subgraph parties > commit`,
    ]),
  )
  const request = spans.find(({ name }) => name === 'POST /graphql')!
  expect(request).toMatchObject({
    service: 'bank-of-the-test',
    parentSpanId: 'b7ad6b7169203331',
    kind: 2,
    attributes: { 'http.route': '/graphql', 'http.response.status_code': 200 },
  })
  const delivery = spans.find(({ name }) => name === 'POST webhook')!
  expect(delivery.attributes).toMatchObject({
    'bankgraph.event_type': 'parties.party.created',
    'http.response.status_code': 204,
  })
  const received = webhooks.got.find(({ headers }) =>
    headers['traceparent']?.includes(delivery.spanId),
  )
  expect(received!.headers['traceparent']).toBe(`00-${traceId}-${delivery.spanId}-01`)
})

test('a trace that a client does not record is not recorded here, and continues', async () => {
  const id = 'a'.repeat(32)
  await ask('{ parties(first: 1) { nodes { partyId } } }', {
    traceparent: `00-${id}-${'b'.repeat(16)}-00`,
  })
  await ask('{ __typename }', { traceparent: 'not a trace' })
  await eventually(() => output().includes(`"trace_id":"${id}"`))
  const before = collector.exports.length
  await eventually(() => collector.exports.length > before, exportMs)
  expect(spansOf(id)).toEqual([])
})

test('a failed request has the error status', async () => {
  const id = 'c'.repeat(32)
  const { body } = await ask(
    'mutation { createParty(input: { partyId: "pty_canary", kind: PERSON, givenName: "Canaryname", familyName: "Another" }) { partyId } }',
    { traceparent: `00-${id}-${'d'.repeat(16)}-01` },
  )
  const [{ extensions }] = body.errors
  const decided = await eventually(
    () => spansOf(id).find(({ name }) => name === 'decide createParty'),
    exportMs,
  )
  expect(decided).toMatchObject({ status: 2, attributes: { 'error.type': extensions.code } })
})

test('one log line for each request names the trace, and neither spans nor log name a person', async () => {
  await queryGraph(`${bank.live}/agreements?partyId=pty_canary`, bank.token())
  const lines = () =>
    output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  await eventually(() => lines().some(({ route }) => route === '/agreements'))
  const [ofGraph] = lines().filter(
    (line) => line['trace_id'] === traceId && line['route'] === '/graphql',
  )
  expect(ofGraph).toMatchObject({ level: 30, method: 'POST', status: 200, environment: 'sandbox' })
  expect(typeof ofGraph!['duration_ms']).toBe('number')
  const exported = collector.exports.map(({ text }) => text).join('\n')
  for (const text of [output(), exported]) {
    expect(text).not.toMatch(/Canaryname|pty_canary|Bearer|eyJ/)
  }
})
