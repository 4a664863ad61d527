import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { createServiceTokens } from '../../gateway/service-tokens.ts'
import { RemoteSource } from '../../gateway/remote-source.ts'
import type { SourceResult } from '../../gateway/sources.ts'
import type { Bank } from '../../kernel/environment/bank.ts'
import { createContext, type Context } from '../../kernel/environment/context.ts'
import { verifyEnvelope, signingKeys } from '../../kernel/environment/signed-envelope.ts'
import { aCaller } from '../kit/subgraph.ts'
import { fixedRing } from '../../kernel/environment/key-ring.ts'

const keys = signingKeys(fixedRing('a secret of at least thirty-two bytes'))
const issued: string[] = []
const serviceTokens = createServiceTokens(
  keys,
  ({ clientId }, ttlSeconds) => {
    issued.push(clientId)
    return `${clientId}.${ttlSeconds}`
  },
  Date.now,
)
const servers: Server[] = []
const sources: RemoteSource[] = []

afterEach(() => {
  for (const source of sources.splice(0)) source.close()
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

type Answering = (...of: Parameters<RequestListener>) => unknown

/** A stand-in for the subgraph `parties` that responds as the test specifies. */
async function standIn(listener: Answering): Promise<RemoteSource> {
  const server = createServer((request, response) => void listener(request, response))
  server.listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return sourceAt((server.address() as AddressInfo).port)
}

function sourceAt(port: number): RemoteSource {
  const source = new RemoteSource(
    'parties',
    `http://127.0.0.1:${port}/graphql`,
    () => serviceTokens,
  )
  sources.push(source)
  return source
}

function aContext(waitMs = 400, idempotencyKey?: string): Context {
  const bank = { environment: 'live', log: pino({ level: 'silent' }) } as unknown as Bank
  return createContext(bank, aCaller(), {
    authorization: undefined,
    requestId: 'test-request',
    traceparent: undefined,
    idempotencyKey,
    deadlineMs: Date.now() + waitMs,
  })
}

const operation = '{ten: party(partyId: "10") { displayName } party(partyId: "1") { partyId }}'
const codes = ({ errors }: SourceResult) =>
  errors?.map(({ path, extensions }) => [path, extensions?.['code']])
const both = (code: string) => [
  [['ten'], code],
  [['party'], code],
]
const good = JSON.stringify({ data: { party: { partyId: '1' } } })

test('sends a signed envelope, with a service token when the caller sent no token', async () => {
  const opened: unknown[] = []
  const source = await standIn(async (request, response) => {
    const chunks = await request.toArray()
    const body = Buffer.concat(chunks as Buffer[])
    const to = { environment: 'live', subgraph: 'parties' }
    opened.push(
      verifyEnvelope(keys.accepted(), to, request.headers, body, Date.now()),
      JSON.parse(String(body)),
    )
    response.end(JSON.stringify({ data: { party: null }, extensions: { isReplayed: true } }))
  })
  const context = aContext(400, 'k-1')
  expect(await source.run(operation, { a: 'é' }, context)).toEqual({ data: { party: null } })
  expect(context.outcome.isReplayed).toBe(true)
  expect(opened).toEqual([
    { ...context.envelope, authorization: 'Bearer test-client.60' },
    { query: operation, variables: { a: 'é' } },
  ])
  await source.run(operation, {}, { ...context })
  expect(issued).toEqual(['test-client'])
})

test.each<[string, string, Answering]>([
  ['no response at all', 'TIMEOUT', () => undefined],
  ['a truncated body', 'TIMEOUT', (_, response) => void response.write('{"data":')],
  [
    'a body that trickles in',
    'TIMEOUT',
    (_, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    },
  ],
  ['HTML', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end('<html>')],
  ['an empty body', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end()],
  ['a number', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end('7')],
  ['an object without data', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end('{}')],
  ['data that is a list', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end('{"data":[]}')],
  [
    'null as an error',
    'DEPENDENCY_UNAVAILABLE',
    (_, response) => response.end('{"data":null,"errors":[null]}'),
  ],
  ['status 500', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.writeHead(500).end(good)],
  ['status 401', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.writeHead(401).end()],
  [
    'a redirect',
    'DEPENDENCY_UNAVAILABLE',
    (_, response) => response.writeHead(302, { location: '/' }).end(),
  ],
  ['a closed connection', 'DEPENDENCY_UNAVAILABLE', (request) => request.socket.destroy()],
  ['bytes that are not HTTP', 'DEPENDENCY_UNAVAILABLE', (request) => request.socket.end('hello')],
])(
  'given a response with %s, fails each requested field with %s',
  async (_what, code, listener) => {
    const source = await standIn(listener)
    const started = Date.now()
    const answer = await source.run(operation, {}, aContext())
    expect(Date.now() - started).toBeLessThan(1500)
    expect(answer.data).toBeNull()
    expect(codes(answer)).toEqual(both(code))
  },
)

test('stops reading a response that is too large', async () => {
  let sentBytes = 0
  const megabyte = Buffer.alloc(1 << 20, 'x')
  const source = await standIn((_request, response) => {
    const more = () => {
      while (sentBytes < 50 << 20 && response.writable) {
        sentBytes += megabyte.length
        if (!response.write(megabyte)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  expect(codes(await source.run(operation, {}, aContext(5000)))).toEqual(
    both('DEPENDENCY_UNAVAILABLE'),
  )
  expect(sentBytes).toBeLessThan(30 << 20)
})

test('reports a failed entity lookup at each requested entity', async () => {
  const entities =
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }'
  const representations = [
    { __typename: 'Party', partyId: '1' },
    { __typename: 'Party', partyId: '2' },
  ]
  const answer = await sourceAt(1).run(entities, { representations }, aContext())
  expect(codes(answer)).toEqual([
    [['_entities', 0], 'DEPENDENCY_UNAVAILABLE'],
    [['_entities', 1], 'DEPENDENCY_UNAVAILABLE'],
  ])
})

test('retries only queries and idempotent mutations after a broken connection', async () => {
  let input = 0
  const source = await standIn((request, response) => {
    input += 1
    if (input === 1) request.socket.destroy()
    else response.end(good)
  })
  const pending = async (text: string, idempotencyKey?: string) => {
    input = 0
    const { data } = await source.run(text, {}, aContext(400, idempotencyKey))
    return { input, isAnswered: data !== null }
  }
  const mutation = 'mutation Create{createParty{partyId}}'
  expect(await pending('{party{partyId}}')).toEqual({ input: 2, isAnswered: true })
  expect(await pending(mutation, 'k-1')).toEqual({ input: 2, isAnswered: true })
  expect(await pending(mutation)).toEqual({ input: 1, isAnswered: false })
})

test('stops calling a subgraph for a second after repeated failures, then tries one request', async () => {
  let input = 0
  let isBack = false
  const source = await standIn((_request, response) => {
    input += 1
    if (isBack) response.end(good)
    else response.writeHead(503).end()
  })
  const runQuery = () => source.run(operation, {}, aContext())
  for (let at = 0; at < 40; at++) await runQuery()
  // One more than the limit: the first request after it probes whether the subgraph has recovered.
  expect(input).toBe(21)
  isBack = true
  expect(codes(await runQuery())).toEqual(both('DEPENDENCY_UNAVAILABLE'))
  await new Promise((resolve) => setTimeout(resolve, 1050))
  expect(await runQuery()).toEqual({ data: { party: { partyId: '1' } } })
  expect(await runQuery()).toEqual({ data: { party: { partyId: '1' } } })
})

test('ignores members of a response that would set a prototype', async () => {
  const source = await standIn((_request, response) =>
    response.end(
      '{"data":{"\\u005f_proto__":{"polluted":1},"party":{"__proto__":{"polluted":1}}}}',
    ),
  )
  const { data } = await source.run(operation, {}, aContext())
  expect(Object.keys(data!)).toEqual(['party'])
  expect(Object.keys(data!['party'] as object)).toEqual([])
})

test('sends no request after the deadline, or when the caller’s token has expired', async () => {
  let input = 0
  const source = await standIn((_request, response) => {
    input += 1
    response.end(good)
  })
  const late = aContext(-1)
  expect(codes(await source.run(operation, {}, late))).toEqual(both('TIMEOUT'))
  const over = { ...aContext(), caller: { ...aCaller(), expiresAt: Date.now() } }
  expect(codes(await source.run(operation, {}, over))).toEqual(both('TOKEN_EXPIRED'))
  expect(input).toBe(0)
})
